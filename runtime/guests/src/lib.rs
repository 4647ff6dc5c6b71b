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

pub use host::{Access, INTERFACES, Param, WasiGrant};
pub use load::cache::{Cache, digest};
pub use load::choreography::{Choreography, PrepareError};
pub use load::compile::{CompileError, Compiler, Form, Limits, be_child};
pub use load::compiled_show::{Line, RECITAL_MAX, Recital, RecitalError};
pub use load::componentize::componentize;
pub use load::contract::{Breach, COMPONENT_MAX, Checked, World, check, name_of};
pub use load::engine::{Ticker, Tier};
pub use load::manifest::Manifest;
pub use load::wit::FILES as WIT;
pub use manage::grant::{Grant, GuestError, Wishes};
pub use manage::manager::{Director, Ready, Settings};
pub use manage::registry::{Said, Status};
pub use manage::replay::Echo;
pub use shared::answer::Level;
pub use shared::event_bus::Bus;
pub use shared::guest_body::{Names, Scene};
pub use shared::report::{End, Figures, HOOKS, Hook, Life, Report, Used};
pub use shared::terms::{GuestId, Terms};
pub use turn::inputs::Heard;
pub use turn::scheduler::{GUESTS, THINKING, Troupe};
pub use turn::slot::Performed;
