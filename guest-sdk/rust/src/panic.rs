//! The panic handler: logs the place, and traps. The lane of the guest ends as declared.

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

/// With std the trap is the standard library's.
#[cfg(feature = "std")]
pub(crate) fn listen() {
    std::panic::set_hook(std::boxed::Box::new(|info| tell(info.location())));
}
