//! Makes Rust of what a recording says, and keeps the description of it that goes into every recording.

use std::error::Error;
use std::path::PathBuf;

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = "src/record";
    let files = ["recording.proto", "viewers.proto"];
    for file in files {
        println!("cargo:rerun-if-changed={folder}/{file}");
    }
    let described = protox::compile(files, [folder])?;
    let into = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(into.join("recording.bin"), described.encode_to_vec())?;
    prost_build::Config::new()
        .btree_map(["."])
        .compile_fds(described)?;
    Ok(())
}
