//! Damaged files of the state folder, and a clock that was wrong: the server starts, says so, and gives nobody a right
//! that he would not have.

use std::fs;

use hyper::Method;
use network::client::ApiClient;
use serde_json::{Value, json};
use tests::process::{Home, until};
use tests::served::{WAVE, refused, serve};

use crate::common::home;
use crate::hard::{QUIET, restart_server};

/// The file of the state folder.
fn state(home: &Home, file: &str) -> std::path::PathBuf {
    home.path(&format!("run/state/nao/{file}"))
}

/// What the audit log has from the server itself.
fn found(home: &Home) -> Vec<String> {
    let output = home.good(&["audit", "--json", "--number", "1000"]);
    let acts = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let found = acts.filter(|value| value["outcome"] == "found");
    found
        .map(|value| value["act"].as_str().expect("a text").to_owned())
        .collect()
}

fn may(client: &ApiClient, path: &str) -> bool {
    client.get::<Value>(path).is_ok()
}

#[test]
fn a_damaged_file_of_rights_is_put_aside_and_the_server_goes_on_locked() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    let token = served.token("operate");
    home.good(&["start", "wave", "--at", "+3600"]);
    let files = ["tokens.json", "keys.json", "plans.json"];
    for round in 0..2 {
        let mut flaws = Vec::new();
        for file in files {
            let whole = fs::read(state(&home, file)).unwrap_or_else(|_| b"[1, 2]".to_vec());
            let flaw = match round {
                // Half a file; and one of another program.
                0 => whole[..whole.len() / 2].to_vec(),
                _ => b"{\"all\": [{\"number\": -1}], \"and\": \"more\"}".to_vec(),
            };
            fs::write(state(&home, file), &flaw).expect("a file");
            flaws.push(flaw);
        }
        restart_server(&served);
        assert!(home.good(&["ls"]).contains("wave"), "round {round}");
        let told = found(&home);
        for (file, flaw) in files.iter().zip(flaws) {
            let aside = state(&home, &format!("aside/{file}.{}", round + 1));
            assert_eq!(fs::read(&aside).expect("it was put aside"), flaw, "{file}");
            let says = |text: &&String| text.starts_with(file) && text.contains("aside/");
            assert_eq!(
                told.iter().filter(says).count(),
                round + 1,
                "{file}: {told:?}"
            );
        }
        let client = served.client(Some(&token));
        assert!(!may(&client, "/api/v2/me"), "no token is known any more");
        let planned = home.good(&["start", "--planned"]);
        assert!(planned.contains("nothing"), "{planned}");
        // What is written from now on is kept.
        let again = served.client(Some(&served.token("watch")));
        assert!(may(&again, "/api/v2/me"));
        home.good(&["start", "wave", "--at", "+3600"]);
    }
}

/// A robot whose server does not start has no stop in the network.
#[test]
fn what_is_no_file_or_no_folder_ends_no_server() {
    use std::os::unix::fs::symlink;
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE]);
    served.token("operate");
    let pipe = |path: &std::path::Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("it runs").success());
    };
    let instead = |file: &str, round: usize| {
        let path = state(&home, file);
        let _ = fs::remove_file(&path);
        match round {
            0 => fs::create_dir(&path).expect("a folder"),
            1 => pipe(&path),
            _ => symlink("nowhere/at/all", &path).expect("a link"),
        }
    };
    for round in 0..3 {
        for file in ["tokens.json", "keys.json", "plans.json", "index.json"] {
            instead(file, round);
        }
        restart_server(&served);
        // The bytes were never lost; who had a token has none, and gets one again.
        let stored = home.good(&["ls"]);
        assert_eq!(stored.lines().count(), 1, "round {round}: {stored}");
        let again = served.client(Some(&served.token("operate")));
        assert!(may(&again, "/api/v2/me"), "round {round}");
    }
    for folder in ["aside", "incoming", "choreographies"] {
        let path = state(&home, folder);
        fs::rename(&path, path.with_extension("kept")).expect("a folder");
        match folder {
            "incoming" => symlink("nowhere/at/all", &path).expect("a link"),
            _ => fs::write(&path, "a file").expect("a file"),
        }
    }
    fs::write(state(&home, "tokens.json"), "half").expect("a file");
    restart_server(&served);
    let again = served.client(Some(&served.token("operate")));
    assert!(may(&again, "/api/v2/me"));
    home.good(&["push", WAVE]);
    home.good(&["estop", "--robot", "nao"]);
}

#[test]
fn what_was_refused_as_expired_stays_so_after_a_start_with_an_earlier_clock() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let words = ["tokens", "make", "short", "--role", "watch", "--days", "1"];
    let short = home.good(&words).trim().to_owned();
    // It ends in two seconds, and the server stores the time every quarter of an hour.
    let path = state(&home, "tokens.json");
    let mut table: Value = serde_json::from_slice(&fs::read(&path).expect("tokens")).expect("JSON");
    let all = table["all"].as_array_mut().expect("tokens");
    let token = all
        .iter_mut()
        .find(|token| token["name"] == "short")
        .expect("the token");
    let ends = std::time::UNIX_EPOCH.elapsed().expect("a clock").as_secs() + 2;
    token["ends"] = ends.into();
    fs::write(&path, table.to_string()).expect("a file");
    restart_server(&served);
    let client = served.client(Some(&short));
    until("it has expired", || !may(&client, "/api/v2/me"));
    let latest = || {
        let index = fs::read(state(&home, "index.json")).ok()?;
        serde_json::from_slice::<Value>(&index).ok()?["latest"].as_u64()
    };
    until("the time is stored", || {
        latest().is_some_and(|latest| latest >= ends)
    });
}

#[test]
fn a_clock_that_was_once_in_the_future_is_corrected_by_an_operator_alone() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let tokens = ["operate", "watch"].map(|text| served.token(text));
    let words = ["tokens", "make", "short", "--role", "watch", "--days", "30"];
    let short = home.good(&words).trim().to_owned();
    // Each start of the server has another port.
    let by = |token: &str| served.client(Some(token));
    let me = "/api/v2/me";
    assert!(may(&by(&short), me));
    let before = by(&tokens[1])
        .get::<Value>("/api/v2/clock")
        .expect("a clock");
    assert!(
        before["time"].as_u64() >= before["clock"].as_u64(),
        "{before}"
    );
    // The year 2106.
    let path = state(&home, "index.json");
    let mut index: Value =
        serde_json::from_slice(&fs::read(&path).expect("an index")).expect("JSON");
    index["latest"] = 4_294_967_295_u64.into();
    fs::write(&path, index.to_string()).expect("a file");
    restart_server(&served);
    assert!(!may(&by(&short), me), "it has expired by then");
    let said = home.good(&["clock"]);
    assert!(
        said.contains("2106-02-07") && said.contains("--correct"),
        "{said}"
    );
    assert_eq!(
        refused(&by(&tokens[1]), Method::PUT, "/api/v2/clock", None),
        "role-too-low"
    );
    assert!(!may(&by(&short), me));
    let corrected = by(&tokens[0]).ask::<Value>(Method::PUT, "/api/v2/clock", None::<&()>);
    let corrected = corrected.expect("it is corrected");
    assert!(
        corrected["time"].as_u64().expect("a time") < 4_000_000_000,
        "{corrected}"
    );
    assert!(may(&by(&short), me), "it is valid again");
    restart_server(&served);
    until("it stays so", || may(&by(&short), me));
    assert!(!home.good(&["clock"]).contains("2106"));
    // Who it was is in the log, with his rights.
    let printed = home.good(&["audit", "--json"]);
    let with_outcome = |outcome: &str| {
        let mut acts = printed
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let act = acts.find(|act| act["act"] == "PUT /api/v2/clock" && act["outcome"] == outcome);
        act.unwrap_or_else(|| panic!("{outcome}: {printed}"))
    };
    let refused = with_outcome("role-too-low");
    assert_eq!(
        (&refused["who"], &refused["role"]),
        (&json!("watch"), &json!("watch"))
    );
    let act = with_outcome("200");
    assert_eq!(
        (&act["role"], act["token"].is_u64()),
        (&json!("operate"), true),
        "{act}"
    );
    let output = home.good(&["audit"]);
    assert!(
        output.contains(", operate)  127.0.0.1  PUT /api/v2/clock"),
        "{output}"
    );
}
