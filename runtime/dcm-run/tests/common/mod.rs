//! The program that these tests run, for all of them. The law: it is the one that cargo has built with them.

use tests::process::Home;

/// The built `dcm-run`, in folders of its own.
pub(crate) fn home() -> Home {
    Home::of(env!("CARGO_BIN_EXE_dcm-run"))
}
