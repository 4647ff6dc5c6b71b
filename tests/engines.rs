//! The engine of JavaScript: what stands beside its texts as binary is what the texts give.

use std::path::PathBuf;

use crate::ROOT;

/// A file of the engine.
fn file(name: &str) -> PathBuf {
    [ROOT, "guest-sdk/javascript/engine", name].iter().collect()
}

/// What should stand in each file.
fn wanted() -> Vec<(&'static str, Vec<u8>)> {
    let text = |name| std::fs::read(file(name)).expect("a text");
    let component = |name| guests::componentize(&text(name)).expect("it keeps the contract");
    let link = wat::parse_bytes(&text("link.wat"))
        .expect("a module")
        .into_owned();
    vec![
        ("score.bin", component("score.wat")),
        ("motion.bin", component("motion.wat")),
        ("link.bin", link),
    ]
}

#[test]
fn the_engines_files_are_those_of_its_texts() {
    for (name, bytes) in wanted() {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(file(name), &bytes).expect("a file");
        }
        let found = std::fs::read(file(name)).unwrap_or_default();
        assert!(
            found == bytes,
            "{name} is not what its text gives; fix: UPDATE_EXPECT=1 cargo test -p tests --test all engines"
        );
    }
}
