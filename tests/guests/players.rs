//! Shows that play beside others: their own way goes on from their own values, whatever is sent to the body.
//! The oracle is the steepest line that a show can have.

use std::collections::BTreeMap;

use guests::{CodeForm, LoadOptions};
use robot::show::Show;
use tests::rig::{Plan, everything, with_rig};

/// A show of one joint, as a component.
fn show(keys: &[(f64, f64)]) -> Vec<u8> {
    let rows = keys.iter().map(|(at, value)| format!("J0,{at},{value}\n"));
    let text = format!("actuator,time,value\n{}", rows.collect::<String>());
    let show = Show::read("show.csv", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    show.component().expect("a component")
}

#[test]
fn a_show_that_is_blended_with_another_never_jumps() {
    for seed in 0..(3 * tests::effort()).min(6) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut value = || f64::from(random.i32(-100..=100));
        // Half a second between keys, and a second for every way: 1.5 times as fast in its middle.
        let keys: Vec<_> = (0..5)
            .map(|place| (f64::from(place) * 0.5, value()))
            .collect();
        let steepest = 200.0 / 0.5 * 4.0_f64.max(1.5) * 1e-3;
        let other = value();
        with_rig(&Plan::of(CodeForm::InPlace), |rig| {
            let constant = show(&[(0.0, other), (60.0, other)]);
            let weight = [1.0, 0.5, 0.25][seed as usize % 3];
            let above = LoadOptions {
                weight: Some(weight),
                priority: Some(if seed % 2 == 0 { 10.0 } else { 20.0 }),
                params: vec![("loop".to_owned(), 1.0)],
                ..LoadOptions::default()
            };
            rig.load(&constant, &everything(), &LoadOptions::default())
                .expect("a show");
            let id = rig
                .load(&show(&keys), &everything(), &above)
                .expect("a show");
            // Both come from where the joint is.
            rig.turns(1_500);
            for turn in 0..4_000 {
                let before = rig.sent[0];
                if turn % 1_300 == 500 {
                    let (name, value) = match random.u32(0..3) {
                        0 => ("at", f64::from(random.u32(0..20)) / 10.0),
                        1 => ("speed", f64::from(random.i32(-8..=8)) / 2.0),
                        _ => ("pause", f64::from(random.u32(0..2))),
                    };
                    let params = BTreeMap::from([(name.to_owned(), value)]);
                    rig.manager
                        .tune(id, &params, None, None)
                        .expect("a parameter");
                }
                rig.turns(1);
                let step = (rig.sent[0] - before).abs();
                assert!(step <= steepest, "seed {seed}, turn {turn}: {step}");
            }
        });
    }
}
