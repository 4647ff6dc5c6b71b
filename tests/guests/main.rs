//! Guests in a test rig: what the contract promises them, and what they cannot do. Each test runs with both forms.

mod arrivals;
mod calls;
mod commands;
mod compiling;
mod contract;
mod events;
mod fuel;
mod grants;
mod hook_share;
mod hooks;
mod leaving;
mod life;
mod limits;
mod modules;
mod names;
mod order;
mod pauses;
mod players;
mod preview_1;
mod printing;
mod published;
mod requests;
mod reserve;
mod scores;
mod script;
mod smith;
mod splice;
mod stdio;
mod swap;
mod text;
mod tune;
mod vices;
mod walls;
mod wasi;

use tests::rig::{FORMS, Plan, Rig, with_rig};

/// In a rig of each form.
fn both(f: impl Fn(&mut Rig<'_, '_>)) {
    for form in FORMS {
        with_rig(&Plan::of(form), &f);
    }
}
