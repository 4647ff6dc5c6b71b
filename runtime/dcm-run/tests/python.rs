//! Python and a real robot: the client with NAOqi's interface, installed as its README says, and recordings read by the
//! public `mcap` package. Needs Python with `venv`, and a package index to install from.

#[path = "python/boards.rs"]
mod boards;
mod common;
#[path = "python/install.rs"]
mod install;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::home;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tests::process::{text, until};
use tests::served::{BLINK, WAVE, serve};

const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../daemon/clients/python");
pub(crate) const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"\"\n";

/// A virtual environment with these packages.
pub(crate) fn python(folder: &Path, packages: &[&str]) -> PathBuf {
    let run = |words: &[&str]| {
        let output = Command::new(words[0])
            .args(&words[1..])
            .output()
            .expect("python3 is here");
        let printed = text(&output.stderr);
        assert!(
            output.status.success(),
            "{words:?}: {printed}; fix: apt-get install python3-venv python3-pip"
        );
    };
    let own = folder.join("python");
    run(&["python3", "-m", "venv", own.to_str().expect("a path")]);
    let python = own.join("bin/python3");
    let mut words = vec![
        python.to_str().expect("a path"),
        "-m",
        "pip",
        "install",
        "--quiet",
    ];
    words.push("--disable-pip-version-check");
    words.extend(packages);
    run(&words);
    python
}

pub(crate) fn good(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

#[test]
fn tab_completes_verbs_and_values_in_real_shells() {
    let home = home();
    let running = home.start("nao", &["--robot", "nao", "--sim"]);
    running.wait_for_state(cycle::State::Running);
    home.good(&["load", BLINK]);
    let bin = home.path("bin");
    fs::create_dir(&bin).expect("a folder");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_dcm-run"), bin.join("dcm-run")).expect("a link");
    let path = format!(
        "{}:{}",
        bin.display(),
        std::env::var("PATH").expect("a path")
    );
    for shell in ["bash", "zsh", "fish"] {
        let script = home.folder.path().join(shell);
        fs::write(&script, home.good(&["completions", shell])).expect("a file");
        let cases = [
            ("dcm-run wi", &["wire", "wit"][..]),
            ("dcm-run wire ", &["probe", "dump", "calibrate", "simulate"]),
            ("dcm-run config s", &["show", "set", "schema"]),
            ("dcm-run run --robot na", &["nao", "nao-v6"]),
            ("dcm-run set HeadY", &["HeadYaw"]),
            ("dcm-run pose goto stand", &["stand-ready"]),
            ("dcm-run stop bl", &["blink"]),
            ("dcm-run check --allow ba", &["balance"]),
        ];
        let tab = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/tab.py");
        let mut python = Command::new("python3");
        python
            .args([tab, shell, script.to_str().expect("a path")])
            .args(cases.map(|case| case.0))
            .env("PATH", &path)
            .env("DCM_RUN_DIR", home.path("run"))
            .env("DCM_RUN_CONFIG", home.path("config"));
        let output = good(&python.output().expect("python3 is here"));
        assert_eq!(output.lines().count(), cases.len(), "{shell}: {output}");
        for (line, (typed, shown)) in output.lines().zip(cases) {
            // Some shells print the whole line, some only what they add to it.
            let begun = typed.rsplit(' ').next().unwrap_or_default();
            let drawn = format!("{begun}{}", line.replacen(typed, "", 1)).replace(' ', "");
            for word in shown {
                assert!(
                    drawn.contains(word) || line.contains(word),
                    "{shell}: `{typed}` shows no {word}: {line}\nfix: apt-get install {shell}"
                );
            }
        }
    }
}

#[test]
fn scripts_in_the_way_of_naoqi_move_a_simulated_nao() {
    // A build must not write into the sources.
    let build = tempfile::tempdir().expect("a folder");
    let source = build.path().join("client");
    good(
        &Command::new("cp")
            .args(["-r", CLIENT])
            .arg(&source)
            .output()
            .expect("cp"),
    );
    let python = python(build.path(), &[source.to_str().expect("a path")]);
    let unit = Command::new(&python)
        .args(["-m", "unittest", "discover", "-s"])
        .arg(source.join("tests"))
        .env("DCM_RUN_PROGRAM", env!("CARGO_BIN_EXE_dcm-run"))
        .output()
        .expect("python");
    println!("{}", good(&unit) + &text(&unit.stderr));
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let script = |words: &[&str]| {
        let mut command = Command::new(&python);
        let run = home.path("run");
        command
            .args(words)
            .env("DCM_RUN_DIR", run)
            .output()
            .expect("python")
    };
    // The example, over the local socket, and over the network with a token.
    let example = source.join("examples/fast_get_set.py");
    let example = example.to_str().expect("a path");
    println!("{}", good(&script(&[example, "--seconds", "2"])));
    // The modules of NAOqi are installed with the client.
    let unchanged = "import qi\nfrom naoqi import ALProxy\n\
        angles = ALProxy('ALMotion', '127.0.0.1', 9559).getAngles('Body', True)\n\
        assert len(angles) == 26 and 'site-packages' in qi.__file__, (angles, qi.__file__)\n";
    good(&script(&["-c", unchanged]));
    home.good(&["take-over", "--give-back"]);
    let address = served.address();
    let (host, port) = address.split_once(':').expect("an address");
    let token = served.token("perform");
    let program = env!("CARGO_BIN_EXE_dcm-run");
    let far = format!(
        "from dcm_run import ALMemoryProxy, DCMProxy, RobotError\n\
         dcm = DCMProxy('{host}', {port}, token='{token}')\n\
         memory = ALMemoryProxy(robot=dcm.robot)\n\
         key = 'HeadYaw/Position/Actuator/Value'\n\
         sent = dcm.set([key, 'ClearAll', [[0.4, dcm.getTime(300)]]])\n\
         assert sent['commands'] == 1 and dcm.isRunning(sent)\n\
         assert dcm.wait(sent, 5000) is False and sent.wait() == 'arrived', sent.progress()\n\
         import time; time.sleep(0.5)\n\
         later = dcm.set([key, 'Merge', [[0.3, dcm.getTime(20000)]]])\n\
         assert dcm.wait(later, 100) is True and later.wait(0.1) is None\n\
         assert [command['ticket'] for command in dcm.robot.pending('HeadYaw')[0]['commands']] == [later['ticket']]\n\
         dcm.stop(later)\n\
         assert not dcm.isRunning(later) and later.wait() == 'cancelled' and dcm.robot.pending() == []\n\
         assert abs(memory.getData('HeadYaw/Position/Sensor/Value') - 0.4) < 0.02\n\
         memory.insertData('Game/Score', [7, 'points'])\n\
         assert memory.getListData(['Game/Score', 'HeadYaw'])[0] == [7, 'points'] and memory.getAge('Game/Score') < 5\n\
         class Ears:\n\
         \x20   def __init__(self): self.heard = []\n\
         \x20   def touched(self, *told): self.heard.append(told)\n\
         ears, other = Ears(), Ears()\n\
         memory.subscribeToEvent('FrontTactilTouched', 'ears', 'touched')\n\
         memory.subscribeToMicroEvent('Game/Over', other, 'mine', 'touched')\n\
         memory.subscribeToEvent('Game/Over', ears, 'touched')\n\
         import subprocess\n\
         give = ['{program}', 'sim', 'give', '--robot', 'nao', 'Head/Touch/Front']\n\
         def touch(value): subprocess.run([*give, value], check=True, stdout=subprocess.DEVNULL)\n\
         touch('1'); time.sleep(0.3); touch('0'); memory.raiseEvent('Game/Over', True)\n\
         until = time.monotonic() + 10\n\
         while len(ears.heard) < 3 or not other.heard:\n\
         \x20   assert time.monotonic() < until, (ears.heard, other.heard); time.sleep(0.01)\n\
         by_key = sorted((event[0], float(event[1])) for event in ears.heard)\n\
         assert by_key == [('FrontTactilTouched', 0.0), ('FrontTactilTouched', 1.0), ('Game/Over', 1.0)], by_key\n\
         assert other.heard == [('Game/Over', True, 'mine')] and memory.getData('Game/Over') is True\n\
         memory.unsubscribeToEvent('Game/Over', ears); memory.raiseEvent('Game/Over', 2)\n\
         while len(other.heard) < 2: assert time.monotonic() < until; time.sleep(0.01)\n\
         assert len(ears.heard) == 3\n\
         for late in ('Late/1', 'Late/2'):\n\
         \x20   time.sleep(0.1); memory.subscribeToEvent(late, other, 'touched'); memory.raiseEvent(late, 5)\n\
         \x20   while not any(event[:2] == (late, 5) for event in other.heard):\n\
         \x20       assert time.monotonic() < until; time.sleep(0.01)\n\
         try: memory.insertData('HeadYaw', 1)\n\
         except RobotError as error: assert error.code == 'invalid-name', error\n\
         else: raise SystemExit('the body was written')\n\
         try: dcm.set(['HeadYam', 'Merge', [[0.5, 0]]])\n\
         except RobotError as error: assert error.code == 'unknown-name' and 'HeadYaw' in str(error), error\n\
         else: raise SystemExit('it was taken')\n\
         try: DCMProxy('{host}', {port}, token='no').getTime(0)\n\
         except RobotError as error: print(error.code)\n"
    );
    assert_eq!(good(&script(&["-c", &far])).trim(), "token-unknown");
    // After the server was killed, the same proxy finds it again.
    let again = "from dcm_run import DCMProxy; dcm = DCMProxy(); a = dcm.getTime(0)\n\
                 import os, sys, time; print('ready', flush=True); sys.stdin.readline()\n\
                 for _ in range(100):\n\
                 \x20   try: b = dcm.getTime(0); break\n\
                 \x20   except Exception: time.sleep(0.1)\n\
                 assert b > a; print('again')";
    let mut child = Command::new(&python)
        .args(["-c", again])
        .env("DCM_RUN_DIR", home.path("run"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("python");
    std::thread::sleep(std::time::Duration::from_secs(1));
    kill(Pid::from_raw(served.server()), Signal::SIGKILL).expect("it is there");
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("python");
    assert!(good(&output).contains("again"));
    let got = good(&script(&["-m", "dcm_run", "get", "DCM/Time"]));
    assert!(got.chars().any(|c| c.is_ascii_digit()), "{got}");
}

#[test]
fn the_mcap_package_of_others_reads_our_recordings() {
    let build = tempfile::tempdir().expect("a folder");
    let python = python(build.path(), &["mcap", "mcap-protobuf-support"]);
    let home = home();
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["push", WAVE, "--start", "--no-check"]);
    let folder = home.path("run/state/nao/recordings");
    let files = || {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort();
        files
    };
    let is_written = |place: usize| {
        files()
            .get(place)
            .is_some_and(|file| fs::metadata(file).is_ok_and(|metadata| metadata.len() > 40_000))
    };
    until("a file is written", || is_written(0));
    // One whose writer was killed, and one that was closed.
    served.child.kill().expect("it is there");
    served.child.wait().expect("it has gone");
    drop(served);
    let mut served = serve(&home, QUIET);
    served.wait_until_it_runs();
    home.good(&["start", "wave"]);
    until("another is written", || is_written(1));
    home.good(&["stop"]);
    until("the loop has gone", || {
        served.child.try_wait().expect("a process").is_some()
    });
    let reader = "import sys\n\
        from mcap.reader import make_reader\n\
        from mcap_protobuf.decoder import DecoderFactory\n\
        for path in sys.argv[1:]:\n\
        \x20   with open(path, 'rb') as file:\n\
        \x20       reader = make_reader(file, decoder_factories=[DecoderFactory()], validate_crcs=True)\n\
        \x20       counts, joints, links = {}, set(), set()\n\
        \x20       for schema, channel, message in reader.iter_messages():\n\
        \x20           counts[channel.topic] = counts.get(channel.topic, 0) + 1\n\
        \x20       file.seek(0)\n\
        \x20       for schema, channel, message, it in reader.iter_decoded_messages(topics=['/joint_states', '/tf']):\n\
        \x20           if channel.topic == '/tf': links |= {t.child_frame_id for t in it.transforms}\n\
        \x20           else: joints |= {j.name for j in it.joints}\n\
        \x20       attached = sorted(file.name for file in reader.iter_attachments())\n\
        \x20       noted = {entry.name: entry.metadata for entry in reader.iter_metadata()}\n\
        \x20       assert counts['/joint_states'] > 20 and counts['/turn'] > 20 and counts['/scene'] > 0, counts\n\
        \x20       assert 'HeadYaw' in joints and len(joints) > 20, joints\n\
        \x20       assert any(link.startswith('commanded/') for link in links), links\n\
        \x20       print(path.split('/')[-1], attached, sorted(noted))\n";
    let output = Command::new(&python)
        .args(["-c", reader])
        .args(files())
        .output()
        .expect("python");
    let output = good(&output);
    println!("{output}");
    let digest = network::hex::digest(&fs::read(WAVE).expect("a file"));
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), 2, "{output}");
    // The truncated one has no index of its attachments; all messages are there.
    assert!(
        lines[1].contains("dcm-run.toml") && lines[1].contains("robot-0.toml"),
        "{output}"
    );
    assert!(
        lines[1].contains("dcm.run") && lines[1].contains(&format!("{digest}.wasm")),
        "{output}"
    );
}
