//! Checks the choreographies that clients load onto a running loop, as `run` checks its own.
//! Called by the loop's request handlers. A child process runs the check, so that it cannot harm the loop; a
//! choreography that cannot be checked is refused.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::process::{Command, Stdio};

use check::SavedVerdict;
use protocol::{ErrorCode, GuestOptions, RequestError, why_unchecked};
use robot::socket::GuestChecker;
use rustix::fs::{MemfdFlags, memfd_create};

use crate::process::this_program;

/// The gate of a loop with this description.
#[derive(Debug)]
pub(super) struct ChildJudge {
    pub(super) description: String,
    /// The options of each check.
    pub(super) check_args: Vec<String>,
}

impl GuestChecker for ChildJudge {
    fn check(&self, component: &[u8], options: &GuestOptions) -> Result<(), RequestError> {
        let name = options
            .file
            .as_deref()
            .or(options.name.as_deref())
            .unwrap_or("it");
        let report = self.report(component, options, name).map_err(|why| {
            ErrorCode::Check
                .error(format!("`{name}` could not be checked: {why}"))
                .fix("check it by hand: `dcm-run check FILE`; or skip the check: --no-check")
        })?;
        if report.passes {
            return Ok(());
        }
        let [first, others @ ..] = report.findings.as_slice() else {
            let sentence = format!("`{name}` does not pass the check");
            return Err(ErrorCode::Check
                .error(sentence)
                .fix("`dcm-run check` says why"));
        };
        // What cannot be loaded at all is refused by the loader, with its own message.
        if !report.facts.was_played() && ["contract", "fault"].contains(&first.rule.as_str()) {
            return Ok(());
        }
        let more = match others.len() {
            0 => String::new(),
            many => format!(" (and {many} more)"),
        };
        let sentence = format!(
            "`{name}` does not pass the check: {}: {}{more}",
            first.rule, first.sentence
        );
        Err(ErrorCode::Check.error(sentence).fix(format!(
            "{}; or allow the rule: --allow {}; or skip the check: --no-check",
            first.fix, first.rule
        )))
    }
}

impl ChildJudge {
    /// The report of `dcm-run check --json`.
    fn report(
        &self,
        component: &[u8],
        options: &GuestOptions,
        name: &str,
    ) -> Result<SavedVerdict, String> {
        let told = |error: &dyn std::fmt::Display| error.to_string();
        // The child opens it by its descriptor.
        let memory =
            memfd_create("choreography", MemfdFlags::empty()).map_err(|error| told(&error))?;
        let mut memory = File::from(memory);
        memory.write_all(component).map_err(|error| told(&error))?;
        let mut child = Command::new(this_program().map_err(|error| told(&error))?);
        child
            .args([
                "check",
                "--json",
                "--kept",
                "--beside-loop",
                "--within",
                "20s",
            ])
            .arg(format!("--robot={}", self.description))
            // With `=`, because names may begin with `-`.
            .arg(format!("--granted-as={name}"))
            .arg(format!("/proc/self/fd/{}", memory.as_raw_fd()))
            .stdin(Stdio::null());
        child.args(&self.check_args);
        child.args(options.check_args());
        let output = child.output().map_err(|error| told(&error))?;
        match output.status.code() {
            Some(0 | 3) => serde_json::from_slice(&output.stdout).map_err(|error| told(&error)),
            _ => Err(why_unchecked(&output.stderr).0),
        }
    }
}
