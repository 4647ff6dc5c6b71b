//! Run by cargo before this crate is compiled: says which commit it is, and embeds the languages of `guest-sdk`.
//! It runs again only if what it has read has changed.

#[path = "build/commit.rs"]
mod commit;
#[path = "build/languages.rs"]
mod languages;
#[path = "src/verbs/author/project/pattern.rs"]
mod pattern;

fn main() {
    commit::set();
    languages::embed();
}
