//! Settings as people write them, and as the README has them.

use daemon::settings::{ServerSettings, Tls};
use protocol::keys::SignaturePolicy;

#[test]
fn what_the_readme_says_holds_without_a_word() {
    let readme = include_str!("../../README.md");
    let written = readme.split("```toml\n").nth(1).expect("settings");
    let written = written.split("```").next().expect("settings");
    assert_eq!(ServerSettings::read(written), Ok(ServerSettings::default()));
    assert_eq!(ServerSettings::read(""), Ok(ServerSettings::default()));
    // No port is open to the network.
    let listens = ServerSettings::default().server.listen;
    assert!(listens.iter().all(|item| item.ip().is_loopback()));
}

#[test]
fn what_is_not_known_is_told_where_it_stands() {
    let settings = "[server]\nlisten = [\"0.0.0.0:7878\", \"[::]:7878\"]\ntls = \"always\"\n\
                    [store]\nsignatures = \"require\"";
    let settings = ServerSettings::read(settings).expect("settings");
    assert_eq!(settings.server.tls, Tls::Always);
    assert_eq!(settings.store.signatures, SignaturePolicy::Require);
    for (wrong, word) in [
        ("[server]\nlistn = []", "listn"),
        ("[servers]", "servers"),
        ("[server]\nlisten = [\"localhost\"]", "listen"),
        ("[access]\npairing = \"everything\"", "everything"),
        ("[server]\nkey = \"x\"", "belong together"),
    ] {
        let error = ServerSettings::read(wrong).expect_err(wrong);
        assert!(error.contains(word), "{error}");
    }
}
