//! Examines the kernel's files below `/proc`, `/sys` and `/dev`.
//! Called by `doctor`. The root is a parameter, so that tests can use made-up machines.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Finding;

/// The shared memory that a page needs at most, MiB.
const PAGE_ROOM: u64 = 64;

/// The files of a kernel below a root.
struct System<'r>(&'r Path);

pub(super) fn examine(root: &Path) -> Vec<Finding> {
    let system = System(root);
    let mut findings = vec![system.kernel(), system.throttling()];
    findings.extend(system.governors());
    findings.push(system.isolation());
    findings.push(system.clock());
    findings.push(system.swap());
    findings.push(system.shared_memory());
    findings.extend(system.devices());
    findings
}

impl System<'_> {
    fn read(&self, path: &str) -> Option<String> {
        let text = fs::read_to_string(self.0.join(path)).ok()?;
        Some(text.trim().to_owned())
    }

    fn kernel(&self) -> Finding {
        let release = self
            .read("proc/sys/kernel/osrelease")
            .unwrap_or_else(|| "unknown".to_owned());
        let version = self.read("proc/sys/kernel/version").unwrap_or_default();
        let preempts = self.read("sys/kernel/realtime").as_deref() == Some("1")
            || version.contains("PREEMPT_RT");
        if preempts {
            return Finding::good("kernel", format!("Linux {release} with PREEMPT_RT"));
        }
        let found = format!("Linux {release} without PREEMPT_RT: the kernel may delay a turn");
        Finding::warning(
            "kernel",
            found,
            "install a kernel with PREEMPT_RT (Debian: linux-image-rt-amd64)",
        )
    }

    fn throttling(&self) -> Finding {
        let area = "throttling";
        match self.read("proc/sys/kernel/sched_rt_runtime_us").as_deref() {
            None => Finding::warning(
                area,
                "the CPU share of real-time threads is unknown",
                "mount /proc",
            ),
            Some("-1") => Finding::good(area, "real-time threads may run without a limit"),
            Some(runtime) => Finding::good(
                area,
                format!("real-time threads may run {runtime} µs per period; a loop needs far less"),
            ),
        }
    }

    /// One finding for each governor.
    fn governors(&self) -> Vec<Finding> {
        let mut governors: BTreeMap<String, u32> = BTreeMap::new();
        let processors = fs::read_dir(self.0.join("sys/devices/system/cpu"))
            .into_iter()
            .flatten()
            .flatten();
        for processor in processors {
            let path = processor.path().join("cpufreq/scaling_governor");
            if let Ok(governor) = fs::read_to_string(path) {
                *governors.entry(governor.trim().to_owned()).or_default() += 1;
            }
        }
        if governors.is_empty() {
            let found = "none: the CPU frequency is fixed, or the machine is virtual";
            return vec![Finding::good("governor", found)];
        }
        let finding = |(governor, number): (String, u32)| match governor.as_str() {
            "performance" => Finding::good(
                "governor",
                format!("{number} CPUs always run at full speed"),
            ),
            _ => Finding::warning(
                "governor",
                format!("{number} CPUs may run slower because of the governor `{governor}`"),
                "as root: cpupower frequency-set --governor performance",
            ),
        };
        governors.into_iter().map(finding).collect()
    }

    fn isolation(&self) -> Finding {
        match self.read("sys/devices/system/cpu/isolated").as_deref() {
            None | Some("") => Finding::warning(
                "processors",
                "no CPU is isolated for the loop",
                "boot with isolcpus=N nohz_full=N, and set `loop.processor = N` in the description",
            ),
            Some(isolated) => Finding::good("processors", format!("isolated CPUs: {isolated}")),
        }
    }

    fn clock(&self) -> Finding {
        let source = self.read("sys/devices/system/clocksource/clocksource0/current_clocksource");
        match source.as_deref() {
            Some(
                source @ ("tsc" | "arch_sys_counter" | "kvm-clock" | "hyperv_clocksource_tsc_page"),
            ) => Finding::good("clock", format!("`{source}`, read without a system call")),
            Some(source) => Finding::warning(
                "clock",
                format!("`{source}`: each read of the clock is a system call"),
                "boot with clocksource=tsc, if the machine's TSC is stable",
            ),
            None => Finding::warning(
                "clock",
                "the kernel's clock source is unknown",
                "mount /sys",
            ),
        }
    }

    fn swap(&self) -> Finding {
        let swaps = self
            .read("proc/swaps")
            .map_or(0, |table| table.lines().count().saturating_sub(1));
        if swaps == 0 {
            return Finding::good("swap", "no swap");
        }
        let found = format!("{swaps} swap areas: memory that is not locked may be swapped out");
        Finding::warning(
            "swap",
            found,
            "let the loop lock its memory, or run `swapoff -a`",
        )
    }

    fn shared_memory(&self) -> Finding {
        let area = "shared memory";
        let path = self.0.join("dev/shm");
        let Ok(about) = rustix::fs::statvfs(&path) else {
            let fix = "mount -t tmpfs tmpfs /dev/shm, or set DCM_RUN_DIR to a folder in memory";
            return Finding::bad(area, "there is no /dev/shm for the page", fix);
        };
        let free = about.f_bavail.saturating_mul(about.f_frsize) >> 20;
        if free >= PAGE_ROOM {
            return Finding::good(area, format!("{free} MiB are free in /dev/shm"));
        }
        let found =
            format!("only {free} MiB are free in /dev/shm, and a page needs up to {PAGE_ROOM}");
        Finding::bad(
            area,
            found,
            "mount -o remount,size=256m /dev/shm, or remove old pages there",
        )
    }

    fn devices(&self) -> Vec<Finding> {
        let names = fs::read_dir(self.0.join("dev"))
            .into_iter()
            .flatten()
            .flatten();
        let names: Vec<_> = names
            .map(|name| name.file_name().to_string_lossy().into_owned())
            .collect();
        let finding = |(area, prefix, fix): (&'static str, &str, &str)| {
            let mut found: Vec<_> = names
                .iter()
                .filter(|name| name.starts_with(prefix))
                .cloned()
                .collect();
            found.sort();
            let open = |name: &String| {
                let path = self.0.join("dev").join(name);
                fs::OpenOptions::new()
                    .read(true)
                    .write(true)
                    .open(path)
                    .is_ok()
            };
            let (opened, closed): (Vec<_>, Vec<_>) = found.into_iter().partition(open);
            match (opened.as_slice(), closed.as_slice()) {
                ([], []) => {
                    let found = "none: only a simulated body can be driven";
                    Finding::warning(area, found, fix)
                }
                (opened, []) => Finding::good(area, opened.join(", ")),
                (_, closed) => {
                    let found = format!("{} cannot be opened by this user", closed.join(", "));
                    Finding::bad(
                        area,
                        found,
                        "add the user to the device's group, such as spi or gpio",
                    )
                }
            }
        };
        [
            (
                "SPI",
                "spidev",
                "enable SPI in the machine's device tree (Raspberry Pi: dtparam=spi=on)",
            ),
            (
                "GPIO",
                "gpiochip",
                "enable the kernel's gpiolib and its driver for this machine",
            ),
        ]
        .map(finding)
        .to_vec()
    }
}
