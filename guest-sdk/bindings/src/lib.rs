//! Writes the bindings of all SDKs from the contract in `wit/`: `cargo run -p bindings`. Each language has a back end,
//! a file beside this one. `tests/sdk.rs` compares what they write with what is committed.
//! What a guest imports is written nowhere by hand.

mod assemblyscript;
mod c;
mod contract;
mod cpp;
mod go;
mod javascript;
mod names;
mod page;
mod python;
mod wat;
mod zig;

use std::path::Path;

pub use contract::{Contract, Hook, Import, Interface, Kind, Named, Shape};

/// The first words of every file that is written as a whole.
const HEAD: &str = "Generated from wit/ by guest-sdk/bindings; do not edit.";

/// A file with bindings.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its path below the repository's root.
    pub path: &'static str,
    /// The whole text of the file, or what stands in it between the lines [`BEGIN`] and [`END`].
    pub text: String,
    /// Whether it is only a part of the file.
    pub is_part: bool,
}

/// The line that contains this begins the part of a file that is written here.
pub const BEGIN: &str = "generated from wit/ by guest-sdk/bindings: begin";
/// The line that contains this ends it.
pub const END: &str = "generated from wit/ by guest-sdk/bindings: end";

/// The bindings of all languages.
#[must_use]
pub fn outputs(of: &Contract) -> Vec<Output> {
    let whole = |path, text| Output {
        path,
        text,
        is_part: false,
    };
    let part = |path, text| Output {
        path,
        text,
        is_part: true,
    };
    vec![
        part("guest-sdk/c/choreography.h", c::write(of)),
        part("guest-sdk/cpp/choreography.hpp", cpp::write(of)),
        whole("guest-sdk/zig/contract.zig", zig::write(of)),
        whole(
            "guest-sdk/assemblyscript/contract.ts",
            assemblyscript::write(of),
        ),
        whole("guest-sdk/go/contract.go", go::write(of)),
        whole("guest-sdk/wat/imports.wat", wat::write(of)),
        whole("guest-sdk/javascript/contract.js", javascript::write(of)),
        whole("guest-sdk/javascript/contract.d.ts", javascript::types(of)),
        whole(
            "guest-sdk/javascript/engine/score.wat",
            javascript::engine(of, &of.score),
        ),
        whole(
            "guest-sdk/javascript/engine/motion.wat",
            javascript::engine(of, &of.motion),
        ),
        whole("guest-sdk/python/contract.py", python::write(of)),
        whole("guest-sdk/python/contract.pyi", python::types(of)),
        part("guest-sdk/README.md", page::write(of)),
    ]
}

impl Output {
    /// The whole file as it should be, made of what is there now.
    ///
    /// # Errors
    /// A message: the file cannot be read, or has no place for its part.
    pub fn wanted(&self, root: &Path) -> Result<String, String> {
        if !self.is_part {
            return Ok(self.text.clone());
        }
        let path = root.join(self.path);
        let file = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let lines: Vec<_> = file.split_inclusive('\n').collect();
        let find = |mark: &str| {
            let place = lines.iter().position(|line| line.contains(mark));
            place.ok_or_else(|| format!("{}: no line has `{mark}`", path.display()))
        };
        let (begin, end) = (find(BEGIN)?, find(END)?);
        Ok(lines[..=begin].concat() + &self.text + &lines[end..].concat())
    }
}
