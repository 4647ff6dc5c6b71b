//! Why a component is refused, with a message that names the thing and the fix.
//! Made by the contract's check; shown to whoever uploads.
//! Each message says what to change.

use std::fmt::{self, Write};

use printable::printable;

use super::{COMPONENT_MAX, FUNCTIONS_MAX, HOOKS, NESTING_MAX, RUN, VERSION_TEXT};
use crate::load::script::SCRIPT_MAX;

/// Why a component is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum ContractError {
    /// There are no bytes.
    Empty,
    /// More than [`COMPONENT_MAX`].
    TooLarge(usize),
    /// A core module.
    CoreModule,
    /// The bytes are no WebAssembly.
    NotWasm,
    /// It is no valid component: why.
    Invalid(String),
    /// Components and modules stand in each other deeper than is accepted: how deep.
    Nesting(usize),
    /// More functions than are accepted: how many.
    Functions(usize),
    /// An import that is not in the contract.
    Unknown {
        /// What is imported.
        import: String,
        /// The nearest name of the contract.
        near: Option<String>,
    },
    /// An interface of another version.
    Version {
        /// What is imported.
        import: String,
    },
    /// An import of WASI, which was not granted, or which hooks cannot have.
    Wasi {
        /// What is imported.
        import: String,
        /// How many more of them.
        more: usize,
        /// The words of a grant that would allow all of them; none if nothing does.
        grants: Vec<&'static str>,
        /// Whether it is for a motion, which never gets any.
        motion: bool,
    },
    /// An export with a hook's name that has another type.
    Hook {
        /// Its name.
        name: String,
        /// Its type in the contract.
        wanted: &'static str,
    },
    /// An export whose name is close to a hook's.
    NearHook {
        /// Its name.
        name: String,
        /// The hook's.
        near: &'static str,
    },
    /// Neither hook nor `run`.
    NoExport,
    /// Hooks and `run`.
    TwoWorlds,
    /// What it says of itself cannot be understood.
    Manifest(String),
    /// A text of more bytes than are accepted.
    Script(usize),
    /// A motion that writes lines, and hands texts over in another encoding than UTF-8.
    Encoding,
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names in a file can be anything.
        let mut text = String::new();
        self.write(&mut text)?;
        f.write_str(&printable(&text))
    }
}

impl ContractError {
    fn write(&self, f: &mut String) -> fmt::Result {
        match self {
            ContractError::Empty => write!(f, "the file is empty"),
            ContractError::TooLarge(bytes) => write!(
                f,
                "it has {} MiB, and a choreography has at most {} MiB",
                bytes >> 20,
                COMPONENT_MAX >> 20
            ),
            ContractError::CoreModule => write!(
                f,
                "it is a core module, and a choreography is a component; fix: make one of it with \
                 `dcm-run build`"
            ),
            ContractError::NotWasm => write!(f, "it is not WebAssembly"),
            ContractError::Invalid(why) => write!(f, "it is not a valid component: {why}"),
            ContractError::Nesting(depth) => write!(
                f,
                "its components and modules are nested {depth} deep, and at most {NESTING_MAX} are accepted; fix: \
                 compose it with fewer levels"
            ),
            ContractError::Functions(functions) => write!(
                f,
                "it has {functions} functions, and at most {FUNCTIONS_MAX} are accepted; fix: let the linker leave out \
                 those that nobody calls"
            ),
            ContractError::Unknown { import, near } => unknown(f, import, near.as_deref()),
            ContractError::Version { import } => other_version(f, import),
            ContractError::Wasi {
                import,
                more,
                grants,
                motion,
            } => wasi(f, import, *more, grants, *motion),
            ContractError::Hook { name, wanted } => {
                write!(f, "it exports `{name}`, but not as `{wanted}`")
            }
            ContractError::NearHook { name, near } => write!(
                f,
                "it exports `{name}`, which nobody calls; did you mean `{near}`?"
            ),
            ContractError::NoExport => write!(
                f,
                "it exports neither a hook ({}) nor `{RUN}`: nobody would call it",
                HOOKS.join(", ")
            ),
            ContractError::TwoWorlds => write!(
                f,
                "it exports hooks and `{RUN}`: it is a motion or a score, not both"
            ),
            ContractError::Script(bytes) => write!(
                f,
                "its script has {bytes} bytes, more than {SCRIPT_MAX}; fix: leave out of it what it does not use"
            ),
            ContractError::Encoding => write!(
                f,
                "it writes lines, and hands texts over as UTF-16: translating them would allocate inside \
                 a turn; fix: build it with UTF-8 texts, without `log.write`, or as a score"
            ),
            ContractError::Manifest(why) => write!(f, "its manifest is invalid: {why}"),
        }
    }
}

fn unknown(f: &mut String, import: &str, near: Option<&str>) -> fmt::Result {
    write!(
        f,
        "it imports `{import}`, which is not part of the contract"
    )?;
    match near {
        Some(near) => write!(f, "; did you mean `{near}`?"),
        None => write!(f, "; `dcm-run wit` prints what is"),
    }
}

/// An interface of another version of the contract.
pub(crate) fn other_version(f: &mut impl fmt::Write, import: &str) -> fmt::Result {
    write!(
        f,
        "it imports `{import}`, and this runtime keeps version {VERSION_TEXT} of the contract; fix: build it against \
         that, or use a newer dcm-run"
    )
}

fn wasi(
    f: &mut String,
    import: &str,
    more: usize,
    grants: &[&str],
    is_motion: bool,
) -> fmt::Result {
    write!(f, "it imports `{import}`")?;
    if more > 0 && (is_motion || !grants.is_empty()) {
        write!(f, " and {more} more of WASI")?;
    }
    if is_motion {
        return write!(
            f,
            ", and hooks never get anything of WASI; fix: build it without WASI (Rust: --target \
             wasm32-unknown-unknown; componentize-js: `disableFeatures` of all; componentize-py: `--stub-wasi`; or by \
             `dcm-run new`), or make it a score"
        );
    }
    if grants.is_empty() {
        return write!(f, ", which no choreography may have; fix: build it without");
    }
    let words: Vec<_> = grants.iter().map(|grant| format!("\"{grant}\"")).collect();
    write!(
        f,
        ", which it was not granted; fix: build it without WASI, or set `wasi = [{}]` in its `[grants.NAME]` of the \
         robot's description; for a simulation, use `--wasi`",
        words.join(", ")
    )
}

impl std::error::Error for ContractError {}
