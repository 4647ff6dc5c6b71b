//! Prints the number of all scenes, with `std` or, on a processor that an emulator plays, without.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(not(target_os = "none"))]
fn main() {
    println!("{:016x}", physics_bytes::digest());
}

#[cfg(target_os = "none")]
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let digest = physics_bytes::digest();
    let mut text = [b'\n'; 17];
    for (place, shift) in text[..16].iter_mut().zip((0..64).step_by(4).rev()) {
        *place = b"0123456789abcdef"[(digest >> shift & 15) as usize];
    }
    physics_bytes::bare::print(&text);
    physics_bytes::bare::exit(0)
}
