//! Inputs of a chip that reports no edges, such as an expander without an interrupt: they are polled.
//! The chip's thread calls it. It does no I/O.
//! A level counts after it was stable for the debounce time; at once, if that is zero.

use std::time::Duration;

use super::settings::{LineRole, WantedLine};

/// The polling interval.
pub(super) const EVERY: Duration = Duration::from_millis(2);

/// The inputs of one chip.
#[derive(Debug)]
pub(super) struct Polled(Vec<PolledLine>);

#[derive(Debug)]
struct PolledLine {
    believed: bool,
    /// Polls in a row that read the other level.
    otherwise: u32,
    /// How many such polls change the level.
    needed: u32,
}

impl Polled {
    /// The inputs among these lines, with their present levels.
    pub(super) fn new(wanted: &[WantedLine], levels: &[bool]) -> Polled {
        let debounces = wanted.iter().filter_map(|line| match line.role {
            LineRole::Input { debounce, .. } => Some(debounce),
            LineRole::Output(_) | LineRole::Trigger(_) => None,
        });
        let line = |(debounce, level): (Duration, &bool)| {
            let looks = debounce.as_nanos().div_ceil(EVERY.as_nanos());
            PolledLine {
                believed: *level,
                otherwise: 0,
                needed: u32::try_from(looks).unwrap_or(u32::MAX).max(1),
            }
        };
        Polled(debounces.zip(levels).map(line).collect())
    }

    /// Takes the polled levels. Returns the inputs that have changed, by index, with their new levels.
    pub(super) fn look<'p>(
        &'p mut self,
        levels: &'p [bool],
    ) -> impl Iterator<Item = (usize, bool)> + 'p {
        let lines = self.0.iter_mut().zip(levels).enumerate();
        lines.filter_map(|(place, (line, level))| {
            if *level == line.believed {
                line.otherwise = 0;
                return None;
            }
            line.otherwise += 1;
            if line.otherwise < line.needed {
                return None;
            }
            (line.believed, line.otherwise) = (*level, 0);
            Some((place, *level))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::{LineName, Reads};
    use super::*;

    #[test]
    fn what_lasts_for_its_debounce_is_believed_and_what_does_not_is_not() {
        let input = |number, ms| WantedLine {
            name: LineName::default(),
            role: LineRole::Input {
                number,
                reads: Reads::Level,
                debounce: Duration::from_millis(ms),
            },
        };
        // One changes at once, the other after three polls: two polls are less than 5 ms.
        let mut polled = Polled::new(&[input(0, 0), input(1, 5)], &[false, true]);
        let mut poll = |levels: [bool; 2]| polled.look(&levels).collect::<Vec<_>>();
        assert_eq!(poll([false, true]), []);
        assert_eq!(poll([true, false]), [(0, true)]);
        assert_eq!(poll([true, false]), []);
        assert_eq!(poll([false, true]), [(0, false)], "it bounced");
        assert_eq!(poll([false, false]), []);
        assert_eq!(poll([false, false]), []);
        assert_eq!(poll([false, false]), [(1, false)]);
        assert_eq!(poll([false, false]), []);
    }
}
