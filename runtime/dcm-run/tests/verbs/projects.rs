//! `new` and `build`, as authors meet them: the templates inside the program, and languages whose tools are shell
//! scripts, so that any tool can be missing, too old or broken.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tests::process::{Home, text};
use tests::rig::full_names;

use super::guests::nod;
use crate::common::home;
use crate::project::project;

/// The paths of all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let each = paths.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    each.collect()
}

/// A tool: a shell script in the folder `tools`.
fn tool(home: &Home, name: &str, script: &str) {
    let tools = home.path("tools");
    fs::create_dir_all(&tools).expect("a folder");
    let path = tools.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a file");
}

/// Runs a verb that finds the tools of `tools`.
fn with_tools(home: &Home, args: &[&str]) -> Output {
    let tools = home.path("tools").display().to_string();
    let mut command: Command = home.command(args);
    command.env("PATH", format!("{tools}:/usr/bin:/bin"));
    command.output().expect("the binary runs")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A language that needs a compiler, which copies, and a linker, which does nothing.
const COPIES: &str = r#"
name = "Made up"
worlds = ["motion"]
[[tool]]
name = "compiler"
any-of = ["mucc-9", "mucc"]
at-least = "2.1"
install = ["apt-get install mucc     (Debian)", "https://example.org/mucc"]
[[tool]]
name = "linker"
any-of = ["mulink"]
probe = ["targets"]
contains = "wasm32"
lacks = "target wasm32"
install = ["apt-get install mulink"]
[build]
sources = ["src/**"]
environment = { MODE = "{world}" }
steps = [["{compiler}", "{files:src/*.wat}", "{out}"], ["{linker}", "{out}"]]
"#;

#[test]
fn every_template_becomes_a_project_that_stands_alone() {
    let home = home();
    let list = home.good(&["new", "--list", "--json"]);
    let languages: Vec<Value> = list
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(
        languages
            .iter()
            .any(|language| language["language"] == "rust")
    );
    for item in &languages {
        let language = item["language"].as_str().expect("a name");
        for world in item["worlds"].as_array().expect("worlds") {
            let world = world.as_str().expect("a name");
            let name = format!("{language}-two-{world}s");
            let folder = home.path(&name);
            let words = [
                "new",
                &shown(&folder),
                "--lang",
                language,
                &format!("--{world}"),
            ];
            let output = home.good(&words);
            assert!(output.contains(&format!("a {world} in ")), "{output}");
            assert!(output.contains("\n  dcm-run build "), "{output}");
            for path in files(&folder) {
                let inside = path
                    .strip_prefix(&folder)
                    .expect("inside")
                    .display()
                    .to_string();
                let bytes = fs::read(&path).expect("a file");
                let text = text(&bytes);
                for mark in ["{{name}}", "{{Name}}", "{{snake}}"] {
                    assert!(
                        !inside.contains(mark) && !text.contains(mark),
                        "{inside}: {mark}"
                    );
                }
            }
            let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
            assert!(readme.contains(&name), "{readme}");
        }
    }
}

/// Built for a robot by `tests/languages/run`, which has the compiler; here is what needs none.
#[test]
fn the_sdk_in_a_project_in_rust_is_that_of_the_repository() {
    let home = home();
    home.good(&["new", &shown(&home.path("nod")), "--lang", "rust"]);
    let read = |path: &Path| -> toml::Table {
        let text = fs::read_to_string(path).expect("a manifest");
        text.parse().expect("TOML")
    };
    let sdk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guest-sdk/rust");
    let (here, there) = (
        read(&sdk.join("Cargo.toml")),
        read(&home.path("nod/sdk/Cargo.toml")),
    );
    assert_eq!(here["features"], there["features"]);
    let workspace = read(&sdk.join("../../Cargo.toml"));
    let needs = |table: &toml::Table| table["dependencies"].as_table().expect("a table").clone();
    let crates: Vec<_> = needs(&here).into_iter().map(|need| need.0).collect();
    assert_eq!(
        crates,
        needs(&there)
            .into_iter()
            .map(|need| need.0)
            .collect::<Vec<_>>()
    );
    let parts = read(&home.path("nod/sdk/kinematics/Cargo.toml"));
    let inside = read(&sdk.join("kinematics/Cargo.toml"));
    assert!(needs(&parts).keys().eq(needs(&inside).keys()));
    for name in &crates {
        let mut shared = workspace["workspace"]["dependencies"][name].clone();
        // What comes along is in the SDK's folder here and there.
        if let Some(path) = shared.get_mut("path") {
            let inside = path
                .as_str()
                .and_then(|text| text.strip_prefix("guest-sdk/rust/"));
            *path = inside.expect("a part of the SDK").into();
        }
        assert_eq!(shared, there["dependencies"][name]);
        if let Some(part) = parts["dependencies"].get(name) {
            assert_eq!(shared, *part);
        }
    }
    let sources = [sdk.join("src"), sdk.join("kinematics/src")];
    for path in sources.iter().flat_map(|source| files(source)) {
        let inside = path.strip_prefix(&sdk).expect("inside");
        let copy = fs::read(home.path("nod/sdk").join(inside)).expect("a copy");
        assert!(
            copy == fs::read(&path).expect("a file"),
            "{}",
            inside.display()
        );
    }
    let cargo = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--no-deps", "--format-version=1"])
        .current_dir(home.path("nod"))
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", text(&cargo.stderr));
    let output: Value = serde_json::from_slice(&cargo.stdout).expect("JSON");
    let packages = output["packages"].as_array().expect("packages").iter();
    let mut names: Vec<_> = packages.map(|package| package["name"].as_str()).collect();
    names.sort_unstable();
    let all = ["choreography", "kinematics", "nod"];
    assert_eq!(names, all.map(Some));
}

#[test]
fn a_new_project_is_refused_with_what_to_do() {
    let home = home();
    fs::create_dir(home.path("there")).expect("a folder");
    let there = shown(&home.path("there"));
    let free = |name: &str| shown(&home.path(name));
    let cases: [(&[&str], &str); 8] = [
        (
            &["new", &there, "--lang", "rust"],
            "there is already there; fix: another name",
        ),
        (
            &["new", &free("MyDance"), "--lang", "rust"],
            "as in `my-dance`",
        ),
        (
            &["new", &free("a"), "--lang", "rast"],
            "did you mean `rust`? the languages are ",
        ),
        (
            &["new", &free("a"), "--lang", "cobol"],
            "fix: the languages are ",
        ),
        (
            &["new", &free("a")],
            "no language given; fix: --lang LANGUAGE, one of ",
        ),
        (
            &["new", &free("core"), "--lang", "rust"],
            "`core` means something else in Rust",
        ),
        (
            &["new", "..", "--lang", "rust"],
            "cannot be the name of a choreography",
        ),
        (
            &["new", "/proc/nod", "--lang", "rust"],
            "`/proc/nod` cannot be written: ",
        ),
    ];
    for (words, sentence) in cases {
        let output = home.bad(1, words);
        assert!(output.contains(sentence), "{words:?}: {output}");
    }
    assert!(!home.path("a").exists() && !home.path("core").exists());
    home.bad(
        2,
        &["new", &free("a"), "--lang", "rust", "--score", "--motion"],
    );
}

#[test]
fn a_project_is_built_by_the_tools_of_its_language() {
    let home = home();
    // It prints on both outputs: what it prints is for people, what `build` prints may be for programs.
    let compiler = "[ \"$1\" = --version ] && echo 'mucc version 2.10 of today' && exit\n\
                    echo \"compiling as $MODE\"; echo 'a warning' >&2; cp \"$1\" \"$2\"";
    tool(&home, "mucc", compiler);
    tool(&home, "mulink", "echo wasm32 wasm64");
    let folder = project(&home, "bow", COPIES, &nod(0.3, 50));
    let output = with_tools(&home, &["build", &shown(&folder)]);
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{told}");
    assert!(
        told.contains("compiling as motion") && told.contains("a warning"),
        "{told}"
    );
    let made = folder.join("bow.wasm");
    assert!(said.starts_with(&format!("{}\n", shown(&made))), "{said}");
    assert!(
        said.contains("\nbow, Nods.\nhooks: start, pre-process, is-alive\nuses "),
        "{said}"
    );
    assert!(
        said.contains(", built in 0.") && !said.contains("warning"),
        "{said}"
    );
    let ran = home.good(&[
        "run",
        &shown(&made),
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
    ]);
    assert!(ran.contains("bow  finished; 50 commands"), "{ran}");
    assert!(ran.contains(" of 50,000 "), "the manifest's fuel: {ran}");

    // From a folder inside it, with another manifest, for a program.
    let manifest = home.file("other.toml", "name = \"curtsey\"\nfuel = 60_000\n");
    let mut command = home.command(&[
        "build",
        "--json",
        "--manifest",
        &shown(&manifest),
        "-o",
        "it.wasm",
    ]);
    command.current_dir(folder.join("src"));
    command.env(
        "PATH",
        format!("{}:/usr/bin:/bin", shown(&home.path("tools"))),
    );
    let output = command.output().expect("the binary runs");
    let output: Value = serde_json::from_slice(&output.stdout).expect("JSON alone");
    assert_eq!(
        output["hooks"],
        serde_json::json!(["start", "pre-process", "is-alive"])
    );
    assert_eq!(
        (&output["file"], &output["world"]),
        (&"it.wasm".into(), &"motion".into())
    );
    let made = shown(&folder.join("src/it.wasm"));
    let ran = home.good(&[
        "run",
        &made,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
    ]);
    assert!(
        ran.contains("curtsey  finished") && ran.contains(" of 60,000 "),
        "{ran}"
    );
}

#[test]
fn all_tools_that_are_missing_are_told_at_once_with_what_installs_them() {
    let home = home();
    let folder = shown(&project(&home, "bow", COPIES, &nod(0.3, 50)));
    let build = || {
        let output = with_tools(&home, &["build", &folder]);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let said = build();
    let expected = "dcm-run: Made up needs tools that are not here:\n\
                    \x20 compiler 2.1 or later: there is none of mucc-9, mucc\n\
                    \x20 linker: there is no command `mulink`\n\
                    fix: install what is missing\n\
                    \x20 apt-get install mucc     (Debian)\n\
                    \x20 or: https://example.org/mucc\n\
                    \x20 apt-get install mulink\n";
    assert_eq!(said, expected);
    // Too old, and without what is needed. The one that comes closest is told of.
    tool(&home, "mucc", "echo 'mucc version 2.0.9'");
    tool(&home, "mulink", "echo x86_64");
    let said = build();
    assert!(
        said.contains("compiler 2.1 or later: ") && said.contains("tools/mucc is 2.0.9\n"),
        "{said}"
    );
    assert!(
        said.contains("tools/mulink has no target wasm32\n"),
        "{said}"
    );
    // A newer one under another name is taken.
    tool(&home, "mucc-9", "echo 'mucc version 9.0'");
    let said = build();
    assert!(
        said.contains("needs a tool that is not here") && !said.contains("mucc"),
        "{said}"
    );
    tool(&home, "mucc-9", "echo none");
    let said = build();
    assert!(
        said.contains("tools/mucc is 2.0.9"),
        "a number is closer than none: {said}"
    );
}

#[test]
fn another_way_is_taken_where_a_tool_is_missing() {
    let home = home();
    let other = "[[otherwise]]\nwithout = \"linker\"\nsteps = [[\"{cat}\", \"src/it.wat\", \"{out}\"]]\n\
                 [[otherwise.tool]]\nname = \"cat\"\nany-of = [\"catter\"]\n\
                 search = { run = [\"where\"], then = \"beside\" }\n";
    tool(&home, "mucc", "echo 'mucc 3.0'");
    let folder = project(&home, "bow", &format!("{COPIES}{other}"), &nod(0.3, 50));
    let printed = text(&with_tools(&home, &["build", &shown(&folder)]).stderr);
    assert!(
        printed.contains("mulink") && !printed.contains("catter"),
        "the usual way is told of: {printed}"
    );
    let tools = shown(&home.path("tools"));
    tool(&home, "where", &format!("echo {tools}"));
    tool(&home, "catter", "cp \"$1\" \"$2\"");
    fs::create_dir(home.path("tools/beside")).expect("a folder");
    fs::rename(home.path("tools/catter"), home.path("tools/beside/catter")).expect("moved");
    let output = with_tools(&home, &["build", &shown(&folder)]);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn what_is_wrong_with_a_project_is_told_with_what_to_do() {
    let home = home();
    let plain =
        "name = \"Text\"\nworlds = [\"motion\"]\n[build]\nsources = []\nmodule = \"src/it.wat\"\n";
    let failing = "name = \"Text\"\nworlds = [\"motion\"]\n[build]\nsources = []\n\
                   steps = [[\"sh\", \"-c\", \"echo src/it.mu:3: no such joint >&2; exit 7\"]]\n";
    let silent = failing.replace("exit 7", "exit 0");
    let unknown = plain.replace("sources", "source");
    let misspelt = plain.replace("src/it.wat", "{outt}");
    let runs = r#"(module (func (export "run")))"#;
    let far = r#"(module (import "dcm" "fly" (func)) (func (export "start")))"#;
    let newer = r#"(module (import "dcm:choreography/clock@9.0.0" "now" (func (result i64)))
                   (func (export "start")))"#;
    let good = nod(0.3, 50);
    let cases: [(&str, &str, &str, &str); 8] = [
        (
            "failing",
            failing,
            &good,
            "sh failed (exit code 7); its messages are above",
        ),
        ("silent", &silent, &good, "did not write "),
        ("unknown", &unknown, &good, "unknown field `source`"),
        (
            "misspelt",
            &misspelt,
            &good,
            "unknown placeholder `{outt}`; there are ",
        ),
        (
            "runs",
            plain,
            runs,
            "it exports run, and so is a score; fix: `world = \"score\"`",
        ),
        ("far", plain, far, "fly"),
        ("newer", plain, newer, "clock@9.0.0"),
        ("broken", plain, "(module (func", "it.wat: "),
    ];
    for (name, language, source, sentence) in cases {
        let folder = project(&home, name, language, source);
        let output = home.run(&["build", &shown(&folder)]);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {printed}");
        assert!(printed.contains(sentence), "{name}: {printed}");
        assert!(!folder.join(format!("{name}.wasm")).exists(), "{name}");
        if name == "failing" {
            assert!(
                printed.starts_with("src/it.mu:3: no such joint\n"),
                "as it is: {printed}"
            );
        }
    }
    let folder = project(&home, "bow", plain, &nod(0.3, 50));
    let file = |text: &str| fs::write(folder.join("choreography.toml"), text).expect("a file");
    let whole = "name = \"bow\"\nlanguage = \"made-up\"\nworld = \"motion\"\n";
    let cases = [
        (
            whole.replace("motion", "dance"),
            "`world` is \"motion\" or \"score\", not \"dance\"",
        ),
        (
            whole.replace("bow", "../bow"),
            "`../bow` cannot be the name of a choreography",
        ),
        (
            whole.replace("language", "langage"),
            "unknown field `langage`, expected one of",
        ),
        (
            format!("{whole}[manifest]\nfeul = 3\n"),
            "the manifest is invalid: unknown field `feul`",
        ),
        (
            format!("{whole}[manifest]\nweight = 3000\n"),
            "a weight lies between 0 and 1,000",
        ),
    ];
    for (text, sentence) in cases {
        file(&text);
        let output = home.bad(1, &["build", &shown(&folder)]);
        assert!(
            output.contains("choreography.toml") && output.contains(sentence),
            "{output}"
        );
    }
    fs::remove_file(folder.join("language.toml")).expect("a file");
    file(whole);
    let printed = home.bad(1, &["build", &shown(&folder)]);
    assert!(
        printed.contains("there is no SDK for `made-up`; fix: "),
        "{printed}"
    );
    let bare = home.path("bare");
    fs::create_dir(&bare).expect("a folder");
    let output = home.bad(1, &["build", &shown(&bare)]);
    assert!(
        output.contains("has no choreography.toml") && output.contains("`dcm-run new NAME"),
        "{output}"
    );
}

#[test]
fn text_form_is_checked_and_played_as_it_is_built() {
    let home = home();
    let source = home.file("nod.wat", full_names(&nod(0.2, 60)));
    let source = shown(&source);
    let said = home.good(&["check", &source, "--robot", "nao"]);
    assert!(said.starts_with("passes: nod on nao"), "{said}");
    let printed = home.good(&[
        "run",
        &source,
        "--robot",
        "nao",
        "--sim",
        "--fast",
        "--no-check",
    ]);
    assert!(printed.contains("nod  finished; 60 commands"), "{printed}");
    let broken = shown(&home.file(
        "broken.wat",
        "(module (func (export \"start\") (i32.const 1)))",
    ));
    let output = home.bad(1, &["check", &broken, "--robot", "nao"]);
    assert!(output.contains("broken.wat: "), "{output}");
}

/// As the examples of the repository are.
#[test]
fn a_project_without_an_sdk_gets_that_of_its_language() {
    let home = home();
    let folder = home.path("wave");
    fs::create_dir_all(&folder).expect("a folder");
    let lines = "name = \"wave\"\nlanguage = \"c\"\nworld = \"motion\"\n";
    fs::write(folder.join("choreography.toml"), lines).expect("a file");
    let build = || {
        let mut command = home.command(&["build", &shown(&folder)]);
        // No compiler is found: what is looked at here comes before it.
        let output = command.env("PATH", home.path("none")).output();
        text(&output.expect("the binary runs").stderr)
    };
    let said = build();
    assert!(
        said.contains("sdk was missing: the SDK is there now\n"),
        "{said}"
    );
    let header = fs::read_to_string(folder.join("sdk/choreography.h")).expect("the SDK");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guest-sdk/c/choreography.h");
    assert_eq!(header, fs::read_to_string(own).expect("the SDK"));
    // What is there by now is the author's.
    fs::remove_file(folder.join("sdk/choreography.h")).expect("a file");
    let said = build();
    assert!(!said.contains("was missing"), "{said}");
    assert!(!folder.join("sdk/choreography.h").exists());
}
