//! Guests: choreographies as WebAssembly components, under fuel, inside the turn.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "dcm-run needs a 64-bit machine: it reserves 67 GB of addresses for guests, which a 32-bit one does not have; \
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
pub use load::compile::{CodeForm, CompileError, CompileLimits, Compiler, be_child};
pub use load::compiled_show::{CompiledShow, CompiledShowError, SHOW_COMMANDS_MAX, TimedCommand};
pub use load::componentize::componentize;
pub use load::contract::{COMPONENT_MAX, CheckedComponent, ContractError, World, check, name_of};
pub use load::engine::{Ticker, Tier};
pub use load::manifest::Manifest;
pub use load::wit::FILES as WIT;
pub use manage::admission::{Admission, PendingGuest};
pub use manage::grant::{Grant, GuestError, LoadOptions};
pub use manage::manager::{GuestManager, GuestSettings};
pub use manage::registry::{GuestLogLine, GuestStatus};
pub use manage::replay::ReplayedScore;
pub use shared::answer::Level;
pub use shared::event_bus::EventBus;
pub use shared::guest_body::{BodyNames, GuestBody};
pub use shared::report::{End, Figures, GuestLife, GuestReport, HOOKS, Hook, HookUsage};
pub use shared::terms::{GuestId, Terms};
pub use turn::inputs::TurnInput;
pub use turn::scheduler::{GUESTS, GuestScheduler, THINKING};
pub use turn::slot::GuestTurn;
