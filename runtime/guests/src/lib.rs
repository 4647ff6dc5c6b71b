//! Guests: choreographies as WebAssembly components, which run inside the loop's turn, bounded by fuel and a deadline.
//!
//! A guest's life goes through the folders. `load` makes bytes a choreography: it checks them against the contract,
//! splices trusted code into them, compiles and links. `manage` stands outside the loop: it makes a guest of a
//! choreography and a grant, calls its `start`, gives it a name and hands it to the loop. `turn` runs inside the loop:
//! the scheduler calls its hooks by priority and flushes what they ask to its lane. `host` is what a hook can call
//! meanwhile: the contract's functions, one file for each interface. A score runs on a thread of its own and sends its
//! commands to the turn. When a guest ends, its lane fades out, and `manage` calls `stop` and frees it.
//! `shared` is what all of these know. Each folder imports only from those that come earlier in
//! `shared`, `host`, `load`, `turn`, `manage`.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "dcm-run needs a 64-bit machine: it reserves 180 GB of addresses for guests, which a 32-bit one does not have; \
     fix: a 64-bit system, which a Raspberry Pi 3 and later can run as well"
);

mod host;
mod load;
mod manage;
#[doc(hidden)]
pub mod probe;
mod shared;
mod turn;

pub use host::{INTERFACES, Param, WasiAccess, WasiGrant};
pub use load::cache::{Cache, digest};
pub use load::choreography::{Choreography, PrepareError};
pub use load::code_form::CodeForm;
pub use load::compile::{
    CompileBudget, CompileError, CompileLimits, Compiler, ExceededLimit, be_child,
};
pub use load::compile_load::CompileLoad;
pub use load::compile_progress::{CompileProgress, compile_progress, expected_time};
pub use load::compiled_show::{CompiledShow, CompiledShowError, SHOW_COMMANDS_MAX, TimedCommand};
pub use load::componentize::{TextEncoding, componentize, componentize_with};
pub use load::contract::{
    COMPONENT_MAX, CheckedComponent, ContractError, World, check, manifest_of, name_of,
};
pub use load::engine::{MEMORY_MAX, Ticker, Tier};
pub use load::manifest::{Manifest, with_manifest};
pub use load::reserve::reserve;
pub use load::wit::FILES as WIT;
pub use manage::admission::{Admission, PendingGuest};
pub use manage::grant::{Grant, GuestError, LoadOptions};
pub use manage::manager::{GuestManager, GuestSettings};
pub use manage::posted::{PostedEvent, TopicNames};
pub use manage::registry::{GuestLogLine, GuestStatus};
pub use manage::replay::ReplayedScore;
pub use shared::answer::Level;
pub use shared::event_bus::EventBus;
pub use shared::guest_body::{BodyNames, GuestBody};
pub use shared::report::{End, Figures, GuestLife, GuestReport, HOOKS, Hook, HookUsage};
pub use shared::terms::{GuestId, Terms};
pub use turn::guest::START_FUEL;
pub use turn::inputs::TurnInput;
pub use turn::scheduler::{GUESTS, GuestScheduler, THINKING};
pub use turn::slot::GuestTurn;
