//! Looks left and right, to a beat, and lights its chest.

#![no_std]

use choreography::prelude::*;

choreography! {
    /// Looks left and right, to a beat.
    score {{Name}} as "{{name}}";
    joints HeadYaw;                                             // by the names of the robot's description
    groups Chest = "ChestLeds";
    params Far = "far" from 0.1 to 0.8 usually 0.5;             // `dcm-run tune {{name}} far=0.3`
}

pub struct {{Name}};

impl Score for {{Name}} {
    /// Runs beside the loop. Commands that still wait when it returns are dropped.
    fn run() {
        say!("hello");
        // Angles are in radians, or 10.deg(); times are 300.ms(), or 1.5.s().
        let music = Tempo::bpm(100.0).beginning(now() + 1.s());
        HeadYaw.to(0.0).eased(Ease::Sine).over(900.ms());
        for bar in 1..=4 {
            let far = Far.get();
            let (left, right) = ((music.beats(1), far), (music.beats(3), -far));
            let look = [left, right, (music.beats(4), 0.0)];
            HeadYaw.through(&look).from(0.0).at(music.bar(bar).beat(1));
            Chest.to(1.0).at(music.bar(bar).beat(2));
            Chest.to(0.0).at(music.bar(bar).beat(4));
            sleep_until(music.bar(bar).beat(3));
        }
        sleep_until(music.bar(5).beat(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_both_ways_and_ends_in_the_middle() {
        let mut stage = Rehearsal::of::<{{Name}}>(nao());
        stage.run_to_its_end(15.s());
        assert!(stage.lowest(&HeadYaw) <= -0.5 && stage.sent(&HeadYaw).abs() < 0.01);
        stage.assert_nothing_clipped();
    }
}
