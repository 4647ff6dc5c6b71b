//! Promise 2: a turn makes no system call but the sleep, and no page fault. The real binary is traced: the loop's
//! thread stops at every system call.

use std::collections::BTreeMap;
use std::process::Stdio;

use crate::common::home;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tests::process::{Loop, text, until};

/// The number of turns that are traced.
const TURNS: u64 = 2_000;

/// Page faults of a thread: those that needed no disk, and those that did.
fn faults(process: u32, thread: i32) -> (u64, u64) {
    let stat =
        std::fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).expect("a thread");
    let fields: Vec<_> = stat
        .rsplit(')')
        .next()
        .expect("fields")
        .split_whitespace()
        .collect();
    (
        fields[7].parse().expect("a count"),
        fields[9].parse().expect("a count"),
    )
}

#[test]
fn a_turn_makes_no_system_call_but_its_sleep() {
    let home = home();
    // Fast turns, a client that sends requests all the time, and simulated events.
    let running = home.start(
        "traced",
        &["--robot", "nao", "--sim", "--demo", "--speed", "10"],
    );
    running.wait_for_state(cycle::State::Running);
    nothing_but_sleep(&running, 0);
}

/// Eight guests that each read 26 sensors and send 26 commands; one more runs out of fuel, one traps.
#[test]
fn nor_does_a_turn_with_guests() {
    let home = home();
    for form in ["in-place", "calls"] {
        let file = |name: &str, text: &str| {
            let path = home.folder.path().join(name);
            std::fs::write(&path, tests::rig::component(text)).expect("a file");
            path.display().to_string()
        };
        let robot = home.path(&format!("{form}.toml"));
        // A tracer makes turns late: without this the body would go limp, which pauses its guests.
        let words = format!(
            "format = 1\nname = \"{form}\"\nbase = \"nao\"\n[loop]\nguests = \"{form}\"\n[safety]\n\
             late-to-hold = 1000000\nlate-to-safe = 1000000\n"
        );
        std::fs::write(&robot, words).expect("a file");
        let busy = file("busy.wasm", &tests::busy::busy("pre-process", 26, 26));
        let dry = file("dry.wasm", &late("(loop (br 0))"));
        let traps = file("traps.wasm", &late("unreachable"));
        let mut words = vec![busy.as_str(); 8];
        words.extend([
            dry.as_str(),
            &traps,
            "--no-check",
            "--sim",
            "--speed",
            "10",
            "--robot",
        ]);
        let robot = robot.display().to_string();
        words.push(&robot);
        // Recording every turn makes no system call either.
        let film = home.path(&format!("{form}.mcap"));
        let film = film.display().to_string();
        words.extend(["--record", &film]);
        let running = home.start(form, &words);
        running.wait_for_state(cycle::State::Running);
        nothing_but_sleep(&running, 1);
        let output = home.good(&["ps", "--all", "--robot", form]);
        let ran = output.matches(" running ").count();
        assert!(
            ran == 8 && output.contains("ran out of fuel") && output.contains("trapped"),
            "{output}"
        );
    }
}

/// A board on a bus costs one transfer: a packet down and one up, as long as the board is there.
#[test]
fn one_with_a_real_board_makes_its_transfer_and_no_other() {
    let home = home();
    let (robot, socket) = (home.path("arm.toml"), home.path("board"));
    let words = format!(
        "format = 1\nname = \"arm\"\nbase = \"desk\"\nperiod = \"2ms\"\n[safety]\nlate-to-hold = 1000000\n\
         late-to-safe = 1000000\nmissing-to-hold = 100000\nmissing-to-lost = 1000000\n[boards]\n\
         servos = {{ driver = \"servo\", socket = {socket:?} }}\npanel = {{ driver = \"sim\" }}\n"
    );
    std::fs::write(&robot, words).expect("a file");
    let robot = robot.to_str().expect("a path");
    let board = home
        .command(&["wire", "simulate", robot])
        .stdout(Stdio::null())
        .spawn();
    let mut board = board.expect("the binary starts");
    until("the board listens", || socket.exists());
    let running = home.start("arm", &["--robot", robot, "--no-guard", "--demo"]);
    running.wait_for_state(cycle::State::Running);
    let (calls, turns) = traced(&running);
    board.kill().expect("it runs");
    board.wait().expect("it ran");
    let of = |number| calls.get(&(number as u64)).copied().unwrap_or(0);
    let down = of(nix::libc::SYS_sendto) + of(nix::libc::SYS_write);
    let up = of(nix::libc::SYS_recvfrom) + of(nix::libc::SYS_read);
    assert!(
        down.abs_diff(turns) <= 3,
        "{down} packets down in {turns} turns"
    );
    // A late answer is read as well, and dropped.
    assert!(
        up.abs_diff(turns) <= turns / 5 + 3,
        "{up} packets up in {turns} turns"
    );
    let others: u64 = calls.values().sum::<u64>() - down - up;
    assert!(others.abs_diff(turns) <= 5, "{calls:?} in {turns} turns");
}

/// Does this in its thousandth turn, while it is traced.
fn late(what: &str) -> String {
    format!(
        r#"(module
        (global $turns (mut i32) (i32.const 0))
        (func (export "pre-process")
          (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
          (if (i32.eq (global.get $turns) (i32.const 1000)) (then {what}))))"#
    )
}

fn nothing_but_sleep(running: &Loop, expected_traps: u64) {
    let (process, thread) = (running.child.id(), running.thread());
    let before = faults(process, thread);
    let (mut calls, turns) = traced(running);
    let after = faults(process, thread);
    println!(
        "{turns} turns: system calls {calls:?}, page faults {:?}",
        (after.0 - before.0, after.1 - before.1)
    );
    let sleeps = calls
        .remove(&(nix::libc::SYS_clock_nanosleep as u64))
        .unwrap_or(0);
    // A call that the tracer itself interrupted may be restarted.
    let again = calls
        .remove(&(nix::libc::SYS_restart_syscall as u64))
        .unwrap_or(0);
    // The return from a guest's trap passes through the kernel, once.
    let traps = calls
        .remove(&(nix::libc::SYS_rt_sigreturn as u64))
        .unwrap_or(0);
    assert_eq!(traps, expected_traps, "signals");
    // A hook that the system has put aside, past its deadline, reads how long it has computed.
    let put_aside = calls
        .remove(&(nix::libc::SYS_clock_gettime as u64))
        .unwrap_or(0);
    let has_guests = expected_traps > 0;
    assert!(
        put_aside <= if has_guests { turns / 100 } else { 0 },
        "{put_aside} hooks were put aside"
    );
    assert_eq!(
        calls,
        BTreeMap::new(),
        "system calls other than the sleep, by their numbers"
    );
    assert!(
        sleeps.abs_diff(turns) <= 3 && again <= 1,
        "{sleeps} sleeps in {turns} turns"
    );
    assert_eq!(after, before, "page faults in a turn");
}

/// The system calls of the loop's thread in this many turns.
fn traced(running: &Loop) -> (BTreeMap<u64, u64>, u64) {
    let page = running.page();
    let thread = Pid::from_raw(running.thread());
    let first = page.latest();

    ptrace::seize(thread, ptrace::Options::PTRACE_O_TRACESYSGOOD).expect("a child may be traced");
    ptrace::interrupt(thread).expect("it is traced");
    let mut calls: BTreeMap<u64, u64> = BTreeMap::new();
    let mut entering = true;
    let mut in_handler = false;
    loop {
        let mut signal = None;
        match waitpid(thread, Some(WaitPidFlag::__WALL)).expect("it is traced") {
            WaitStatus::PtraceSyscall(_) => {
                if entering {
                    let number = number_of(thread);
                    in_handler &= number != nix::libc::SYS_rt_sigreturn as u64;
                    // The handler of a trap looks the code up in a table of wasmtime's. It waits while another guest's
                    // code is being added or removed.
                    if !(in_handler && number == nix::libc::SYS_futex as u64) {
                        *calls.entry(number).or_default() += 1;
                    }
                }
                entering = !entering;
            }
            WaitStatus::PtraceEvent(..) => {}
            // A guest's trap: the signal must be delivered, or the same instruction traps for ever.
            WaitStatus::Stopped(_, delivered) => {
                signal = Some(delivered);
                in_handler = true;
            }
            other => panic!("the loop ended: {other:?}"),
        }
        // Detaches while it stands still: a traced thread could not even be killed.
        if page.latest() >= first + TURNS {
            ptrace::detach(thread, None).expect("it is traced");
            break;
        }
        ptrace::syscall(thread, signal).expect("it is traced");
    }
    (calls, page.latest() - first)
}

#[cfg(target_arch = "x86_64")]
fn number_of(thread: Pid) -> u64 {
    ptrace::getregs(thread).expect("it is stopped").orig_rax
}

#[cfg(target_arch = "aarch64")]
fn number_of(thread: Pid) -> u64 {
    ptrace::getregs(thread).expect("it is stopped").regs[8]
}

/// The kernel has what the description asks for; where it does not grant it, the loop says so.
#[test]
fn the_loops_thread_has_the_priority_of_its_description() {
    let home = home();
    let words = "format = 1\nname = \"urgent\"\nbase = \"desk\"\n[loop]\npriority = 60\n";
    let file = home.file("urgent.toml", words);
    // Asked by another thread of this user, which ends with it.
    let granted = std::thread::spawn(|| robot::realtime::raise(60).is_ok()).join();
    let granted = granted.expect("no panic");
    let running = home.start(
        "urgent",
        &["--robot", file.to_str().expect("a path"), "--sim"],
    );
    running.wait_for_state(cycle::State::Running);
    let path = format!(
        "/proc/{}/task/{}/stat",
        running.child.id(),
        running.thread()
    );
    let stat = std::fs::read_to_string(path).expect("a thread");
    let fields: Vec<_> = stat
        .rsplit(')')
        .next()
        .expect("fields")
        .split_whitespace()
        .collect();
    // `rt_priority` and `policy`, of which 1 is SCHED_FIFO.
    let found = (fields[37].to_owned(), fields[38].to_owned());
    running.signal(Signal::SIGTERM);
    let output = running.ended();
    let output = text(&output.stdout) + &text(&output.stderr);
    println!("granted: {granted}, priority and policy: {found:?}");
    if granted {
        assert_eq!(found, ("60".to_owned(), "1".to_owned()), "{output}");
    } else {
        assert!(output.contains("not real-time because"), "{output}");
    }
}
