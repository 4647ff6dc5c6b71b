//! The compiler's child as a program, so that tests can compile in another process.

fn main() -> std::io::Result<()> {
    let words: Vec<_> = std::env::args().skip(1).collect();
    match words.split_first() {
        Some((verb, words)) if verb == "compiler" => guests::be_child(words),
        _ => Err(std::io::Error::other("say `compile`, and how")),
    }
}
