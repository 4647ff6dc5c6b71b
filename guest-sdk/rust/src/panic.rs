//! The end of a guest that panics: one line that says where, and a trap. Its lane ends as it declared.

use crate::log::{Level, Line};

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let mut line = Line::new().with("it panicked");
    if let Some(place) = info.location() {
        line = line
            .with(" at ")
            .with(place.file())
            .with(":")
            .with(place.line());
    }
    line.write(Level::Warning);
    core::arch::wasm32::unreachable()
}
