//! Rules about the sources, checked by reading them. Each failure says what to do instead.

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
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
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
        .flat_map(|text| sources(text, ".rs"))
        // Generated code has a style of its own.
        .filter(|path| !path.iter().any(|item| item == "made"))
        .collect()
}

/// What each crate may import: first the crates of the workspace, then others.
const ROOMS: &[(&str, &[&str])] = &[
    // What every room that prints or logs texts from outside uses.
    ("printable", &["strsim"]),
    ("cycle", &["libm"]),
    ("wire", &["crc"]),
    // Rigid bodies; it knows neither robots nor their files.
    ("physics", &["kinematics", "libm"]),
    ("board", &["wire", "embedded-hal"]),
    (
        "drivers",
        // `board` is the reference board, which can run as a process.
        &[
            "printable",
            "cycle",
            "wire",
            "board",
            // The simulated body has weight.
            "kinematics",
            "physics",
            "fastrand",
            "gpiocdev",
            "gpiocdev-uapi",
            "libm",
            "rmp",
            "rtrb",
            "rustix",
            "spidev",
        ],
    ),
    ("sensors", &["cycle", "memmap2"]),
    // Used by both ends of the socket and of the API: the loop, the server and their clients.
    (
        "protocol",
        &[
            "cycle",
            "rustix",
            "serde",
            "serde_json",
            "serde_path_to_error",
            "utoipa",
        ],
    ),
    (
        "guests",
        &[
            "printable",
            "tracing",
            "cycle",
            "sensors",
            "anyhow",
            "bytes",
            // For the name of a function that trapped.
            "cpp_demangle",
            "rustc-demangle",
            "rtrb",
            "rustix",
            "serde",
            "sha2",
            // For the type of a stream to which a score prints.
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
    // The description of a robot; it knows neither guests nor the loop.
    (
        "description",
        &[
            "printable",
            "cycle",
            "drivers",
            // A description becomes the rigid bodies of a simulation.
            "kinematics",
            "libm",
            "physics",
            "sensors",
            "wire",
            "mesh-loader",
            "parry3d-f64",
            "roxmltree",
            "serde_json",
            "toml",
            "toml_edit",
        ],
    ),
    ("scripting", &["cycle", "memmap2"]),
    (
        "robot",
        &[
            "printable",
            "logging",
            "tracing",
            "cycle",
            "drivers",
            // `board` is the reference board, run as a process.
            "board",
            "wire",
            "physics",
            "description",
            "guests",
            "motion-files",
            "scripting",
            "sensors",
            "protocol",
            "hdrhistogram",
            "rtrb",
            "rustix",
            "serde",
            "serde_json",
            "thread-priority",
        ],
    ),
    // Bytes of files become motions, and motions bytes; it knows neither robots nor guests, and opens no file.
    (
        "motion-files",
        &[
            "printable",
            "mcap",
            "regex-lite",
            "roxmltree",
            "saphyr-parser",
            "serde",
            "serde_json",
            "toml",
        ],
    ),
    // The folder of recordings: the loop's recorder writes it, the server lists it.
    ("archive", &["binrw", "mcap"]),
    // What is logged, from every room that may log; it knows only how an entry looks.
    (
        "logging",
        &[
            "printable",
            "archive",
            "protocol",
            "rustix",
            "serde_json",
            "tracing",
            "tracing-core",
            "tracing-subscriber",
        ],
    ),
    // `recording` and `check` do not know each other, and the loop knows neither: it has traits that they implement.
    (
        "recording",
        &[
            "tracing",
            "archive",
            "cycle",
            "description",
            "guests",
            "robot",
            "sensors",
            "protocol",
            "crc32fast",
            "mcap",
            "prost",
            "prost-types",
            "rtrb",
            // The room on the disk.
            "rustix",
        ],
    ),
    (
        "check",
        &[
            "cycle",
            "description",
            // The simulated body, whose falls are judged.
            "drivers",
            "kinematics",
            "physics",
            "guests",
            "robot",
            "scripting",
            "parry3d-f64",
            // The processor's time that a check has had.
            "rustix",
            "serde",
            "serde_json",
        ],
    ),
    // Used by both ends of the network: the server and its clients.
    (
        "network",
        &[
            "protocol",
            "bytes",
            "futures-util",
            "http-body-util",
            // The head of a request at Foxglove's door, whose bytes are passed on as they came.
            "httparse",
            "hyper",
            "hyper-util",
            "mdns-sd",
            "ring",
            "rustls",
            "serde",
            "serde_json",
            "sha2",
            "spake2",
            "tokio",
            "tokio-rustls",
            "tokio-tungstenite",
            "toml",
        ],
    ),
    (
        "viewers",
        &[
            "network",
            "cycle",
            "sensors",
            "protocol",
            "foxglove",
            "serde_json",
            "tokio",
        ],
    ),
    // It knows the loop by the socket and the page: neither wasm, nor boards, nor the inside of a turn.
    (
        "daemon",
        &[
            "printable",
            "logging",
            "tracing",
            "network",
            "archive",
            "cycle",
            "sensors",
            "protocol",
            "axum",
            "bytes",
            "flate2",
            "futures-util",
            "http-body-util",
            // The head of a request at Foxglove's door, whose bytes are passed on as they came.
            "httparse",
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
    // It draws values, and knows no robot.
    ("pictures", &["anyhow", "epaint_default_fonts", "resvg"]),
    // It uses `guests` only to compile choreographies and to make components, and `drivers` only for the events of a
    // simulated body.
    (
        "dcm-run",
        &[
            "printable",
            "logging",
            "tracing",
            "network",
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
            "protocol",
            "viewers",
            "wire",
            "motion-files",
            // For the tables of the SDK in Rust.
            "kinematics",
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
            "serde",
            "serde_json",
            "signal-hook",
            "toml",
            "pictures",
        ],
    ),
    // Features only: see its manifest.
    (
        "workspace-hack",
        &[
            "arbitrary",
            "bytemuck",
            "clap",
            "digest",
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
            "regex-automata",
            "regex-syntax",
            "serde_core",
            "smallvec",
            "tokio",
            "tracing",
            "tracing-core",
            "tracing-subscriber",
            "typenum",
        ],
    ),
    // Outside the workspace: it needs a nightly compiler.
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
        let allowed = ROOMS.iter().find(|room| room.0 == name);
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

/// What a turn calls does not log: its events leave by a ring, and its guests' lines, too. What logs is a part that a
/// filter can name.
#[test]
fn nothing_that_a_turn_calls_logs() {
    let mut parts = Vec::new();
    for (room, uses) in ROOMS {
        if uses.contains(&"tracing") {
            parts.push(room.replace('-', "_"));
        }
    }
    parts.retain(|part| part != "workspace_hack");
    parts.sort();
    assert_eq!(parts, logging::PARTS, "logging/src/filter.rs");
    let silent = [
        "cycle",
        "wire",
        "board",
        "sensors",
        "drivers",
        "guests/src/shared",
        "guests/src/host",
    ];
    let silent = silent
        .into_iter()
        .chain(["guests/src/turn", "robot/src/live"]);
    for path in silent.flat_map(|item| sources(&format!("runtime/{item}"), ".rs")) {
        // Called by the thread that reads the ring.
        let is_reader = path.ends_with("live/event_trace.rs");
        let logs = read(&path).contains("tracing::");
        assert!(is_reader || !logs, "{} logs", path.display());
    }
}

/// The table of `runtime/README.md` shows where each room stands; `ROOMS` has what it imports.
#[test]
fn rooms_import_only_what_stands_below_them_in_the_table() {
    let table = read(&Path::new(ROOT).join("runtime/README.md"));
    let rows = table.lines().filter_map(|line| {
        let (_, cell) = line.strip_prefix("| ")?.split_once("| ")?;
        let name = cell.trim_start_matches('[').strip_prefix('`')?;
        name.split('`').next()
    });
    let rows: Vec<&str> = rows.collect();
    let place = |room: &str| rows.iter().position(|row| *row == room);
    let hidden = ["workspace-hack", "wire-fuzz"];
    for (room, uses) in ROOMS.iter().filter(|room| !hidden.contains(&room.0)) {
        let own = place(room)
            .unwrap_or_else(|| panic!("{room} is not in the table of runtime/README.md"));
        for used in uses.iter().filter_map(|usage| Some((usage, place(usage)?))) {
            assert!(
                used.1 > own,
                "{room} imports {}, which stands above it in runtime/README.md",
                used.0
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

/// The mechanical part of "Names and words" in CONTRIBUTING.md.
#[test]
fn names_say_what_they_hold() {
    // Spelled with a placeholder, so that this file does not find itself.
    let bindings = [
        "|_|",
        "|&_|",
        "|mut _|",
        "|_: ",
        "let _ = ",
        "let _: ",
        "let mut _ ",
        "for _ in ",
        "Some(_)",
        "Ok(_)",
    ];
    let bindings = bindings.map(|binding| binding.replace('_', "it"));
    let announced = ["The", " law"].concat();
    let mut found = Vec::new();
    for path in rust() {
        for (place, line) in read(&path).lines().enumerate() {
            // Of a comment, only a closure in an example is code.
            let code = if line.contains('|') {
                line
            } else {
                line.split("//").next().unwrap_or("")
            };
            if line.contains(&announced) || bindings.iter().any(|binding| code.contains(binding)) {
                found.push(format!("{}:{}: {}", path.display(), place + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "use a name for what the value is; see CONTRIBUTING.md:\n{}",
        found.join("\n")
    );
}

#[test]
fn files_and_lines_stay_short() {
    let mut long = Vec::new();
    for path in rust() {
        let text = read(&path);
        let inside = path.strip_prefix(ROOT).expect("below the root");
        let is_test = inside.iter().any(|item| item == "tests") || path.ends_with("tests.rs");
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

/// Archives, and checkouts on some file systems, turn links into plain files.
#[test]
fn no_file_is_a_link() {
    let all = sources("", "");
    assert!(all.len() > 1000, "only {} files", all.len());
    let links = all.iter().filter(|item| item.is_symlink());
    let links: Vec<_> = links.collect();
    assert!(
        links.is_empty(),
        "links: {links:?}; fix: another way to share a file"
    );
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

/// A test program contains most of the runtime, so that linking it takes long: there are few.
#[test]
fn test_programs_are_few() {
    let mut programs = Vec::new();
    for manifest in ["runtime", "guest-sdk", "tests"]
        .iter()
        .flat_map(|text| sources(text, "Cargo.toml"))
    {
        let folder = manifest.parent().expect("a folder").join("tests");
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            let is_program = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").is_file();
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

/// Tests that documents name by their files exist.
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
        for file in quoted.filter(|text| text.ends_with(".rs") && text.contains("tests/")) {
            let file = file.trim_start_matches('/');
            let mut all: Vec<_> = roots(&path).map(|root| root.join(file)).to_vec();
            // A crate's own tests are beside its `src`.
            all.extend(path.ancestors().map(|folder| folder.join(file)));
            assert!(
                all.iter().any(|path| path.is_file()),
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

/// The endings of source files, and those of a folder's names, by which a path is known in a document.
const SOURCE_ENDINGS: [&str; 8] = [
    ".rs",
    ".wat",
    ".wit",
    ".proto",
    ".py",
    ".sh",
    "/",
    "/Cargo.toml",
];

/// The paths of sources in a document's paragraph: what is in backticks and looks like a file or folder.
fn source_paths(paragraph: &str) -> impl Iterator<Item = &str> {
    let quoted = paragraph.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        let is_path =
            SOURCE_ENDINGS.iter().any(|end| text.ends_with(end)) || text.contains("/src/");
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-".contains(c);
        // `/api/v2` is an address; `VERB.rs` stands for a name; `sdk/` is in the projects that `dcm-run new` makes.
        let is_name = text.replace("Cargo.toml", "").chars().all(is_plain);
        is_path
            && is_name
            && *text != "sdk/"
            && (text.starts_with("../") || !text.starts_with(['/', '.', '-']))
    })
}

/// Sources that documents name are there. A name without its folder is in the crate whose file was named before it, or
/// in the document's own crate.
#[test]
fn sources_that_documents_name_are_there() {
    let root = Path::new(ROOT);
    let (mut seen, mut missing) = (0, Vec::new());
    // The changelog names files as they were.
    for document in sources("", ".md")
        .into_iter()
        .filter(|source| !source.ends_with("CHANGELOG.md"))
    {
        let text = read(&document);
        let folder = document.parent().expect("a folder");
        let all_in = |path: &Path| sources(path.to_str().expect("UTF-8"), "");
        let own = folder.join("Cargo.toml").is_file().then(|| all_in(folder));
        let own = own.unwrap_or_default();
        let mut crate_named = folder.to_owned();
        for paragraph in text.split("\n\n").filter(|part| !part.contains("```")) {
            for path in source_paths(paragraph) {
                seen += 1;
                let bases = [folder.to_owned(), root.to_owned(), root.join("runtime")];
                let found = bases
                    .iter()
                    .map(|base| base.join(path))
                    .find(|path| path.exists());
                let room = found.as_ref().and_then(|item| {
                    let text = item.to_str()?;
                    text.split_once("/src")
                        .or_else(|| text.split_once("/tests/"))
                });
                if let Some((room, _)) = room {
                    crate_named = room.into();
                }
                let is_named =
                    |item: &PathBuf| item.ancestors().any(|folder| folder.ends_with(path));
                if found.is_none()
                    && !own.iter().any(is_named)
                    && !all_in(&crate_named).iter().any(is_named)
                {
                    missing.push(format!("{}: there is no `{path}`", document.display()));
                }
            }
        }
    }
    assert!(
        missing.is_empty(),
        "mend the documents:\n{}",
        missing.join("\n")
    );
    assert!(seen > 150, "only {seen} paths were found");
}

/// Types that the READMEs of the runtime name are in the sources.
#[test]
fn types_that_documents_name_are_there() {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut code: String = rust().iter().map(|rust| read(rust)).collect();
    // The client for Python has types, and names those of the language.
    code.extend(sources("runtime", ".py").iter().map(|source| read(source)));
    let known: std::collections::HashSet<_> = code.split(|value| !is_word(value)).collect();
    let (mut seen, mut missing) = (0, Vec::new());
    for document in sources("runtime", "README.md") {
        let text = read(&document);
        for paragraph in text.split("\n\n").filter(|part| !part.contains("```")) {
            let quoted = paragraph.split('`').skip(1).step_by(2);
            let words = quoted.flat_map(|text| text.split(|value| !is_word(value)));
            for word in words.filter(|word| is_type_name(word)) {
                seen += 1;
                if !known.contains(word) {
                    missing.push(format!("{}: there is no `{word}`", document.display()));
                }
            }
        }
    }
    assert!(
        missing.is_empty(),
        "mend the documents:\n{}",
        missing.join("\n")
    );
    assert!(seen > 30, "only {seen} types were found");
}

/// Whether this is written like `LoopRequest`: at least two capitals, each followed by a small letter.
fn is_type_name(word: &str) -> bool {
    let letters: Vec<_> = word.chars().collect();
    let humps = letters
        .windows(2)
        .filter(|pair| pair[0].is_uppercase() && pair[1].is_lowercase());
    word.starts_with(char::is_uppercase) && humps.count() > 1 && !word.contains('_')
}
