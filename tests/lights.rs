//! The lights of a NAO on their wire: every level on the way from dark to bright, in whole counts.

use std::collections::BTreeSet;

use cycle::{ActuatorId, Body, Incoming, Instant, Kind, Outgoing, Request, Span, To};
use description::{BodyTables, RobotSource, load};
use tests::{Wire, bare, lane, plan, start, turn_with, with_cycle};

const PERIOD: Span = Span::from_millis(10);

/// How long they take from dark to bright, in turns.
const TURNS: u64 = 1_000;

/// The number of levels, by the NAO's document; those of the head have none.
fn levels(name: &str) -> Option<u32> {
    match name.split('/').next() {
        Some("Face") => Some(64),
        Some("Ears") => Some(16),
        Some("ChestBoard" | "LFoot" | "RFoot") => Some(256),
        _ => None,
    }
}

#[test]
fn every_light_of_a_nao_goes_through_all_its_levels_on_the_wire() {
    let robot = load(&RobotSource::of("nao")).expect("it is shipped");
    let tables = BodyTables::of(&robot);
    let whole = tables.body();
    let all = whole.actuators.iter();
    let lights: Vec<_> = all
        .filter(|value| value.kind == Kind::Light)
        .copied()
        .collect();
    assert_eq!(lights.len(), 89);
    let body = Body {
        actuators: &lights,
        sensors: &[],
        couplings: &[],
        groups: &[],
        boards: whole.boards,
    };
    let ids: Vec<_> = (0..89).map(ActuatorId).collect();
    let mut seen = vec![BTreeSet::new(); 89];
    with_cycle(&body, &plan(&body, 1, 89), bare(PERIOD), |cycle| {
        let by = cycle.stage().open(lane(89)).expect("a lane");
        let from = start(cycle, Instant::from_millis(1_000), PERIOD);
        let (at, bright) = (from + PERIOD.times(TURNS), [1.0; 89]);
        let request = Request::vector(To::Many(&ids), &at, &bright);
        cycle.stage().submit(by, &request).expect("there is room");
        for turn in 1..=TURNS {
            let share = turn as f64 / TURNS as f64;
            let mut board = Wire(|out: &Outgoing<'_>, back: &mut Incoming<'_>| {
                for ((light, target), seen) in lights.iter().zip(out.targets).zip(&mut seen) {
                    let exact =
                        share * levels(light.name).map_or(1.0, |level| f64::from(level - 1));
                    let near = if levels(light.name).is_some() {
                        assert_eq!(target.counts, target.counts.round(), "{}", light.name);
                        0.5
                    } else {
                        0.0
                    };
                    let off = (target.counts - exact).abs();
                    assert!(off <= near + 1e-6, "{}: {off} from {exact}", light.name);
                    seen.insert(target.counts as u32);
                }
                for answer in back.answers.iter_mut() {
                    (answer.answered, answer.acknowledged) = (true, out.turn);
                }
            });
            turn_with(cycle, from + PERIOD.times(turn), &mut (), &mut board);
        }
    });
    for (light, seen) in lights.iter().zip(&seen) {
        if let Some(levels) = levels(light.name) {
            // In 1,000 turns even a light of 256 levels shows each of them.
            assert_eq!(seen.len(), levels as usize, "{}", light.name);
        }
    }
}
