//! Lines of guests in the log. The target of an entry is fixed where it is written, but a guest's name comes at run
//! time: so each guest gets callsites of its own, one for each level.
//! Used by whoever drains the guests' lines. Names come from outside, so the callsites, which stay for ever,
//! are limited in number.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use tracing_core::callsite::{self, Callsite};
use tracing_core::field::{FieldSet, Value};
use tracing_core::{Event, Interest, Kind, Level, Metadata, dispatcher, identify_callsite};

/// The most callsites. Further guests write under the name `guest`.
const CALLSITES_MAX: usize = 1024;

/// The name of every callsite here.
const NAME: &str = "a line of a guest";

const FIELDS: &[&str] = &["message", "at_ns", "turn", "guest"];

/// Whether this is a line of a guest.
pub(crate) fn is_line(of: &Metadata<'_>) -> bool {
    of.name() == NAME
}

/// Writes a line of a guest, of this instant and turn.
pub fn guest_line(guest: &str, level: Level, (at_ns, turn): (u64, u64), text: &str) {
    let Some(metadata) = callsite_of(guest, level).metadata.get() else {
        return;
    };
    dispatcher::get_default(|dispatch| {
        if !dispatch.enabled(metadata) {
            return;
        }
        let fields = metadata.fields();
        let values: [&dyn Value; 4] = [&text, &at_ns, &turn, &guest];
        let mut named = fields.iter().zip(values);
        let mut next = || named.next().map(|(field, value)| (field, Some(value)));
        let [Some(text), Some(at), Some(turn), Some(guest)] = [next(), next(), next(), next()]
        else {
            return;
        };
        let pairs = [
            (&text.0, text.1),
            (&at.0, at.1),
            (&turn.0, turn.1),
            (&guest.0, guest.1),
        ];
        Event::dispatch(metadata, &fields.value_set(&pairs));
    });
}

/// The place in the program that an entry comes from, as tracing sees it.
struct GuestCallsite {
    metadata: OnceLock<Metadata<'static>>,
}

impl Callsite for GuestCallsite {
    // Whether it is enabled is asked each time: a guest's lines are few.
    fn set_interest(&self, _: Interest) {}

    fn metadata(&self) -> &Metadata<'_> {
        self.metadata
            .get_or_init(|| unreachable!("it is set before the callsite is registered"))
    }
}

/// The callsite of a guest and a level.
fn callsite_of(guest: &str, level: Level) -> &'static GuestCallsite {
    type Callsites = HashMap<(String, Level), &'static GuestCallsite>;
    static CALLSITES: OnceLock<Mutex<Callsites>> = OnceLock::new();
    let callsites = CALLSITES.get_or_init(Mutex::default);
    // A panic leaves nothing inconsistent: each change is one insertion.
    let mut callsites = callsites.lock().unwrap_or_else(PoisonError::into_inner);
    let is_full = callsites.len() >= CALLSITES_MAX;
    let known = callsites.get(&(guest.to_owned(), level)).copied();
    known.unwrap_or_else(|| {
        let name = if is_full { "guest" } else { guest };
        let key = (name.to_owned(), level);
        *callsites
            .entry(key)
            .or_insert_with(|| register(name, level))
    })
}

/// Makes a callsite that stays for ever, as those of the macros do.
fn register(guest: &str, level: Level) -> &'static GuestCallsite {
    let target: &'static str = Box::leak(guest.to_owned().into_boxed_str());
    let callsite: &'static GuestCallsite = Box::leak(Box::new(GuestCallsite {
        metadata: OnceLock::new(),
    }));
    let fields = FieldSet::new(FIELDS, identify_callsite!(callsite));
    let metadata = Metadata::new(NAME, target, level, None, None, None, fields, Kind::EVENT);
    // It was made just now: nobody else can have set it.
    let _ = callsite.metadata.set(metadata);
    callsite::register(callsite);
    callsite
}
