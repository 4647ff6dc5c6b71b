//! The house's rules, checked by reading its sources. Each failure says what to do instead.

use std::fs;
use std::path::{Path, PathBuf};

use crate::ROOT;

pub(crate) fn sources(under: &str, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join(under)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.map(|it| it.expect("a readable folder").path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rust() -> Vec<PathBuf> {
    ["runtime", "guest-sdk", "choreographies", "tests"]
        .iter()
        .flat_map(|it| sources(it, ".rs"))
        // What others' code writes is as it writes it.
        .filter(|path| !path.iter().any(|it| it == "made"))
        .collect()
}

/// What each room may import: its own rooms first, then anything from outside.
const ROOMS: &[(&str, &[&str])] = &[
    ("cycle", &["libm"]),
    ("wire", &["crc"]),
    ("board", &["wire", "embedded-hal"]),
    (
        "drivers",
        // `board` is the reference board, served as a process.
        &[
            "cycle",
            "wire",
            "board",
            "fastrand",
            "gpiocdev",
            "gpiocdev-uapi",
            "libm",
            "rmp",
            "rtrb",
            "rustix",
            "spidev",
            "strsim",
        ],
    ),
    ("sensors", &["cycle", "memmap2"]),
    // Both ends of the socket use it: the loop, and whoever talks to one.
    (
        "socket",
        &["cycle", "rustix", "serde", "serde_json", "utoipa"],
    ),
    (
        "guests",
        &[
            "cycle",
            "sensors",
            "anyhow",
            "bytes",
            "rtrb",
            "rustix",
            "serde",
            "sha2",
            "strsim",
            "thread-priority",
            // For the name of what a score prints to, as WASI has it.
            "tokio",
            "toml",
            "wasm-encoder",
            "wasmparser",
            "wasmtime",
            "wasmtime-wasi",
            "wat",
            "wit-component",
            "wit-parser",
        ],
    ),
    // What a robot is; neither guests nor the loop.
    (
        "description",
        &[
            "cycle",
            "drivers",
            "sensors",
            "wire",
            "mesh-loader",
            "parry3d-f64",
            "roxmltree",
            "serde_json",
            "strsim",
            "toml",
            "toml_edit",
        ],
    ),
    ("scripting", &["cycle"]),
    (
        "robot",
        &[
            "cycle",
            "drivers",
            // `board` is the reference board, run as a process.
            "board",
            "wire",
            "description",
            "guests",
            "scripting",
            "sensors",
            "socket",
            "hdrhistogram",
            "rtrb",
            "rustix",
            "serde",
            "serde_json",
            "thread-priority",
        ],
    ),
    // The folder of recordings: the loop's recorder writes it, the server lists it.
    ("archive", &[]),
    // Neither knows the other, and the loop knows neither: it tells a recording by traits of its own.
    (
        "recording",
        &[
            "archive",
            "cycle",
            "description",
            "guests",
            "robot",
            "sensors",
            "socket",
            "crc32fast",
            "mcap",
            "prost",
            "prost-types",
            "rtrb",
        ],
    ),
    (
        "check",
        &[
            "cycle",
            "description",
            "guests",
            "robot",
            "scripting",
            "parry3d-f64",
            "serde",
            "serde_json",
        ],
    ),
    // Both ends of the API use it: the server, and whoever asks one.
    (
        "api",
        &[
            "cycle",
            "socket",
            "bytes",
            "futures-util",
            "http-body-util",
            "hyper",
            "hyper-util",
            "mdns-sd",
            "ring",
            "rustls",
            "serde",
            "serde_json",
            "sha2",
            "tokio",
            "tokio-rustls",
            "tokio-tungstenite",
            "toml",
            "utoipa",
        ],
    ),
    (
        "viewers",
        &[
            "api",
            "cycle",
            "sensors",
            "socket",
            "foxglove",
            "serde_json",
            "tokio",
        ],
    ),
    // It meets the loop on the socket and the page: neither wasm, nor boards, nor the inside of a turn.
    (
        "daemon",
        &[
            "api",
            "archive",
            "cycle",
            "sensors",
            "socket",
            "axum",
            "bytes",
            "futures-util",
            "http-body-util",
            "hyper",
            "hyper-util",
            "mdns-sd",
            "rcgen",
            "ring",
            "rustix",
            "rustls",
            "serde",
            "serde_json",
            "sha2",
            "tokio",
            "tokio-rustls",
            "toml",
            "tower",
            "utoipa",
            "utoipa-axum",
            "viewers",
        ],
    ),
    // It draws what it is given, and knows no robot.
    ("pictures", &["anyhow", "epaint_default_fonts", "resvg"]),
    // Floor 4 sees guests only to compile them and to make components.
    // Floor 4 sees the boards only to name what happens to a simulated body.
    (
        "dcm-run",
        &[
            "api",
            "archive",
            "bytes",
            "cycle",
            "daemon",
            "drivers",
            "hyper",
            "indicatif",
            "sd-notify",
            "check",
            "description",
            "guests",
            "recording",
            "robot",
            "scripting",
            "sensors",
            "socket",
            "viewers",
            "wire",
            "workspace-hack",
            "anstream",
            "anstyle",
            "anyhow",
            "clap",
            "clap_complete",
            "clap_mangen",
            "annotate-snippets",
            "ratatui",
            "rustix",
            "serde_json",
            "signal-hook",
            "toml",
            "pictures",
        ],
    ),
    // Of features alone: see its manifest.
    (
        "workspace-hack",
        &[
            "arbitrary",
            "bytemuck",
            "clap",
            "fastrand",
            "form_urlencoded",
            "futures-core",
            "futures-sink",
            "futures-util",
            "idna",
            "log",
            "num-complex",
            "percent-encoding",
            "rand",
            "serde_core",
            "smallvec",
            "tokio",
            "tracing",
            "tracing-core",
            "typenum",
        ],
    ),
    // Outside the workspace: it needs a nightly compiler to be of use.
    ("wire-fuzz", &["wire", "libfuzzer-sys"]),
];

#[test]
fn every_room_imports_only_what_its_floor_allows() {
    for manifest in sources("runtime", "Cargo.toml") {
        let table: toml::Table = read(&manifest).parse().expect("a manifest");
        let name = table["package"]["name"]
            .as_str()
            .expect("a name")
            .to_owned();
        let allowed = ROOMS.iter().find(|it| it.0 == name);
        let allowed = allowed
            .unwrap_or_else(|| panic!("{name} has no row in ROOMS: give it one"))
            .1;
        let empty = toml::Table::new();
        let dependencies = table
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .unwrap_or(&empty);
        for dependency in dependencies.keys() {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{name} imports {dependency}: imports point down; see \
                 runtime/README.md, or add it to ROOMS with a reason"
            );
        }
    }
}

#[test]
fn the_cycle_has_neither_std_nor_alloc_nor_unsafe() {
    let lib = read(&Path::new(ROOT).join("runtime/cycle/src/lib.rs"));
    assert!(lib.contains("\n#![no_std]\n") && lib.contains("\n#![forbid(unsafe_code)]\n"));
    for path in sources("runtime/cycle/src", ".rs") {
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let is_test = path.ends_with("tests.rs");
        for word in ["extern crate", "std::", "alloc::"] {
            let found = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .any(|line| line.contains(word));
            assert!(
                is_test || !found,
                "{}: `{word}` has no place in the cycle",
                path.display()
            );
        }
    }
}

/// The folders of `guests`, in the order of a guest's life: each imports only from those before it.
#[test]
fn folders_of_guests_import_only_what_comes_before() {
    const FOLDERS: [&str; 5] = ["shared", "host", "load", "turn", "manage"];
    for (place, folder) in FOLDERS.iter().enumerate() {
        for path in sources(&format!("runtime/guests/src/{folder}"), ".rs") {
            let text = read(&path);
            for later in &FOLDERS[place + 1..] {
                let found = text
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"))
                    .any(|line| line.contains(&format!("crate::{later}::")));
                assert!(
                    !found,
                    "{}: `{folder}` must not know `{later}`; see runtime/guests/README.md",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn every_file_says_what_it_is_in_its_first_line() {
    for path in rust() {
        let text = read(&path);
        assert!(
            text.starts_with("//! ") || text.starts_with("#![doc = include_str!("),
            "{}: begin with `//! ` and what this file is",
            path.display()
        );
    }
}

#[test]
fn files_and_lines_stay_short() {
    let mut long = Vec::new();
    for path in rust() {
        let text = read(&path);
        let inside = path.strip_prefix(ROOT).expect("below the root");
        let is_test = inside.iter().any(|it| it == "tests") || path.ends_with("tests.rs");
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let code = code.lines().count();
        if !is_test && code > 400 {
            long.push(format!(
                "{}: {code} lines; split it by thought",
                inside.display()
            ));
        }
        for (place, line) in text.lines().enumerate() {
            let width = line.chars().count();
            if width > 120 {
                long.push(format!(
                    "{}:{}: {width} columns",
                    inside.display(),
                    place + 1
                ));
            }
        }
    }
    assert!(long.is_empty(), "too long:\n{}", long.join("\n"));
}

#[test]
fn nothing_unfinished_is_left_behind() {
    // Spelled in two parts, so that this file does not find itself.
    let words = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("dbg", "!("),
        concat!("#[ig", "nore"),
    ];
    for path in rust() {
        let text = read(&path);
        for word in words {
            assert!(
                !text.contains(word),
                "{}: `{word}`: finish it, or say on the issue why not",
                path.display()
            );
        }
    }
}

#[test]
fn every_trace_has_a_script_and_a_table() {
    for entry in fs::read_dir(Path::new(ROOT).join("tests/traces")).expect("traces") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            for file in ["script.txt", "expected.txt"] {
                assert!(
                    path.join(file).is_file(),
                    "{} has no {file}",
                    path.display()
                );
            }
        }
    }
}

/// A test program links most of the house: there are few, and each says why it is one.
#[test]
fn test_programs_are_few() {
    let mut programs = Vec::new();
    for manifest in ["runtime", "guest-sdk", "tests"]
        .iter()
        .flat_map(|it| sources(it, "Cargo.toml"))
    {
        let folder = manifest.parent().expect("a folder").join("tests");
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.map(|it| it.expect("a readable folder").path()) {
            let is_program =
                path.extension().is_some_and(|it| it == "rs") || path.join("main.rs").is_file();
            programs.extend(is_program.then_some(path));
        }
    }
    let own: toml::Table = read(&Path::new(ROOT).join("tests/Cargo.toml"))
        .parse()
        .expect("a manifest");
    let own = own["test"].as_array().map_or(0, Vec::len);
    let all = programs.len() + own;
    assert!(
        all <= 20,
        "{all} test programs: let the new one be a module of another, as CONTRIBUTING.md says: {programs:#?}"
    );
}

/// Tests that documents name by their files are there.
#[test]
fn tests_that_documents_name_are_there() {
    let roots = |path: &Path| {
        let inside = path.parent().expect("a folder").to_owned();
        [
            inside,
            Path::new(ROOT).to_owned(),
            Path::new(ROOT).join("runtime"),
        ]
    };
    for path in sources("", ".md").into_iter().chain(rust()) {
        let text = read(&path);
        let quoted = text
            .lines()
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        for file in quoted.filter(|it| it.ends_with(".rs") && it.contains("tests/")) {
            let file = file.trim_start_matches('/');
            let mut all: Vec<_> = roots(&path).map(|it| it.join(file)).to_vec();
            // In a crate's source its own tests are beside `src`.
            all.extend(path.ancestors().map(|it| it.join(file)));
            assert!(
                all.iter().any(|it| it.is_file()),
                "{}: there is no test `{file}`",
                path.display()
            );
        }
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    for path in sources("", ".md") {
        let text = read(&path);
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let file = link.split('#').next().unwrap_or("");
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let target = path.parent().expect("a folder").join(file);
            assert!(
                target.exists(),
                "{}: the link to {link} leads nowhere",
                path.display()
            );
        }
    }
}
