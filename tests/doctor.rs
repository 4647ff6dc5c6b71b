//! The doctor examines simulated machines.

use std::fs;
use std::path::Path;

use robot::doctor::{Finding, Grade, examine_system};

/// A machine with these files.
fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    root
}

fn finding(root: &Path, area: &str) -> Finding {
    let found = examine_system(root)
        .into_iter()
        .find(|finding| finding.area == area);
    found.unwrap_or_else(|| panic!("nothing about {area}"))
}

#[test]
fn a_machine_made_for_it_is_good() {
    let root = machine(&[
        ("proc/sys/kernel/osrelease", "6.12.0-rt\n"),
        ("sys/kernel/realtime", "1\n"),
        ("proc/sys/kernel/sched_rt_runtime_us", "-1\n"),
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            "performance\n",
        ),
        (
            "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
            "performance\n",
        ),
        ("sys/devices/system/cpu/isolated", "3\n"),
        (
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "tsc\n",
        ),
        ("proc/swaps", "Filename Type Size Used Priority\n"),
        ("dev/shm/x", ""),
        ("dev/spidev0.0", ""),
        ("dev/gpiochip0", ""),
    ]);
    for finding in examine_system(root.path()) {
        assert_eq!(
            (finding.grade, &finding.fix),
            (Grade::Good, &None),
            "{finding:?}"
        );
    }
    assert_eq!(
        finding(root.path(), "kernel").found,
        "Linux 6.12.0-rt with PREEMPT_RT"
    );
    assert_eq!(
        finding(root.path(), "governor").found,
        "2 CPUs always run at full speed"
    );
    assert_eq!(finding(root.path(), "SPI").found, "spidev0.0");
}

#[test]
fn what_is_not_good_names_its_fix() {
    let root = machine(&[
        ("proc/sys/kernel/osrelease", "6.1.0\n"),
        ("proc/sys/kernel/version", "#1 SMP\n"),
        (
            "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            "powersave\n",
        ),
        ("sys/devices/system/cpu/isolated", "\n"),
        (
            "sys/devices/system/clocksource/clocksource0/current_clocksource",
            "hpet\n",
        ),
        (
            "proc/swaps",
            "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n",
        ),
    ]);
    for (area, grade, fix) in [
        ("kernel", Grade::Warning, "PREEMPT_RT"),
        ("governor", Grade::Warning, "cpupower"),
        ("processors", Grade::Warning, "isolcpus"),
        ("clock", Grade::Warning, "clocksource=tsc"),
        ("swap", Grade::Warning, "swapoff"),
        ("shared memory", Grade::Bad, "mount -t tmpfs"),
        ("SPI", Grade::Warning, "dtparam=spi=on"),
        ("GPIO", Grade::Warning, "gpiolib"),
    ] {
        let finding = finding(root.path(), area);
        assert_eq!(finding.grade, grade, "{finding:?}");
        assert!(
            finding
                .fix
                .as_deref()
                .is_some_and(|value| value.contains(fix)),
            "{finding:?}"
        );
    }
}

#[test]
fn a_root_with_nothing_in_it_is_examined_all_the_same() {
    let root = machine(&[]);
    assert!(examine_system(root.path()).len() >= 8);
}
