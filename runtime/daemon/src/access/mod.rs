//! Access: tokens, pairing, the control lease, rate limits and the audit log.
//! Used by the gate. An unknown caller can only stop the body, pair, and read who the robot is.

pub mod audit;
pub mod audit_writer;
pub mod check_queue;
pub mod connections;
pub mod lease;
pub mod pairing;
pub mod principal;
pub mod rate_limit;
pub mod tokens;
pub mod transfers;

pub use audit::AuditLog;
pub use audit_writer::AuditWriter;
pub use check_queue::{CheckQueue, WORK_TIMEOUT};
pub use connections::{AdmittedConnection, Answering, Connections, Origin};
pub use lease::Lease;
pub use pairing::{Pairing, PairingError};
pub use principal::Principal;
pub use rate_limit::RateLimit;
pub use tokens::{Token, TokenError, Tokens};
pub use transfers::{NoTransferPlace, TransferPlace, Transfers};
