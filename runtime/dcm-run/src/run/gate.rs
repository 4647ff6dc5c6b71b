//! Checks the choreographies that clients load onto a running loop, as `run` checks its own.
//! Called by the loop's request handlers. The law: a child process runs the check, so that it cannot harm the loop; a
//! choreography that cannot be checked is refused.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};

use robot::socket::GuestChecker;
use rustix::fs::{MemfdFlags, memfd_create};
use serde_json::Value;
use socket::{Trouble, Wish};

use crate::process::this_program;

/// The gate of a loop with this description.
#[derive(Debug)]
pub(super) struct ChildJudge {
    pub(super) description: String,
}

impl GuestChecker for ChildJudge {
    fn check(&self, component: &[u8], wish: &Wish) -> Result<(), Trouble> {
        let name = wish
            .file
            .as_deref()
            .or(wish.name.as_deref())
            .unwrap_or("it");
        let report = self.report(component, wish, name).map_err(|why| {
            Trouble::new("check", format!("`{name}` could not be checked: {why}"))
                .fix("check it by hand: `dcm-run check FILE`; or skip the check: --no-check")
        })?;
        if report["passes"].as_bool() == Some(true) {
            return Ok(());
        }
        let first = &report["findings"][0];
        // What cannot be loaded at all is refused by the loader, with its own message.
        let plays = report["facts"]["plays"]
            .as_array()
            .is_some_and(|it| !it.is_empty());
        if !plays && (first["rule"] == "contract" || first["rule"] == "fault") {
            return Ok(());
        }
        let word = |key: &str| first[key].as_str().unwrap_or("?");
        let more = match report["findings"].as_array().map_or(0, Vec::len) {
            0 | 1 => String::new(),
            many => format!(" (and {} more)", many - 1),
        };
        let sentence = format!(
            "`{name}` does not pass the check: {}: {}{more}",
            word("rule"),
            word("sentence")
        );
        Err(Trouble::new("check", sentence).fix(format!(
            "{}; or allow the rule: --allow {}; or skip the check: --no-check",
            word("fix"),
            word("rule")
        )))
    }
}

impl ChildJudge {
    /// The report of `dcm-run check --json`.
    fn report(&self, component: &[u8], wish: &Wish, name: &str) -> Result<Value, String> {
        let told = |error: &dyn std::fmt::Display| error.to_string();
        // The child opens it by its descriptor.
        let memory = memfd_create("choreography", MemfdFlags::empty()).map_err(|it| told(&it))?;
        let mut memory = File::from(memory);
        memory.write_all(component).map_err(|it| told(&it))?;
        let mut child = Command::new(this_program().map_err(|it| told(&it))?);
        child
            .args([
                "check",
                "--json",
                "--kept",
                "--within",
                "20s",
                "--robot",
                &self.description,
            ])
            .args(["--granted-as", name])
            .arg(format!("/proc/self/fd/{}", memory.as_raw_fd()))
            .stdin(Stdio::null());
        for rule in &wish.allow {
            child.args(["--allow", rule]);
        }
        if let Some(priority) = wish.priority {
            child.arg(format!("--priority={priority}"));
        }
        if let Some(weight) = wish.weight {
            child.arg(format!("--weight={weight}"));
        }
        if let Some(mask) = &wish.mask {
            child.arg(format!("--mask={}", mask.join(",")));
        }
        for (key, value) in &wish.params {
            child.arg(format!("--param={key}={value:?}"));
        }
        if wish.keep {
            child.arg("--keep");
        }
        let output = child.output().map_err(|it| told(&it))?;
        match output.status.code() {
            Some(0 | 3) => serde_json::from_slice(&output.stdout).map_err(|it| told(&it)),
            _ => {
                let said = String::from_utf8_lossy(&output.stderr);
                Err(said.trim().trim_start_matches("dcm-run: ").to_owned())
            }
        }
    }
}
