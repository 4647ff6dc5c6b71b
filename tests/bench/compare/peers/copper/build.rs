//! What Copper's macros want to know of the build.

fn main() {
    cu29_build::setup();
}
