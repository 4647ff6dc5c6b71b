//! Components that were built for a published contract still run: these very bytes, which are never built again.

use std::collections::BTreeSet;

use guests::{End, GuestId, GuestLife, Level, LoadOptions, WasiGrant, World, check};
use tests::rig::{Rig, everything};

use crate::both;

const MOTION: &[u8] = include_bytes!("published/0.1.0/motion.wasm");
const SCORE: &[u8] = include_bytes!("published/0.1.0/score.wasm");
const FUNCTIONS: &str = include_str!("published/0.1.0/functions.txt");

/// The digests of both: a new build would be noticed.
const DIGESTS: [&str; 2] = [
    "c81f6649249c79d7703a8a0184667fbb38c7b1eff45aca8a6ee00b54729291c3",
    "7e5d621fc266af5a73fc70cf6092700f96f3d81ff2cf37902659faf9f1c0354e",
];

/// Interface, name, and the types in a core module.
fn functions() -> Vec<(&'static str, &'static str, &'static str)> {
    let line = |text: &'static str| {
        let (interface, rest) = text.split_once(' ').expect("an interface");
        let (name, types) = rest.split_once(' ').expect("a name");
        (interface, name, types)
    };
    FUNCTIONS.lines().map(line).collect()
}

#[test]
fn they_are_the_files_that_were_published() {
    assert_eq!([MOTION, SCORE].map(guests::digest), DIGESTS);
    // Their sources are those from which they were built.
    for (bytes, source) in [
        (MOTION, include_str!("published/0.1.0/motion.wat")),
        (SCORE, include_str!("published/0.1.0/score.wat")),
    ] {
        let checked = check(bytes, WasiGrant::default()).expect("it keeps the contract");
        for (interface, functions) in &checked.imports {
            for name in functions {
                assert!(
                    source.contains(&format!("(import \"{interface}\" \"{name}\"")),
                    "{interface} {name}"
                );
            }
        }
    }
}

#[test]
fn they_import_every_function_of_that_contract_and_the_host_has_them_all() {
    let listed: BTreeSet<_> = functions()
        .iter()
        .map(|function| (function.0, function.1))
        .collect();
    assert_eq!(listed.len(), FUNCTIONS.lines().count());
    for (bytes, world) in [(MOTION, World::Motion), (SCORE, World::Score)] {
        let checked = check(bytes, WasiGrant::default()).expect("it keeps the contract");
        assert_eq!(checked.world, world);
        let imports = checked.imports.iter();
        let imported: BTreeSet<_> = imports
            .flat_map(|import| {
                import
                    .1
                    .iter()
                    .map(|name| (import.0.as_str(), name.as_str()))
            })
            .collect();
        assert_eq!(imported, listed);
    }
    for (interface, name, types) in functions() {
        let offered = guests::INTERFACES.iter().find(|pair| pair.0 == interface);
        let offered = offered.is_some_and(|offered| offered.1.contains(&name));
        assert!(offered, "the host has no {interface} {name} any more");
        // As in today's text of the contract.
        let short = interface
            .strip_prefix("dcm:choreography/")
            .and_then(|rest| rest.strip_suffix("@0.1.0"));
        let mut known = crate::text::contract().iter();
        let known = known
            .find(|function| Some(function.interface.as_str()) == short && function.name == name);
        let known = known.map(crate::text::Function::types);
        assert_eq!(known.as_deref(), Some(types), "{interface} {name}");
    }
}

fn load(rig: &mut Rig<'_, '_>, bytes: &[u8]) -> GuestId {
    rig.sensed[1] = 0.5;
    rig.turns(2);
    let loaded = rig.load(bytes, &everything(), &LoadOptions::default());
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

fn lines(rig: &Rig<'_, '_>) -> Vec<(Level, String)> {
    let said = std::iter::from_fn(|| rig.manager.said());
    said.map(|value| (value.level, value.text)).collect()
}

/// Checks J0, J1 and J2 from the third turn of a guest on; it knows a turn that is this much older.
fn moves(rig: &mut Rig<'_, '_>, turns: u32, old: u64, checks: impl Fn(u32) -> u32) {
    for turn in 3..=turns {
        let now = rig.turn().turn;
        assert_eq!(rig.sent[0], (now - old) as f64);
        // It receives its own 6 from the second turn on, and its parameter is 4.
        assert_eq!(rig.sent[1], 24.0);
        assert_eq!(rig.sent[2], f64::from(checks(turn)), "checks, at {turn}");
    }
}

#[test]
fn the_motion_moves_as_it_did() {
    both(|rig| {
        let id = load(rig, MOTION);
        assert_eq!(rig.status(id).params[0].0.name, "height");
        rig.turns(2);
        assert_eq!(lines(rig), [(Level::Info, "here I am".to_owned())]);
        moves(rig, 49, 0, |_| 33);
        assert_eq!(rig.sent[3], 33.0);
        rig.turns(4);
        assert_eq!(rig.fate(id), (GuestLife::Gone, End::Finished));
        assert_eq!(lines(rig), [(Level::Warning, "drum".to_owned())]);
        let figures = rig.status(id).figures;
        assert_eq!((figures.refused, figures.clipped), (0, 0));
        // One of its parameters is changed as well.
        let again = load(rig, MOTION);
        rig.manager.turn(again, "height", 2.0).expect("it has it");
        rig.turns(3);
        assert_eq!(rig.sent[1], 12.0);
    });
}

#[test]
fn the_score_plays_as_it_did() {
    both(|rig| {
        let id = load(rig, SCORE);
        rig.turn();
        // It is driven in the turn in which that was requested, and no other.
        assert_eq!(rig.sent[3], 33.0);
        rig.turn();
        // Outside a turn the last turn counts; and each of its sleeps is one more check.
        moves(rig, 49, 1, |turn| 31 + turn);
        assert_eq!(lines(rig), [(Level::Info, "here I am".to_owned())]);
        rig.until(100, |rig| rig.fate(id).0 == GuestLife::Gone);
        assert_eq!(rig.fate(id).1, End::Finished);
        let figures = rig.status(id).figures;
        assert_eq!((figures.refused, figures.clipped), (0, 0));
    });
}
