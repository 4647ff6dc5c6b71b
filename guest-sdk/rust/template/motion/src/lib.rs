//! Nods, and looks at whoever touches its head.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Nods, and looks up when its head is touched.
    motion {{Name}} as "{{name}}";
    hooks pre_process, is_alive;                                // the functions below that are called
    joints HeadPitch, HeadYaw;                                  // by the names of the robot's description
    sensors Touch = "Head/Touch/Front";
    params Depth = "depth" from 0.05 to 0.2 usually 0.15;       // `dcm-run tune {{name}} depth=0.1`
    fuel 100_000;
}

/// Its state from turn to turn.
pub struct {{Name}} {
    /// When its last movement ends; `None` before the first turn.
    end: Option<Instant>,
    was_touched: bool,
}

impl Motion for {{Name}} {
    /// Called once, before the first turn.
    fn start() -> {{Name}} {
        say!("hello");
        {{Name}} {
            end: None,
            was_touched: false,
        }
    }

    /// Called in every turn, before values are computed.
    fn pre_process(&mut self, now: Instant) {
        if self.end.is_none() {
            self.end = Some(nod(now));
        }
        let is_touched = Touch.is_on();
        if is_touched && !self.was_touched {
            self.end = Some(look_up(now));
        }
        self.was_touched = is_touched;
    }

    /// Called in every turn: it ends when this is false.
    fn is_alive(&self) -> bool {
        self.end.is_none_or(|end| now() < end)
    }
}

/// Looks ahead, and nods twice. Returns when it ends.
fn nod(start: Instant) -> Instant {
    // A longer way takes longer.
    let ahead = HeadYaw.time_to(0.0, 0.3).max(400.ms());
    HeadYaw.through(&[(ahead, 0.0)]).at(start);
    let down = Depth.get();
    let nods = [
        (ahead * 0.5, 0.0),
        (ahead, 0.0),
        (ahead + 400.ms(), down),
        (ahead + 800.ms(), 0.0),
        (ahead + 1200.ms(), down),
        (ahead + 1600.ms(), 0.0),
    ];
    HeadPitch.through(&nods).at(start);
    start + ahead + 1600.ms()
}

/// Looks up for a moment. Returns when it ends.
fn look_up(start: Instant) -> Instant {
    // Angles are in radians, or 10.deg(); times are 300.ms(), or 1.5.s().
    let up = HeadPitch.to(-0.2).replacing();
    up.eased(Ease::Sine).over(600.ms());
    let down = HeadPitch.to(0.0).eased(Ease::Sine);
    down.from(-0.2).starting(start + 1.s()).over(600.ms());
    start + 2.s()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_nods_and_ends() {
        let mut stage = Rehearsal::of::<{{Name}}>(nao());
        stage.run_to_its_end(5.s());
        assert!(stage.sent(&HeadPitch).abs() < 0.01);
        stage.assert_nothing_clipped();
    }

    #[test]
    fn it_looks_up_when_its_head_is_touched() {
        let mut stage = Rehearsal::of::<{{Name}}>(nao());
        stage.sensor_after(1.s(), &Touch, 1.0);
        stage.run_for(2.s());
        assert!(stage.lowest(&HeadPitch) < -0.19);
        stage.assert_nothing_clipped();
    }
}
