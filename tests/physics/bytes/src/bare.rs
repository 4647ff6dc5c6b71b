//! What a machine without `std` needs: memory, and an end.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;

/// Enough for all scenes, whose memory is never used again.
const ROOM: usize = 256 << 20;

/// Memory that is given out from the start to the end.
#[repr(align(16))]
struct Memory(UnsafeCell<[u8; ROOM]>, UnsafeCell<usize>);

// SAFETY: there is one thread.
unsafe impl Sync for Memory {}

#[global_allocator]
static MEMORY: Memory = Memory(UnsafeCell::new([0; ROOM]), UnsafeCell::new(0));

// SAFETY: every piece lies within the memory, is aligned, and is given out once.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: there is one thread, and no other reference to this number.
        let used = unsafe { &mut *self.1.get() };
        let start = used.next_multiple_of(layout.align());
        if layout.align() > 16 || start + layout.size() > ROOM {
            return core::ptr::null_mut();
        }
        *used = start + layout.size();
        // SAFETY: it is within the memory.
        unsafe { self.0.get().cast::<u8>().add(start) }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_arch = "wasm32"))]
    exit(1)
}

/// Ends the program, by Linux' system call.
#[cfg(target_arch = "aarch64")]
pub fn exit(code: usize) -> ! {
    // SAFETY: `exit` (93) does not return.
    unsafe { core::arch::asm!("svc 0", in("x8") 93, in("x0") code, options(noreturn)) }
}

/// Writes to standard output, by Linux' system call.
#[cfg(target_arch = "aarch64")]
pub fn print(text: &[u8]) {
    // SAFETY: `write` (64) reads this text.
    unsafe {
        core::arch::asm!("svc 0", in("x8") 64, inout("x0") 1usize => _, in("x1") text.as_ptr(), in("x2") text.len());
    }
}

/// For JavaScript, which calls it.
#[cfg(target_arch = "wasm32")]
#[unsafe(no_mangle)]
extern "C" fn digest() -> u64 {
    crate::digest()
}
