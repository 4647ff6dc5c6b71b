//! What recording adds to a turn of the loop. Called by `main`. The same NAO with the same guests plays both,
//! one after the other, in virtual time; what the recorder's own thread does is not the loop's.

use tests::recorded::play;

/// Turns of a run at least: the first ones find memory that nobody has touched.
const LEAST: u64 = 2_000;

pub(crate) fn contest() {
    let folder = tempfile::tempdir().expect("a folder");
    let film = folder.path().join("nao.mcap");
    protocol::contest_timed(|turns| {
        let turns = turns.max(LEAST);
        let _ = std::fs::remove_file(&film);
        let [bare, taped] = [None, Some(&*film)].map(|value| play(turns, value).working.quantile(0.5));
        taped.nanos() as f64 - bare.nanos() as f64
    });
}
