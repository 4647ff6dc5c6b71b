//! Guests: choreographies as WebAssembly components, under fuel, inside the turn.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "dcm-run needs a 64-bit machine: it reserves 67 GB of addresses for guests, which a 32-bit one does not have; \
     fix: a 64-bit system, which a Raspberry Pi 3 and later can run as well"
);

mod actor;
mod again;
mod answer;
mod asked;
mod breach;
mod bus;
mod cache;
mod carry;
mod choreography;
mod compile;
mod componentize;
mod contract;
mod cues;
mod desk;
mod director;
mod engine;
mod grant;
mod guest;
mod heard;
mod hooks;
mod host;
mod inplace;
mod manifest;
mod office;
mod performed;
mod printing;
#[doc(hidden)]
pub mod probe;
mod recital;
mod report;
mod running;
mod scene;
mod score;
mod splice;
mod steer;
mod tray;
mod troupe;
mod voice;
mod wasi;
mod wit;

pub use again::Echo;
pub use answer::Level;
pub use breach::Breach;
pub use bus::Bus;
pub use cache::{Cache, digest};
pub use choreography::{Choreography, PrepareError};
pub use compile::{CompileError, Compiler, Form, Limits, be_child};
pub use componentize::componentize;
pub use contract::{COMPONENT_MAX, Checked, WasiGrant, World, check, name_of};
pub use director::{Director, Ready, Settings};
pub use engine::{Ticker, Tier};
pub use grant::{Grant, GuestError, Wishes};
pub use guest::{GuestId, Terms};
pub use heard::Heard;
pub use host::{INTERFACES, Param};
pub use manifest::Manifest;
pub use office::{Said, Status};
pub use performed::Performed;
pub use recital::{Line, RECITAL_MAX, Recital, RecitalError};
pub use report::{End, Figures, HOOKS, Hook, Life, Report, Used};
pub use scene::{Names, Scene};
pub use troupe::{GUESTS, THINKING, Troupe};
pub use wasi::Access;
pub use wit::FILES as WIT;
