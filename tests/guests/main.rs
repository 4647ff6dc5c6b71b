//! Guests on a stage: what the contract promises them, and what they cannot do. Each in both forms.

mod hooks;
mod text;
mod vices;
