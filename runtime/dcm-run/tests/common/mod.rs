//! The program under test. It is the one that cargo has built with these tests.

use tests::process::Home;

/// The built `dcm-run`, with folders of its own.
pub(crate) fn home() -> Home {
    Home::of(env!("CARGO_BIN_EXE_dcm-run"))
}
