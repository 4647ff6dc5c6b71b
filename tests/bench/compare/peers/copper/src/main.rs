//! Whole turns in Copper: a source that reads 26 sensors, functions that send 26 commands each, and sinks that take
//! them. Called by `run` with the number of functions. It is a graph as Copper's documentation has it, in its
//! defaults, except that nothing is logged, as nothing is recorded in ours.

mod tasks;

use cu29::prelude::*;

/// A graph of `graphs`, and the turns of it.
macro_rules! graph {
    ($name:ident, $path:literal) => {
        mod $name {
            use crate::tasks;
            use cu29::prelude::*;

            #[copper_runtime(config = $path)]
            struct App {}

            pub(super) fn contest(log: &std::path::Path) -> CuResult<()> {
                let app = App::builder().with_log_path(log, Some(64 << 20))?.build()?;
                let mut running = app.start()?;
                protocol::contest_paced(|| running.run_one_iteration().expect("a turn"));
                running.stop()?;
                Ok(())
            }
        }
    };
}

graph!(functions_1, "graphs/1.ron");
graph!(functions_8, "graphs/8.ron");
graph!(functions_64, "graphs/64.ron");

fn main() -> CuResult<()> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("turns.copper");
    match std::env::args().nth(1).as_deref() {
        Some("1") => functions_1::contest(&log),
        Some("8") => functions_8::contest(&log),
        Some("64") => functions_64::contest(&log),
        other => panic!("there is no graph of {other:?} functions"),
    }
}
