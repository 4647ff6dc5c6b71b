//! What lies between one run of a show and the next: the second one must be like the first.

use std::ops::ControlFlow;

use cycle::View;

use super::Simulation;
use crate::finding::CheckFinding;
use crate::rule::{Rule, Severity};

impl Simulation<'_> {
    /// One run is over. Returns whether there is another.
    pub(super) fn round_is_over(&mut self, view: &View<'_>) -> ControlFlow<()> {
        self.compare_settings(view);
        let mut found = std::mem::take(&mut self.round_findings);
        self.drop_refuted(&mut found);
        if self.round > 1 {
            let is_failure = |finding: &&CheckFinding| finding.severity == Severity::Failure;
            let new = found.iter().filter(is_failure);
            let new: Vec<_> = new
                .filter(|finding| !self.result.findings.has(finding.rule, &finding.who))
                .collect();
            if let Some(first) = new.first() {
                let sentence = format!("the second time {}", first.sentence);
                let fix = format!("start from a fresh state each time; {}", first.fix);
                let repeat = CheckFinding {
                    at: first.at,
                    ..CheckFinding::new(Rule::Repeat, sentence, fix)
                };
                self.result.findings.add(repeat);
            }
        } else {
            self.result.findings.join(found);
        }
        if self.round >= self.settings.times {
            return ControlFlow::Break(());
        }
        self.round += 1;
        match self.enter() {
            Ok(()) => ControlFlow::Continue(()),
            Err(finding) => {
                let sentence = format!("the second time it is not admitted: {}", finding.sentence);
                self.result
                    .findings
                    .add(CheckFinding::new(Rule::Repeat, sentence, finding.fix));
                ControlFlow::Break(())
            }
        }
    }
}
