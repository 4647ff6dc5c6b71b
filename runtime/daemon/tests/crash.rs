//! Promise 10 on a real disk: a process that uploads a new version is killed at every system call, and at a thousand
//! random moments. The store opens with the old or the new version, never a mixture.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use common::{bring, component, digest};
use daemon::store::{ChoreographyStore, Folder};
use fastrand::Rng;
use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// The folder of the child's store; if it is not set, this process is no child.
const WHERE: &str = "DCM_RUN_CRASH_TEST";

fn open(folder: &Path) -> ChoreographyStore {
    let disk = Folder::at(folder.to_owned()).expect("a folder");
    ChoreographyStore::open(Arc::new(disk), 1 << 20).expect("a store")
}

/// The child that is killed: it reports when it begins, and uploads a new version.
#[test]
fn the_child_uploads_a_version() {
    let Some(folder) = std::env::var_os(WHERE) else {
        return;
    };
    let mut store = open(&PathBuf::from(folder));
    if std::env::var_os("TRACED").is_some() {
        ptrace::traceme().expect("a parent");
        raise(Signal::SIGSTOP).expect("a signal");
    }
    bring(&mut store, "show", &component(2, 5000)).expect("room");
    std::process::exit(0);
}

fn child(folder: &Path, traced: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args([
            "--exact",
            "the_child_uploads_a_version",
            "--test-threads",
            "1",
            "--nocapture",
        ])
        .env(WHERE, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if traced {
        command.env("TRACED", "1");
    }
    command.spawn().expect("this program starts")
}

fn furnished() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    bring(&mut open(folder.path()), "show", &component(1, 5000)).expect("room");
    folder
}

/// Whether the new version is there; all that is there is complete.
fn is_new(folder: &Path, what: &str) -> bool {
    let (old, new) = (digest(&component(1, 5000)), digest(&component(2, 5000)));
    let mut store = open(folder);
    assert!(store.found.is_empty(), "{what}: {:?}", store.found);
    let versions = store.index().names["show"].clone();
    assert!(
        versions == [old.clone()] || versions == [new.clone(), old.clone()],
        "{what}: {versions:?}"
    );
    for digest in &versions {
        store
            .read(digest)
            .unwrap_or_else(|why| panic!("{what}: {why:?}"));
    }
    let left = std::fs::read_dir(folder.join("incoming"))
        .expect("a folder")
        .count();
    let kept = std::fs::read_dir(folder.join("choreographies"))
        .expect("a folder")
        .count();
    assert_eq!((left, kept), (0, versions.len()), "{what}");
    versions[0] == new
}

#[test]
fn killed_at_every_system_call_it_leaves_the_old_or_the_new() {
    let (mut olds, mut news) = (0, 0);
    // Each call stops twice: before and after it is made.
    for stops in 0.. {
        let folder = furnished();
        let mut child = child(folder.path(), true);
        // The traced thread of the child is the one of its test.
        let wait = |thread: Option<Pid>| {
            let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
            waitpid(thread, Some(flags)).expect("a child")
        };
        let WaitStatus::Stopped(thread, Signal::SIGSTOP) = wait(None) else {
            panic!("it does not begin");
        };
        let mut ended = false;
        for _ in 0..=stops {
            ptrace::syscall(thread, None).expect("it is stopped");
            match wait(Some(thread)) {
                WaitStatus::Exited(_, code) => {
                    assert_eq!(code, 0);
                    ended = true;
                    break;
                }
                WaitStatus::Stopped(_, _) => {}
                other => panic!("{other:?}"),
            }
        }
        if !ended {
            ptrace::kill(thread).expect("it is stopped");
            // Its process ends after the end of its traced thread was seen.
            while matches!(wait(Some(thread)), WaitStatus::Stopped(..)) {}
        }
        let _ = child.wait();
        if is_new(folder.path(), &format!("killed at stop {stops}")) {
            news += 1;
        } else {
            assert!(!ended, "it was brought");
            olds += 1;
        }
        if ended {
            break;
        }
    }
    println!(
        "killed at {} stops: {olds} left the old, {news} the new",
        olds + news
    );
    assert!(olds > 30 && news > 3, "{olds} and {news}");
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_or_the_new() {
    let rounds = if std::env::var_os("PROMISES").is_some() {
        1000
    } else {
        60
    };
    let mut chance = Rng::with_seed(3);
    let mut news = 0;
    for round in 0..rounds {
        let folder = furnished();
        let mut child = child(folder.path(), false);
        std::thread::sleep(Duration::from_micros(chance.u64(0..5_000)));
        let _ = child.kill();
        let _ = child.wait();
        news += u32::from(is_new(folder.path(), &format!("round {round}")));
    }
    println!("{rounds} kills by chance: {news} left the new");
}
