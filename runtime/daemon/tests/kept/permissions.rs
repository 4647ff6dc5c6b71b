//! Who may send what: the table of all requests is in a file that a person can read, `permissions.txt`.
//! `UPDATE_EXPECT=1` writes it; review the difference.

use std::fmt::Write;
use std::path::Path;

use daemon::routes::described;
use protocol::{Need, RequestKind};

fn table() -> String {
    let (_, _, needs) = described();
    let mut rows: Vec<_> = needs
        .into_iter()
        .map(|((method, path), need)| (path, method.to_string(), need))
        .collect();
    rows.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    let mut text = String::from(
        "# The least role of each request over the network, whether it needs control of the robot, and whether the\n\
         # audit log records it.\n",
    );
    for (path, method, need) in rows {
        let role = need.role.map_or("-", protocol::AccessRole::word);
        let control = if need.lease { "control" } else { "-" };
        let audit = if need.audit { "audit" } else { "-" };
        let line = format!("{method:6} {path:48} {role:8} {control:8} {audit}");
        writeln!(text, "{}", line.trim_end()).expect("a string");
    }
    text.push_str("\n# The loop's requests that are answered only on the robot's machine:\n");
    for kind in RequestKind::ALL {
        if kind.needs() == Need::LocalOnly {
            writeln!(text, "{}", kind.word()).expect("a string");
        }
    }
    text
}

#[test]
fn the_table_of_permissions_is_as_it_was_reviewed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept/permissions.txt");
    let table = table();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &table).expect("a file");
    }
    let reviewed = std::fs::read_to_string(&file).unwrap_or_default();
    let lacks = |a: &str, b: &str| -> Vec<String> {
        let lines = a
            .lines()
            .filter(|line| !b.lines().any(|other| other == *line));
        lines.map(str::to_owned).collect()
    };
    let (new, gone) = (lacks(&table, &reviewed), lacks(&reviewed, &table));
    assert_eq!(
        (new, gone),
        (Vec::new(), Vec::new()),
        "permissions that are new, and that are gone; fix: UPDATE_EXPECT=1 cargo test --workspace --test kept \
         permissions, and review the difference"
    );
}
