//! Sensors and clock read in place, commands written in place: a small trusted module that is spliced into every
//! motion, and compiled with it.
//! Called when a guest is compiled; its text is `inplace.wat`, which reads and writes `GuestShared`.
//! Only the text here reaches the intrinsics. A guest's imports were checked against the contract before,
//! and the intrinsics' name is random, so that no guest can know it.

#![allow(
    unsafe_code,
    reason = "the intrinsics are given to what is spliced in here"
)]

use std::hash::{BuildHasher, RandomState};

use wasmparser::Validator;
use wasmtime::CodeBuilder;

use crate::load::contract::features;
use crate::load::splice::{Calls, Intrinsic, KeptPlace, TrustedModule, splice};
use crate::shared::answer::HostAnswer;
use crate::shared::command_buffer::ITEM_WORDS;
use crate::shared::guest_shared::{COUNT_BITS, COUNT_MAX, OFFSETS};

/// What is compiled into guests; a part of every artefact's key.
pub(crate) const SOURCE: &str = include_str!("inplace.wat");

/// The functions that are kept in place: interface, function, and the export of `inplace.wat` that replaces it.
const PLACES: [KeptPlace; 4] = [
    (crate::host::SENSORS, "read", "sensors.read"),
    (crate::host::COMMANDS, "set", "commands.set"),
    (crate::host::CLOCK, "now", "clock.now"),
    (crate::host::CLOCK, "turn", "clock.turn"),
];

/// The intrinsics that `inplace.wat` uses: how many words each takes, and whether it returns one.
const INTRINSICS: [Intrinsic; 4] = [
    ("store-data-address", 0, true),
    ("u64-native-load", 1, true),
    ("u64-native-store", 2, false),
    ("u64-checked-native-load", 3, true),
];

/// A guest with what was spliced into it.
pub(crate) struct Spliced {
    /// The component.
    pub(crate) component: Vec<u8>,
    /// The name under which it imports the intrinsics.
    secret: String,
}

/// Splices the trusted module into a checked guest; `None` if the guest calls nothing that is kept in place.
pub(crate) fn splice_into(guest: &[u8]) -> Result<Option<Spliced>, String> {
    let secret = format!("u{:016x}", RandomState::new().hash_one(0u8));
    // First protection: the intrinsics have one name, which only our module imports. If the guest imported it, the
    // name would be in its bytes.
    if guest
        .windows(secret.len())
        .any(|pair| pair == secret.as_bytes())
    {
        return Err("it imports a name that is reserved".to_owned());
    }
    // Second protection: a guest that is valid by itself can refer only to its own items. It was validated before,
    // but perhaps by another process.
    let sound = |component: &[u8]| {
        let mut validator = Validator::new_with_features(features());
        validator.validate_all(component).map(|_| ())
    };
    sound(guest).map_err(|error| format!("it is not a valid component: {error}"))?;
    let module = module()?;
    let trusted = TrustedModule {
        secret: &secret,
        intrinsics: &INTRINSICS,
        module: &module,
        places: &PLACES,
    };
    let Some(mut component) = splice(guest, &trusted, Calls::Copied)? else {
        return Ok(None);
    };
    // Copies need types, imports and locals; a guest that has nearly as many as there may be does without.
    if sound(&component).is_err()
        && let Some(other) = splice(guest, &trusted, Calls::Kept)?
    {
        component = other;
    }
    sound(&component).map_err(|error| {
        format!(
            "what it imports does not fit the contract ({error}); fix: build it with what `dcm-run wit` \
             prints"
        )
    })?;
    Ok(Some(Spliced { component, secret }))
}

/// Lets the compiler provide the intrinsics to the module that was spliced in.
pub(crate) fn expose(builder: &mut CodeBuilder<'_>, spliced: &Spliced) {
    // SAFETY: the name was drawn for this guest, in whose bytes it does not occur, and is imported only for the text
    // of `inplace.wat` and for copies of it: no index of the guest's refers to these imports (see `splice` and
    // `splice::inline`). What that text does with the intrinsics is bounded by the lengths in `GuestShared`, which are
    // set from live memory before every call; the verdicts lie in a box that the store owns for its whole life. Code
    // is only ever instantiated in a `Store<Host>`, whose data begins with `GuestShared`, because the cache's keys
    // include its layout, and no other store is made here.
    unsafe {
        builder.expose_unsafe_intrinsics(spliced.secret.clone());
    }
}

/// The trusted module.
fn module() -> Result<Vec<u8>, String> {
    let mut text = SOURCE.to_owned();
    let numbers = [
        ("NOT_FINITE", HostAnswer::NotFinite.number()),
        ("OUT_OF_REACH", HostAnswer::OutOfReach.number()),
        ("COUNTED", u64::from(COUNT_BITS)),
        ("COUNT", COUNT_MAX),
        // Added to the packed slice of free places: one item later, and one fewer.
        ("ONE_LESS", ((ITEM_WORDS as u64 * 8) << COUNT_BITS) - 1),
    ];
    let offsets = OFFSETS.iter().map(|offset| (offset.0, offset.1 as u64));
    let mut numbers: Vec<_> = numbers.into_iter().chain(offsets).collect();
    // The longest first, because some names are part of others.
    numbers.sort_by_key(|number| std::cmp::Reverse(number.0.len()));
    for (name, number) in numbers {
        text = text.replace(name, &number.to_string());
    }
    wat::parse_str(&text).map_err(|error| error.to_string())
}
