//! The codes of errors: each in the table is given by a source.

use protocol::ErrorCode;

use crate::tidy::{read, sources};

#[test]
fn no_code_of_the_table_is_given_by_nobody() {
    let all = sources("runtime", ".rs").into_iter();
    let all = all.filter(|path| !path.ends_with("socket/src/error_code.rs"));
    let all: String = all.map(|path| read(&path)).collect();
    for code in ErrorCode::ALL {
        let name = format!("ErrorCode::{code:?}");
        let mut found = all.match_indices(&name);
        let ends = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric());
        assert!(
            found.any(|(place, _)| ends(&all[place + name.len()..])),
            "no source gives `{}`",
            code.word()
        );
    }
}
