//! Sensors and clock read in place, commands written in place: a small trusted component that is composed with
//! every motion, and compiled into it.
//! Called when a guest is compiled; its text is `inplace.wat`, which reads and writes `desk`.
//! The law: only the text here reaches the intrinsics. A guest's imports were checked against the
//! contract before; and their name is drawn anew each time, so that no guest could know it.

#![allow(
    unsafe_code,
    reason = "the intrinsics are given to what is composed here"
)]

use std::hash::{BuildHasher, RandomState};

use cycle::REACH;
use wasm_compose::graph::{Component as Part, CompositionGraph, EncodeOptions};
use wasmparser::Validator;
use wasmtime::CodeBuilder;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::answer::Answer;
use crate::contract::features;
use crate::desk::{COUNT_BITS, COUNT_MAX, OFFSETS};
use crate::tray::ITEM_WORDS;
use crate::wit;

/// What is compiled into guests; a part of every artefact's key.
pub(crate) const SOURCE: &str = include_str!("inplace.wat");

/// The interfaces that are kept in place.
const INTERFACES: [&str; 3] = [
    crate::host::SENSORS,
    crate::host::COMMANDS,
    crate::host::CLOCK,
];

/// A guest with what was composed into it.
pub(crate) struct Composed {
    /// The whole, as one component.
    pub(crate) component: Vec<u8>,
    /// The name under which it asks for the intrinsics.
    secret: String,
}

/// Composes a guest that was checked; nothing if it asks for none of the interfaces.
pub(crate) fn compose(guest: &[u8]) -> Result<Option<Composed>, String> {
    let secret = format!("u{:016x}", RandomState::new().hash_one(0u8));
    let told = |error: anyhow::Error| format!("{error:#}");
    let mut validator = Validator::new_with_features(features());
    let guest = Part::from_bytes(&mut validator, "guest", guest).map_err(told)?;
    let wanted: Vec<_> = guest
        .imports()
        .filter(|(_, name, _)| INTERFACES.contains(name))
        .map(|(place, name, _)| (place, name.to_owned()))
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    // The wall: whatever else asks for it, the intrinsics have one name, and it is ours.
    if guest.imports().any(|(_, name, _)| name == secret) {
        return Err("it guessed a name that it cannot know".to_owned());
    }
    let inplace = component(&secret)?;
    let inplace = Part::from_bytes(&mut validator, "inplace", inplace).map_err(told)?;
    let mut edges = Vec::new();
    for (import, name) in wanted {
        let export = inplace.export_by_name(&name);
        let export = export
            .ok_or_else(|| format!("`{name}` is not kept in place"))?
            .0;
        edges.push((export, import, name));
    }
    let mut graph = CompositionGraph::new();
    let guest = graph.add_component(guest).map_err(told)?;
    let inplace = graph.add_component(inplace).map_err(told)?;
    let guest = graph.instantiate(guest).map_err(told)?;
    let inplace = graph.instantiate(inplace).map_err(told)?;
    for (export, import, name) in edges {
        let unfit = |error| {
            format!(
                "what it imports of `{name}` does not fit the contract ({error:#}); fix: build it with \
                 what `dcm-run wit` prints"
            )
        };
        graph
            .connect(inplace, Some(export), guest, import)
            .map_err(unfit)?;
    }
    let options = EncodeOptions {
        define_components: true,
        export: Some(guest),
        validate: true,
    };
    let component = graph.encode(options).map_err(told)?;
    Ok(Some(Composed { component, secret }))
}

/// Lets the compiler give the intrinsics to what was composed.
pub(crate) fn expose(builder: &mut CodeBuilder<'_>, composed: &Composed) {
    // SAFETY: the name was drawn for this composition, and only `inplace.wat` imports it: the guest's
    // imports were all looked through by `contract`, and again above. What that text does with the
    // intrinsics is bounded by the desk's own lengths, which `guest` sets from live memory before every
    // call; and code is only ever instantiated in a `Store<Host>`, whose data begins with the desk,
    // because artefacts are kept under a key with the desk's layout, and no other store is made here.
    unsafe {
        builder.expose_unsafe_intrinsics(composed.secret.clone());
    }
}

/// The trusted component, with the intrinsics under this name.
fn component(secret: &str) -> Result<Vec<u8>, String> {
    let mut text = SOURCE.replace("SECRET", secret);
    let reach = REACH.nanos();
    let numbers = [
        ("TWICE_REACH", 2 * reach),
        ("REACH", reach),
        ("NOT_FINITE", Answer::NotFinite.number()),
        ("OUT_OF_REACH", Answer::OutOfReach.number()),
        ("COUNTED", u64::from(COUNT_BITS)),
        ("COUNT", COUNT_MAX),
        // A row of free places that begins one later.
        ("ONE_LESS", ((ITEM_WORDS as u64 * 8) << COUNT_BITS) - 1),
    ];
    let offsets = OFFSETS.iter().map(|it| (it.0, it.1 as u64));
    let mut numbers: Vec<_> = numbers.into_iter().chain(offsets).collect();
    // The longest first: some names are a part of others.
    numbers.sort_by_key(|it| std::cmp::Reverse(it.0.len()));
    for (name, number) in numbers {
        text = text.replace(name, &number.to_string());
    }
    let mut module = wat::parse_str(&text).map_err(|error| error.to_string())?;
    let world = format!(
        "package dcm:inplace;
        world inplace {{
            import {secret}: interface {{
                store-data-address: func() -> u64;
                u64-native-load: func(pointer: u64) -> u64;
                u64-native-store: func(pointer: u64, value: u64);
                u64-checked-native-load: func(pointer: u64, offset: u64, length: u64) -> u64;
            }}
            import {sensors};
            import {commands};
            import {clock};
            export {sensors};
            export {commands};
            export {clock};
        }}",
        sensors = crate::host::SENSORS,
        commands = crate::host::COMMANDS,
        clock = crate::host::CLOCK,
    );
    let (mut resolve, _): (Resolve, _) = wit::resolve()?;
    let package = wit::add(&mut resolve, &[("inplace.wit", &world)])?;
    let told = |error: anyhow::Error| format!("{error:#}");
    let world = resolve
        .select_world(&[package], Some("inplace"))
        .map_err(|error| error.to_string())?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).map_err(told)?;
    ComponentEncoder::default()
        .validate(true)
        .module(&module)
        .and_then(|mut it| it.encode())
        .map_err(told)
}
