//! Scripts of any kind: the reader and the player answer, and never panic.

use std::fs;
use std::path::Path;

/// Words that fit somewhere, and words that fit nowhere.
const ODD: [&str; 24] = [
    "nan",
    "inf",
    "-1",
    "0",
    "99999999999999999999",
    "1e308",
    "-1e308",
    "1..-1",
    "..",
    ":",
    "10:",
    ":1",
    "10:nan",
    "|",
    "?9",
    "A",
    "A+A",
    "shared",
    "at",
    "every",
    "until",
    "#",
    "×",
    "18446744073709551615",
];

#[test]
fn no_script_makes_the_player_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces");
    let mut scripts: Vec<String> = fs::read_dir(folder)
        .expect("traces")
        .map(|entry| entry.expect("a readable folder").path().join("script.txt"))
        .filter_map(|path| fs::read_to_string(path).ok())
        .collect();
    scripts.sort();
    let mut rng = fastrand::Rng::with_seed(13);
    let (mut played, mut refused) = (0, 0);
    for _ in 0..20_000 * tests::effort().min(20) {
        let script = &scripts[rng.usize(..scripts.len())];
        let mut lines: Vec<String> = script.lines().map(str::to_owned).collect();
        for _ in 0..rng.usize(1..4) {
            let (at, other) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
            match rng.u8(..8) {
                0 => lines.insert(at, lines[other].clone()),
                1 => lines.swap(at, other),
                _ => lines[at] = disturb(&lines[at], &mut rng),
            }
        }
        // A run of a million turns is allowed, but too long for this test.
        let script = lines.join("\n").replace("every 1 ", "every 10 ");
        match scripting::play(&script) {
            Ok(_) => played += 1,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    println!("{played} scripts played, {refused} refused");
    assert!(played > 0 && refused > 0);
}

/// One word of a line dropped, doubled, exchanged or replaced.
fn disturb(line: &str, rng: &mut fastrand::Rng) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    let (at, other) = (rng.usize(..words.len()), rng.usize(..words.len()));
    match rng.u8(..4) {
        0 => drop(words.remove(at)),
        1 => words.insert(at, words[other]),
        2 => words[at] = ODD[rng.usize(..ODD.len())],
        _ => words.swap(at, other),
    }
    words.join(" ")
}
