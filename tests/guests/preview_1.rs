//! What stands for WASI preview 1, against a model of it in Rust that was written from its specification: random calls,
//! which a guest makes from a table in its memory, with the answers that the model gives. A guest that is answered
//! otherwise traps. What it prints is split at random places, and is no text at random places.

use fastrand::Rng;
use guests::{CodeForm, End, LoadOptions, WasiAccess};
use tests::rig::{Plan, everything, with_rig};

use crate::text::said;
use crate::wasi::play;

mod table;

use table::{DATA, ROWS, Step, module, words};

/// Runs in each world.
fn runs() -> u64 {
    8 * tests::effort()
}

/// Turns of a run.
const TURNS: usize = 40;

const BAD_FILE: u32 = 8;
const INVALID: u32 = 28;

/// A table of calls in the making, and the model's state.
struct Calls {
    random: Rng,
    rows: Vec<[u32; 6]>,
    data: Vec<u8>,
    /// Whether polling waits.
    sleeps: bool,
    xorshift: u64,
    /// What was written to the streams 1 and 2.
    printed: [Vec<u8>; 2],
    /// The beginning of the next write.
    held_back: [Vec<u8>; 2],
    /// Line breaks in this turn.
    breaks: usize,
}

impl Calls {
    fn step(&mut self, step: Step, arguments: [u32; 4], answer: u32) {
        let [a, b, c, d] = arguments;
        self.rows.push([step as u32, a, b, c, d, answer]);
    }

    /// The address of these bytes.
    fn place(&mut self, bytes: &[u8]) -> u32 {
        // Numbers are aligned, as compilers have them.
        self.data.resize(self.data.len().next_multiple_of(8), 0);
        let address = DATA + self.data.len() as u32;
        self.data.extend(bytes);
        address
    }

    /// The address of so many bytes that are no answer.
    fn room(&mut self, bytes: usize) -> u32 {
        self.place(&vec![0xa5; bytes])
    }

    /// What a call has written at this address is this.
    fn finds(&mut self, at: u32, wanted: &[u8]) {
        let wanted_at = self.place(wanted);
        self.step(Step::Same, [at, wanted_at, wanted.len() as u32, 0], 0);
    }

    /// Text, parts of it, and bytes that are none, behind what was printed to this stream.
    fn bytes(&mut self, stream: usize, before: &[u8]) -> Vec<u8> {
        const WORDS: [&[u8]; 11] = [
            b"a line",
            b" ",
            "é".as_bytes(),
            "€uro".as_bytes(),
            "\u{1f916}".as_bytes(),
            b"\r",
            b"\0\x1b[2J",
            "\u{85}\u{202e}".as_bytes(),
            b"\xff",
            b"\xed\xa0\x80",
            b"a part of a line that is not short at all",
        ];
        const ODD: [u8; 12] = *b"\xc3\xa9\xe2\x82\xac\xf0\x9f\x92\x96\xff\xed\xc0";
        let random = &mut self.random;
        let mut bytes = Vec::new();
        if random.u32(..4) == 0 {
            // Up to where the line is cut, nearly.
            let line = [&self.printed[stream], before].concat();
            let line = line
                .rsplit(|byte| *byte == b'\n')
                .next()
                .map_or(0, <[u8]>::len);
            bytes.resize(random.usize(250..=256).saturating_sub(line), b'x');
        }
        let parts = if random.u32(..8) == 0 { 60 } else { 6 };
        for _ in 0..random.usize(..=parts) {
            match random.u32(..20) {
                0..4 if self.breaks < 2 => {
                    self.breaks += 1;
                    bytes.push(b'\n');
                }
                0..8 => bytes.push(ODD[random.usize(..ODD.len())]),
                _ => bytes.extend(WORDS[random.usize(..WORDS.len())]),
            }
        }
        bytes
    }

    fn write(&mut self) {
        let stream = self.random.usize(..2);
        let mut bytes = std::mem::take(&mut self.held_back[stream]);
        let more = self.bytes(stream, &bytes);
        bytes.extend(more);
        // The next write continues inside a letter; a line break belongs to this turn.
        let tail = bytes.rsplit(|byte| *byte == b'\n').next();
        let held_back = self.random.usize(..4).min(tail.map_or(0, <[u8]>::len));
        self.held_back[stream] = bytes.split_off(bytes.len() - held_back);
        self.printed[stream].extend(&bytes);
        let (mut rest, mut parts) = (bytes.as_slice(), Vec::new());
        while !rest.is_empty() || self.random.bool() {
            let (part, behind) = rest.split_at(self.random.usize(..=rest.len()));
            let address = self.place(part);
            parts.extend([address, part.len() as u32]);
            rest = behind;
        }
        let count = parts.len() as u32 / 2;
        let parts = self.place(&words(&parts));
        let written = self.room(4);
        self.step(Step::Write, [stream as u32 + 1, parts, count, written], 0);
        self.finds(written, &words(&[bytes.len() as u32]));
    }

    /// Writes to what is no output, which says nothing.
    fn write_nowhere(&mut self) {
        let text = self.place(b"nowhere\n");
        let parts = self.place(&words(&[text, 8]));
        let written = self.room(4);
        let file = self.bad_file(&[0, 3, 4, 1 << 31, u32::MAX]);
        self.step(Step::Write, [file, parts, 1, written], BAD_FILE);
    }

    fn bad_file(&mut self, of: &[u32]) -> u32 {
        of[self.random.usize(..of.len())]
    }

    /// Marsaglia's xorshift64, of which each byte is the lowest of a number.
    fn random_bytes(&mut self) {
        let most = [0, 1, 8, 300, 3000][self.random.usize(..5)];
        let length = self.random.usize(..=most);
        let mut wanted = Vec::new();
        for _ in 0..length {
            self.xorshift ^= self.xorshift << 13;
            self.xorshift ^= self.xorshift >> 7;
            self.xorshift ^= self.xorshift << 17;
            wanted.push(self.xorshift as u8);
        }
        let to = self.room(length + 1);
        self.step(Step::Random, [to, length as u32, 0, 0], 0);
        wanted.push(0xa5);
        self.finds(to, &wanted);
    }

    fn time(&mut self) -> u32 {
        let to = self.room(8);
        let clock = self.random.u32(..4);
        self.step(Step::Time, [clock, to, 0, 0], 0);
        to
    }

    fn clocks(&mut self) {
        let (before, after) = (self.time(), self.time());
        self.step(Step::Above, [after, before, 0, 0], 0);
        let to = self.room(8);
        let none = [4, 5, 1 << 31, u32::MAX][self.random.usize(..4)];
        self.step(Step::Time, [none, to, 0, 0], INVALID);
        self.step(Step::Resolution, [none, to, 0, 0], INVALID);
        self.step(Step::Resolution, [none % 4, to, 0, 0], 0);
        self.finds(to, &1_000u64.to_le_bytes());
    }

    fn files(&mut self) {
        let to = self.room(24);
        let file = self.random.u32(..3);
        self.step(Step::Stat, [file, to, 0, 0], 0);
        // A character device without flags, that can be read or written.
        let rights = if file == 0 { 1 << 1 } else { 1 << 6 };
        let wanted = [2u64, rights, 0].map(u64::to_le_bytes).concat();
        self.finds(to, &wanted);
        let file = self.bad_file(&[3, 9, u32::MAX]);
        self.step(Step::Stat, [file, to, 0, 0], BAD_FILE);
        let (part, read) = (self.place(&words(&[to, 8])), self.room(4));
        self.step(Step::Read, [0, part, 1, read], 0);
        self.finds(read, &words(&[0]));
        let file = self.bad_file(&[1, 2, 3, u32::MAX]);
        self.step(Step::Read, [file, part, 1, read], BAD_FILE);
    }

    fn poll(&mut self) {
        let count = self.random.usize(1..6);
        let all: Vec<_> = (0..count)
            .map(|_| Subscription::draw(&mut self.random))
            .collect();
        let earliest = all
            .iter()
            .filter_map(|subscription| subscription.in_ns)
            .min();
        // Waiting for nothing is waiting forever.
        let Some(earliest) = earliest else { return };
        let given: Vec<u8> = all.iter().flat_map(Subscription::bytes).collect();
        let come = all
            .iter()
            .filter(|subscription| subscription.in_ns.is_some_and(|value| value <= earliest));
        let told: Vec<u8> = come.flat_map(Subscription::event).collect();
        let (at, to, number) = (self.place(&given), self.room(count * 32), self.room(4));
        let before = self.time();
        self.step(Step::Poll, [at, to, count as u32, number], 0);
        let after = self.time();
        self.finds(number, &words(&[told.len() as u32 / 32]));
        self.finds(to, &told);
        if self.sleeps {
            self.step(Step::Above, [after, before, earliest as u32, 0], 0);
        }
        self.step(Step::Poll, [at, to, 0, number], INVALID);
    }

    fn end_turn(&mut self) {
        self.step(Step::EndOfTurn, [0; 4], 0);
        self.breaks = 0;
    }
}

/// What a poll waits for.
struct Subscription {
    mark: u64,
    /// 0 a clock, 1 a stream to read, 2 one to write.
    kind: u8,
    time: u64,
    is_instant: bool,
    /// When it comes; never, if there is none.
    in_ns: Option<u64>,
}

impl Subscription {
    fn draw(random: &mut Rng) -> Subscription {
        let kind = [0, 0, 0, 1, 2][random.usize(..5)];
        let is_instant = kind == 0 && random.u32(..3) == 0;
        let in_ns = match (kind, random.u32(..6)) {
            (0, 0) => None,
            // Instants that are not past would depend on when it is asked.
            (0, value) if !is_instant => {
                Some([0, 1, 300_000, 1_000_000, 2_500_000][value as usize - 1])
            }
            _ => Some(0),
        };
        let time = match in_ns {
            None => u64::MAX - random.u64(..2),
            Some(_) if is_instant => random.u64(..2),
            Some(value) => value,
        };
        Subscription {
            mark: random.u64(..),
            kind,
            time,
            is_instant,
            in_ns,
        }
    }

    /// As `subscription` lies in memory.
    fn bytes(&self) -> [u8; 48] {
        let mut bytes = [0; 48];
        bytes[..8].copy_from_slice(&self.mark.to_le_bytes());
        bytes[8] = self.kind;
        // The monotonic clock, or standard output.
        bytes[16] = 1;
        bytes[24..32].copy_from_slice(&self.time.to_le_bytes());
        bytes[40] = u8::from(self.is_instant);
        bytes
    }

    /// As `event` does.
    fn event(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.mark.to_le_bytes());
        bytes[10] = self.kind;
        bytes
    }
}

/// A table of calls of one run.
fn calls(seed: u64, sleeps: bool) -> Calls {
    let mut calls = Calls {
        random: Rng::with_seed(seed),
        rows: Vec::new(),
        data: Vec::new(),
        sleeps,
        xorshift: 0x9e37_79b9_7f4a_7c15,
        printed: Default::default(),
        held_back: Default::default(),
        breaks: 0,
    };
    for _ in 0..TURNS {
        for _ in 0..calls.random.u32(1..6) {
            match calls.random.u32(..10) {
                0 => calls.random_bytes(),
                1 => calls.clocks(),
                2 => calls.files(),
                3 => calls.poll(),
                4 => calls.write_nowhere(),
                _ => calls.write(),
            }
        }
        calls.end_turn();
    }
    calls.step(Step::End, [0; 4], 0);
    assert!(calls.rows.len() <= ROWS, "too many calls");
    calls
}

/// The lines of the log for what was printed to a stream.
fn lines(printed: &[u8]) -> Vec<String> {
    let mut lines: Vec<_> = printed.split(|byte| *byte == b'\n').collect();
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let shown = |line: &[u8]| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = String::from_utf8_lossy(line);
        let end = (0..=text.len().min(256)).rfind(|i| text.is_char_boundary(*i));
        let text = text[..end.unwrap_or(0)].chars();
        text.map(|c| {
            if c.is_control() || c == '\u{202e}' {
                ' '
            } else {
                c
            }
        })
        .collect()
    };
    lines.into_iter().map(shown).collect()
}

/// Whether these lines are those of both streams, each in its order.
fn is_merged(said: &[String], of: &[Vec<String>; 2]) -> bool {
    // Which numbers of lines of the first stream can be among the lines so far.
    let mut reached = vec![true];
    for (place, line) in said.iter().enumerate() {
        let fits = |count: usize, stream: usize| of[stream].get(count) == Some(line);
        let next = (0..=place + 1).map(|first| {
            let by_first = first > 0 && reached[first - 1] && fits(first - 1, 0);
            let by_second = first <= place && reached[first] && fits(place - first, 1);
            by_first || by_second
        });
        reached = next.collect();
    }
    said.len() == of[0].len() + of[1].len() && reached.get(of[0].len()) == Some(&true)
}

fn compare(seed: u64, calls: &Calls, said: &[String]) {
    let wanted = calls.printed.each_ref().map(|printed| lines(printed));
    assert!(
        is_merged(said, &wanted),
        "run {seed}\nsaid: {said:#?}\nwanted of both: {wanted:#?}"
    );
}

#[test]
fn random_calls_of_preview_1_are_answered_and_printed_as_a_model_says_in_a_score() {
    let mut count = 0;
    for seed in 0..runs() {
        let calls = calls(seed, true);
        let (end, said, _) = play(
            &module(&calls.rows, &calls.data, calls.sleeps),
            WasiAccess::default(),
        );
        assert_eq!(end, End::Finished, "run {seed}");
        compare(seed, &calls, &said);
        count += said.len();
    }
    println!("{count} lines");
    assert!(count > 20 * runs() as usize);
}

#[test]
fn random_calls_of_preview_1_are_answered_and_printed_as_a_model_says_in_a_hook() {
    for seed in 0..runs() {
        let calls = calls(seed, false);
        let said = with_rig(&Plan::of(CodeForm::InPlace), |rig| {
            let loaded = rig.load(
                &module(&calls.rows, &calls.data, calls.sleeps),
                &everything(),
                &LoadOptions::default(),
            );
            let id = loaded.unwrap_or_else(|error| panic!("{error}"));
            rig.turns(TURNS + 2);
            let details = rig.status(id).figures.details;
            assert_eq!(rig.fate(id).1, End::None, "run {seed}: {details}");
            rig.manager.end(id).expect("it is there");
            rig.turns(3);
            said(rig)
        });
        compare(seed, &calls, &said);
    }
}
