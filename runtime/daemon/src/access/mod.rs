//! Who may what: roles, tokens, pairing, the lease, how often somebody may ask, and the audit log.
//! Asked by the API's gate. The law: whoever is not known may do nothing but press stop and say who it is.

pub mod audit;
pub mod clerk;
pub mod lease;
pub mod pace;
pub mod pairing;
pub mod principal;
pub mod tokens;

pub use audit::Audit;
pub use clerk::Clerk;
pub use lease::Lease;
pub use pace::Pace;
pub use pairing::{Pairing, Wrong};
pub use principal::Principal;
pub use tokens::{Stranger, Token, Tokens};
