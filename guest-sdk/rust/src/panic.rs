//! The end of a guest that panics: one line that says where, and a trap. Its lane ends as it declared.

use core::panic::Location;

use crate::log::{Level, Line};

fn tell(place: Option<&Location<'_>>) {
    let mut line = Line::new().with("it panicked");
    if let Some(place) = place {
        line = line
            .with(" at ")
            .with(place.file())
            .with(":")
            .with(place.line());
    }
    line.write(Level::Warning);
}

#[cfg(not(feature = "std"))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    tell(info.location());
    core::arch::wasm32::unreachable()
}

/// With std the trap is its own.
#[cfg(feature = "std")]
pub(crate) fn listen() {
    std::panic::set_hook(std::boxed::Box::new(|info| tell(info.location())));
}
