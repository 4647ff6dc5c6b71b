//! The open lines of one chip: the kernel's requests, and the offset of each line.
//! Opened at start-up, and again by the chip's thread after the chip was unplugged.
//! Either all lines of a chip are open, or none is; outputs are inactive until the turn sets them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gpiocdev::Request;
use gpiocdev::line::{self, EdgeDetection, Value, Values};
use gpiocdev::request::Builder;
use rustix::io::Errno;

use super::errors::{LinesError, fault, number};
use super::line_table::{LinePlace, LineTable};
use super::settings::{Bias, LineRole, OutputSource, Reads, WantedLine};
use crate::bus::BusFault;

/// The consumer of our lines in `gpioinfo`.
const CONSUMER: &str = "dcm-run";

/// The most lines of one request to the kernel.
const MOST: usize = 64;

/// A request for outputs, with the offset and the source of each.
type DrivenOutputs = (Arc<Request>, Vec<(u32, OutputSource)>);

/// The open lines of one chip. Each group has a request of its own, so that none waits for another in the kernel.
#[derive(Debug, Default)]
pub(super) struct Hold {
    /// The outputs that the turn drives.
    pub(super) outputs: Option<DrivenOutputs>,
    /// The triggers: their offsets, in the order of their numbers.
    pub(super) triggers: Option<(Request, Vec<u32>)>,
    /// The inputs: their offsets, in the order of the settings.
    pub(super) inputs: Option<(Request, Vec<u32>)>,
    /// Whether the inputs are polled, because the chip reports no edges.
    pub(super) polled: bool,
}

/// Groups the lines by chip; the lines of a chip must be opened together.
pub(super) fn by_chip(
    wanted: Vec<WantedLine>,
    chip: Option<&str>,
) -> Result<Vec<Vec<WantedLine>>, LinesError> {
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let table = LineTable::take()?;
    let mut places: Vec<LinePlace> = Vec::new();
    let mut chips: Vec<(usize, Vec<WantedLine>)> = Vec::new();
    for item in wanted {
        let place = table.find(chip, &item.name.line)?;
        if places.contains(&place) {
            let line = item.name.line;
            return Err(LinesError::Twice { line });
        }
        places.push(place);
        match chips.iter_mut().find(|(chip, _)| *chip == place.chip) {
            Some((_, lines)) => lines.push(item),
            None => chips.push((place.chip, vec![item])),
        }
    }
    Ok(chips.into_iter().map(|(_, lines)| lines).collect())
}

impl Hold {
    /// Opens these lines, which are all on one chip.
    pub(super) fn open(wanted: &[WantedLine], chip: Option<&str>) -> Result<Hold, LinesError> {
        let table = LineTable::take()?;
        let mut hold = Hold::default();
        let (mut outputs, mut triggers, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
        let mut on = None;
        for item in wanted {
            let place = table.find(chip, &item.name.line)?;
            if *on.get_or_insert(place.chip) != place.chip {
                let line = item.name.line.clone();
                return Err(LinesError::Moved { line });
            }
            match item.role {
                LineRole::Output(drive) => outputs.push((item, place.offset, Some(drive))),
                LineRole::Trigger(_) => triggers.push((item, place.offset, None)),
                LineRole::Input { .. } => inputs.push((item, place.offset, None)),
            }
        }
        let Some(known) = on.and_then(|value| table.chips.get(value)) else {
            return Ok(hold);
        };
        // Inputs first: drive nothing until what fails most easily has succeeded.
        if !inputs.is_empty() {
            let (request, is_polled) = ask_inputs(&known.path, &inputs)?;
            hold.polled = is_polled;
            hold.inputs = Some((request, offsets(&inputs)));
        }
        if !triggers.is_empty() {
            let request = ask(&known.path, &triggers, true)?;
            hold.triggers = Some((request, offsets(&triggers)));
        }
        if !outputs.is_empty() {
            let request = Arc::new(ask(&known.path, &outputs, true)?);
            let driven = outputs.iter();
            let driven = driven.filter_map(|(_, offset, drive)| Some((*offset, (*drive)?)));
            hold.outputs = Some((request, driven.collect()));
        }
        Ok(hold)
    }

    /// The levels of the inputs, in order.
    pub(super) fn levels(&self) -> Result<Vec<bool>, BusFault> {
        let Some((request, offsets)) = &self.inputs else {
            return Ok(Vec::new());
        };
        let mut values = Values::from_offsets(offsets);
        request.values(&mut values).map_err(|error| fault(&error))?;
        let level = |n: &u32| values.get(*n) == Some(Value::Active);
        Ok(offsets.iter().map(level).collect())
    }
}

type Placed<'w> = (&'w WantedLine, u32, Option<OutputSource>);

fn offsets(lines: &[Placed<'_>]) -> Vec<u32> {
    lines.iter().map(|(_, offset, _)| *offset).collect()
}

/// Requests these inputs from the kernel. Returns true if they must be polled because the chip reports no edges. Echoes
/// cannot be polled.
fn ask_inputs(chip: &PathBuf, lines: &[Placed<'_>]) -> Result<(Request, bool), LinesError> {
    let is_echo = |placed: &Placed<'_>| {
        matches!(
            placed.0.role,
            LineRole::Input {
                reads: Reads::Echo { .. },
                ..
            }
        )
    };
    match ask(chip, lines, true) {
        Err(LinesError::NoEdges { .. }) if !lines.iter().any(is_echo) => {
            Ok((ask(chip, lines, false)?, true))
        }
        asked => Ok((asked?, false)),
    }
}

/// Requests these lines of one chip from the kernel, the inputs with or without edges.
fn ask(chip: &PathBuf, lines: &[Placed<'_>], edges: bool) -> Result<Request, LinesError> {
    if lines.len() > MOST {
        let chip = chip.clone();
        return Err(LinesError::TooMany { chip });
    }
    let mut request = Request::builder();
    request.on_chip(chip).with_consumer(CONSUMER);
    for (line, offset, _) in lines {
        add(&mut request, line, *offset, edges);
    }
    request.request().map_err(|error| why(chip, lines, &error))
}

fn add(request: &mut Builder, wanted: &WantedLine, offset: u32, edges: bool) {
    request.with_line(offset);
    match wanted.role {
        LineRole::Output(OutputSource::Power { kept: true }) => {
            request.as_output(Value::Active);
        }
        LineRole::Output(_) | LineRole::Trigger(_) => {
            request.as_output(Value::Inactive);
        }
        LineRole::Input { .. } if !edges => {
            request.as_input();
        }
        LineRole::Input { debounce, .. } => {
            request
                .as_input()
                .with_edge_detection(EdgeDetection::BothEdges);
            if debounce > Duration::ZERO {
                // If the chip cannot debounce, the kernel does it.
                request.with_debounce_period(debounce);
            }
        }
    }
    // A chip without bias leaves the line as it is.
    if let Some(bias) = wanted.name.bias {
        request.with_bias(match bias {
            Bias::PullUp => line::Bias::PullUp,
            Bias::PullDown => line::Bias::PullDown,
            Bias::None => line::Bias::Disabled,
        });
    }
    if wanted.name.active_low {
        request.as_active_low();
    } else {
        request.as_active_high();
    }
}

/// Why the kernel refused the request.
fn why(chip: &PathBuf, lines: &[Placed<'_>], error: &gpiocdev::Error) -> LinesError {
    let chip_of = || chip.clone();
    match fault(error) {
        BusFault::Busy => {
            let table = LineTable::take().unwrap_or_default();
            let known = table.chips.iter().find(|item| item.path == *chip);
            let busy = lines.iter().find_map(|(item, offset, _)| {
                let line = known?.lines.get(*offset as usize)?;
                Some((item.name.line.clone(), line.consumer.clone()?))
            });
            // The line has become free meanwhile.
            let (line, consumer) = busy.unwrap_or_else(|| {
                let line = lines.first().map(|line| line.0.name.line.clone());
                (line.unwrap_or_default(), "another process".to_owned())
            });
            LinesError::Busy { line, consumer }
        }
        BusFault::Forbidden => LinesError::Forbidden { chip: chip_of() },
        BusFault::Gone if number(error) == Errno::NXIO.raw_os_error() => {
            LinesError::NoEdges { chip: chip_of() }
        }
        _ => LinesError::System {
            what: chip.display().to_string(),
            said: error.to_string(),
        },
    }
}
