//! What a line of the log costs whoever logs. `cargo bench -p tests --bench log 2>/dev/null`
//!
//! None of it is paid in a turn. Beside it in the same run: the same text, formatted into a string and dropped.

use std::fmt::Write;
use std::sync::Arc;

use divan::{Bencher, black_box};
use logging::{LogFormat, LogOptions, guest_line};
use robot::event_history::EventHistory;

/// One entry in so many: the writer is not to be flooded, because dropping is cheaper than writing.
const ENTRIES: u32 = 100;

fn main() {
    let history = Arc::<EventHistory>::default();
    logging::listen(move |entry| history.add(entry));
    let options = LogOptions {
        filter: "off,written=info,guest=info".parse().ok(),
        format: LogFormat::Text,
        colours: false,
    };
    let writer = logging::start(options);
    divan::main();
    writer.finish();
}

#[divan::bench(sample_count = 200, sample_size = ENTRIES)]
fn limit_format_alone(bencher: Bencher<'_, '_>) {
    bencher.bench(|| {
        let mut line = String::new();
        let _ = write!(
            line,
            "a board answers turn={} board={}",
            black_box(7),
            black_box("chest")
        );
        line
    });
}

#[divan::bench]
fn disabled() {
    tracing::debug!(target: "daemon", turn = black_box(7), board = "chest", "a board answers");
}

#[divan::bench(sample_count = 200, sample_size = ENTRIES)]
fn into_the_history() {
    tracing::info!(target: logging::BODY, turn = black_box(7), board = "chest", "a board answers");
}

#[divan::bench(sample_count = 30, sample_size = ENTRIES)]
fn written_as_text() {
    tracing::info!(target: "written", turn = black_box(7), board = "chest", "a board answers");
}

#[divan::bench(sample_count = 30, sample_size = ENTRIES)]
fn a_guests_line_written_and_into_the_history() {
    guest_line(
        "guest",
        tracing::Level::INFO,
        black_box((7, 1)),
        "a board answers",
    );
}
