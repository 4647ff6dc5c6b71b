//! The compiler's child, as a program of its own, so that tests can compile away from themselves.

fn main() -> std::io::Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((verb, words)) if verb == "compile" => guests::be_child(words),
        _ => Err(std::io::Error::other("say `compile`, and how")),
    }
}
