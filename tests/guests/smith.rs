//! Thousands of unusual files: modules and components generated from fixed seeds, and good components with some bytes
//! changed. Each must be refused with a sentence, or run and harm nobody.

use std::collections::BTreeMap;

use arbitrary::Unstructured;
use guests::{CodeForm, LoadOptions, WasiGrant, check};
use tests::rig::{Plan, Rig, everything, with_rig};
use wasm_smith::{Component, Config, Module};

use crate::text::{Flat, contract, guest};

/// How many modules, components and damaged components are made; with `PROMISES=full` 32 times as many.
fn count_of(most: u64) -> u64 {
    if tests::effort() == 1 {
        most / 32
    } else {
        most
    }
}

const MODULES: u64 = 8_000;
const COMPONENTS: u64 = 4_000;
const DAMAGED: u64 = 8_000;

/// Of those that keep the contract, one in this many is compiled and run; all with `PROMISES=full`.
fn one_in() -> u64 {
    if tests::effort() == 1 { 12 } else { 1 }
}

/// The results, with their numbers.
#[derive(Default)]
struct Tally(BTreeMap<String, u64>);

impl Tally {
    fn count(&mut self, what: &str) {
        *self.0.entry(what.to_owned()).or_insert(0) += 1;
    }

    /// Counts a refusal by its first words, which contain no name from the file.
    fn refused(&mut self, where_: &str, sentence: &str) {
        assert!(sentence.len() > 10, "no sentence: {sentence}");
        let words: String = sentence
            .chars()
            .take(if where_ == "loaded" { 150 } else { 34 })
            .collect();
        let words = words.split(['`', '(']).next().unwrap_or("").to_owned();
        self.count(&format!("{where_}: {}", words.trim()));
    }

    fn print(&self, of: &str) {
        println!("{of}:");
        for (what, count) in &self.0 {
            println!("{count:8} {what}");
        }
    }
}

/// This many random bytes, the same for the same seed.
fn bytes(seed: u64, most: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let length = random.usize(64..most);
    (0..length).map(|_| random.u8(..)).collect()
}

/// A module with an import for every function of the contract.
fn imports() -> Vec<u8> {
    let mut text = String::new();
    for function in contract() {
        let flat = |flat: &Flat| match flat {
            Flat::I32 | Flat::Enum(_) => "i32 ",
            Flat::I64 => "i64 ",
            Flat::F64 => "f64 ",
            Flat::Text | Flat::Words => "i32 i32 ",
        };
        let params: String = function.params.iter().map(flat).collect();
        let result = function.result.as_ref().map_or("", flat);
        text += &format!(
            "(import \"dcm:choreography/{}@0.1.0\" \"{}\" (func (param {params}) (result {result})))",
            function.interface, function.name
        );
    }
    wat::parse_str(format!("(module {text})")).expect("a module")
}

/// A module with a guest's exports.
fn exports() -> Vec<u8> {
    wat::parse_str(
        r#"(module (memory (export "memory") 1)
        (func (export "start")) (func (export "pre-process")) (func (export "post-process"))
        (func (export "is-alive") (result i32) (i32.const 1)) (func (export "stop")))"#,
    )
    .expect("a module")
}

/// Small modules that the engine can compile.
fn modest() -> Config {
    Config {
        available_imports: Some(imports()),
        exports: Some(exports()),
        max_funcs: 12,
        max_memories: 0,
        max_memory32_bytes: 4 << 20,
        max_table_elements: 1_000,
        memory64_enabled: false,
        reference_types_enabled: false,
        gc_enabled: false,
        exceptions_enabled: false,
        threads_enabled: false,
        relaxed_simd_enabled: false,
        ..Config::default()
    }
}

/// Loads a component that keeps the contract, and runs it for some turns.
fn run(rig: &mut Rig<'_, '_>, bytes: &[u8], tally: &mut Tally) {
    match rig.load(bytes, &everything(), &LoadOptions::default()) {
        Err(error) => {
            // The engine can compile what passes the check.
            let text = error.to_string();
            assert!(!text.contains("WebAssembly"), "{text}");
            tally.refused("loaded", &text);
        }
        Ok(id) => {
            rig.turns(6);
            let end = rig.fate(id).1;
            let sound = rig
                .sent
                .iter()
                .all(|item| (-1000.0..=1000.0).contains(item));
            assert!(sound, "{:?}", rig.sent);
            tally.count(&format!("ran: {end:?}"));
            // It may have ended by itself.
            let _ = rig.manager.end(id);
            rig.turns(3);
            while rig.manager.said().is_some() {}
        }
    }
}

/// They import from the contract, and export hooks.
#[test]
fn modules_that_know_the_contract() {
    let kept = modules((0..count_of(MODULES)).step_by(2), modest);
    assert!(
        kept > count_of(MODULES) / 20,
        "only {kept} keep the contract"
    );
}

#[test]
fn modules_that_nobody_wrote() {
    modules((1..count_of(MODULES)).step_by(2), Config::default);
}

/// Makes a module from each seed, and runs some of those that keep the contract; returns how many keep it.
fn modules(seeds: impl Iterator<Item = u64>, config: impl Fn() -> Config) -> u64 {
    let mut tally = Tally::default();
    let kept = with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        let mut kept = 0;
        for seed in seeds {
            let raw = bytes(seed, 2_000);
            let config = config();
            let Ok(module) = Module::new(config, &mut Unstructured::new(&raw)) else {
                tally.count("made: nothing");
                continue;
            };
            let module = module.to_bytes();
            let failure = check(&module, WasiGrant::default()).expect_err("it is no component");
            assert!(failure.to_string().contains("core module"), "{failure}");
            let component = match guests::componentize(&module) {
                Ok(component) => component,
                Err(why) => {
                    tally.refused("made", &why);
                    continue;
                }
            };
            match check(&component, WasiGrant::default()) {
                Err(error) => tally.refused("checked", &error.to_string()),
                Ok(_) => {
                    kept += 1;
                    if kept % one_in() == 0 {
                        run(rig, &component, &mut tally);
                    }
                }
            }
        }
        tally.count("files");
        kept
    });
    tally.print("modules");
    kept
}

#[test]
fn components_that_nobody_wrote() {
    let mut tally = Tally::default();
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        for seed in 0..count_of(COMPONENTS) {
            let raw = bytes(seed ^ 0xc0, 4_000);
            let made = Component::new(Config::default(), &mut Unstructured::new(&raw));
            let Ok(component) = made else {
                tally.count("made: nothing");
                continue;
            };
            let component = component.to_bytes();
            match check(&component, WasiGrant::default()) {
                Err(error) => tally.refused("checked", &error.to_string()),
                Ok(_) => run(rig, &component, &mut tally),
            }
        }
    });
    tally.print("components");
    assert!(tally.0.values().sum::<u64>() >= count_of(COMPONENTS));
}

#[test]
fn good_components_with_some_bytes_changed() {
    let good = guest(
        r#"(memory (export "memory") 1) (table 4 funcref) (data (i32.const 0) "HeadYaw")
        (func (export "start") (drop (call $body.find-actuator (i32.const 0) (i32.const 7))))
        (func (export "pre-process")
          (drop (call $commands.set (i32.const 0) (call $sensors.read (i32.const 1)) (call $clock.now)))
          (drop (call $log.write (i32.const 1) (i32.const 0) (i32.const 7))))
        (func (export "is-alive") (result i32) (i32.const 1))"#,
    );
    let mut tally = Tally::default();
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        let mut kept = 0;
        for seed in 0..count_of(DAMAGED) {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut bytes = good.clone();
            for _ in 0..random.usize(1..4) {
                let at = random.usize(0..bytes.len());
                match random.u8(0..4) {
                    0 => bytes[at] ^= 1 << random.u8(0..8),
                    1 => bytes[at] = random.u8(..),
                    2 => _ = bytes.remove(at),
                    _ => bytes.insert(at, random.u8(..)),
                }
            }
            match check(&bytes, WasiGrant::default()) {
                Err(error) => tally.refused("checked", &error.to_string()),
                Ok(_) => {
                    kept += 1;
                    if kept % one_in() == 0 {
                        run(rig, &bytes, &mut tally);
                    }
                }
            }
        }
        assert!(kept > 0);
    });
    tally.print("changed");
}
