//! Who may what: roles, tokens, pairing, the lease, how often somebody may ask, and the audit log.
//! Asked by the API's gate. The law: whoever is not known may do nothing but press stop and say who it is.

pub mod audit;
pub mod audit_writer;
pub mod lease;
pub mod pairing;
pub mod principal;
pub mod rate_limit;
pub mod tokens;

pub use audit::AuditLog;
pub use audit_writer::AuditWriter;
pub use lease::Lease;
pub use pairing::{Pairing, PairingError};
pub use principal::Principal;
pub use rate_limit::RateLimit;
pub use tokens::{Token, TokenError, Tokens};
