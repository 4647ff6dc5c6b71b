//! Golden traces: each folder of `traces/` is a test. `UPDATE_EXPECT=1` rewrites the tables.

use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces");
    let mut cases: Vec<_> = fs::read_dir(&root)
        .expect("tests/traces is there")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    let trials = cases.into_iter().map(|case| {
        let name = case
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Trial::test(format!("traces::{name}"), move || check(&case))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn check(case: &Path) -> Result<(), Failed> {
    let script = fs::read_to_string(case.join("script.txt"))?;
    let table = scripting::play(&script)?;
    let expected = case.join("expected.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return Ok(fs::write(expected, table)?);
    }
    let wanted = fs::read_to_string(&expected)?;
    if table == wanted {
        return Ok(());
    }
    let diff = TextDiff::from_lines(&wanted, &table);
    let diff = diff
        .unified_diff()
        .header("expected.txt", "found")
        .to_string();
    Err(
        format!("{diff}\nIf this is right, run again with UPDATE_EXPECT=1 and review the change.")
            .into(),
    )
}
