//! Promise 4: the wall clock may jump; the loop's output stays the same, bit for bit. A preloaded library makes every
//! reading of the wall clock jump.

use std::process::Command;

use crate::common::home;

/// Jumps by an hour, a day, to 1970, to 2106, by a leap second, one after the other.
const JUMPING: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static const long JUMPS[] = {3600, -3600, 86400, -86400, 1, -1};
static unsigned read_so_far;

static long jumped(long now) {
    unsigned number = __atomic_fetch_add(&read_so_far, 1, __ATOMIC_RELAXED);
    if (number % 8 == 6) return 0;
    if (number % 8 == 7) return 4294967296L;
    return now + JUMPS[number % 6] * (long)(number + 1);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI)
        time->tv_sec = jumped(time->tv_sec);
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
"#;

#[test]
fn a_wall_clock_that_jumps_changes_no_bit_of_what_is_sent() {
    let home = home();
    let library = home.path("jumping.so");
    let source = home.file("jumping.c", JUMPING);
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .status();
    assert!(
        built.is_ok_and(|value| value.success()),
        "a C compiler is needed: install gcc"
    );
    let script = home.path("script.txt");
    let lines: String = (0..200)
        .map(|i| format!("{}ms push HeadYaw {}\n", 2000 + i * 40, i % 7 - 3))
        .collect();
    std::fs::write(&script, lines).expect("a file");
    let rows = |jumps: bool| {
        let mut command = home.command(&[
            "run", "--robot", "nao", "--sim", "--fast", "--for", "10s", "--quiet",
        ]);
        command.arg("--script").arg(&script);
        if jumps {
            command.env("LD_PRELOAD", &library);
        }
        let output = command.output().expect("it runs");
        assert!(
            output.status.success(),
            "{}",
            tests::process::text(&output.stderr)
        );
        // The page's frames are all that was sent and sensed; its header says when it was made.
        let page = sensors::PageReader::open(&home.path("run/nao.page")).expect("a page");
        let utc = page.utc_at_zero();
        let shape = page.shape();
        let turns = page.turns().map(|turn| {
            page.read_turn(turn, |frame| {
                let sent = (0..shape.actuators).map(|i| frame.sent(i).expect("one").to_bits());
                let sensed = (0..shape.sensors).map(|i| frame.sensor(i).expect("one").to_bits());
                (frame.now().nanos(), sent.chain(sensed).collect::<Vec<_>>())
            })
        });
        (utc, turns.collect::<Vec<_>>())
    };
    let (calm, jumping) = (rows(false), rows(true));
    assert!(
        calm.0.abs_diff(jumping.0) > 1_000_000_000,
        "the wall clock did not jump"
    );
    assert_eq!(calm.1.len(), 1_000);
    assert!(calm.1.iter().all(Option::is_some));
    assert!(
        calm.1 == jumping.1,
        "what was sent or sensed is not the same"
    );
}
