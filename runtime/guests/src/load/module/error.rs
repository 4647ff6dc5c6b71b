//! Why no component can be made of a core module, with what to change for the toolchain that it comes from.
//! Made by the scan of a module; shown to whoever builds.
//! Each message says what to change.

use std::fmt::{self, Write};

use printable::printable;

use crate::load::contract::{HOOKS, RUN, other_version};

/// Why no component can be made of a core module.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModuleError {
    /// It cannot be read: why.
    Invalid(String),
    /// What is exported with a hook's name has another type.
    Type {
        /// The hook.
        name: &'static str,
        /// What it is.
        has: String,
        /// Its type in the contract.
        wanted: String,
    },
    /// An export whose name is close to a hook's.
    NearHook {
        /// Its name.
        name: String,
        /// The hook's.
        near: &'static str,
    },
    /// An import that nobody satisfies.
    Import {
        /// The module that is imported from.
        module: String,
        /// What is imported.
        name: String,
        /// The nearest name of the contract: of a function if the interface is known, else of an interface.
        near: Option<String>,
    },
    /// An interface of another version of the contract.
    Version {
        /// Its name.
        import: String,
    },
    /// A function that is imported with another type.
    ImportType {
        /// The module and the name.
        import: String,
        /// Its type in this module.
        has: String,
        /// Its type.
        wanted: String,
    },
    /// A program with `main`.
    Program,
    /// Neither hook nor `run`.
    NoExport,
    /// The contract's functions need a memory that they can reach.
    NoMemory,
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names in a file can be anything.
        let mut text = String::new();
        self.write(&mut text)?;
        f.write_str(&printable(&text))
    }
}

impl ModuleError {
    fn write(&self, f: &mut String) -> fmt::Result {
        match self {
            ModuleError::Invalid(why) => write!(f, "it is not a valid module: {why}"),
            ModuleError::Type { name, has, wanted } => write!(
                f,
                "it exports `{name}` as {has}; fix: make it a function {wanted}"
            ),
            ModuleError::NearHook { name, near } => write!(
                f,
                "it exports `{name}`, which nobody calls; did you mean `{near}`? fix: {}",
                renaming(near)
            ),
            ModuleError::Import { module, name, near } => import(f, module, name, near.as_deref()),
            ModuleError::Version { import } => other_version(f, import),
            ModuleError::ImportType {
                import,
                has,
                wanted,
            } => write!(
                f,
                "it imports {import} as a function {has}, and it is {wanted}; fix: declare it so"
            ),
            ModuleError::Program => write!(
                f,
                "it is a program: it exports `_start`, which nobody calls; fix: export `{RUN}` or a hook, and build a \
                 library (C and C++: `-mexec-model=reactor`; Go: `-buildmode=c-shared`; Zig: `-fno-entry`)"
            ),
            ModuleError::NoExport => write!(
                f,
                "it exports neither a hook ({}) nor `{RUN}`: nobody would call it",
                HOOKS.join(", ")
            ),
            ModuleError::NoMemory => write!(
                f,
                "it exports no memory with the name `memory`, where the functions that it imports find their \
                 texts; fix: export its memory with this name"
            ),
        }
    }
}

/// How a function is exported with the name of this hook.
fn renaming(hook: &str) -> String {
    format!(
        "export it as `{hook}` (C, C++: `__attribute__((export_name(\"{hook}\")))`; Go: `//go:wasmexport {hook}`; \
         AssemblyScript: `--transform kebab.mjs --exportStart start`, with that file of its SDK; \
         Zig: `@export(&f, .{{ .name = \"{hook}\" }})`)"
    )
}

fn import(f: &mut String, module: &str, name: &str, near: Option<&str>) -> fmt::Result {
    write!(
        f,
        "it imports `{module}` `{name}`, which is not part of the contract"
    )?;
    match (toolchain(module, name), near) {
        (Some(fix), _) => write!(f, "; fix: {fix}"),
        (None, Some(near)) => write!(f, "; did you mean `{near}`?"),
        (None, None) => write!(f, "; `dcm-run wit` prints what is"),
    }
}

/// What to change in the toolchain that makes such an import.
pub(super) fn toolchain(module: &str, name: &str) -> Option<&'static str> {
    Some(match (module, name) {
        ("env", "abort") => {
            "AssemblyScript's `abort`: build with `--use abort=`, or write a function `abort` of your own"
        }
        ("env", "trace" | "seed" | "console.log") => {
            "AssemblyScript asks its host for it: do without, or use `log` of the SDK"
        }
        ("env", "memory") => "it wants its memory from outside: build without `--import-memory`",
        ("env", "__indirect_function_table") => {
            "it wants its table from outside: build without `--import-table` and without `-fPIC`"
        }
        ("env" | "GOT.mem" | "GOT.func", _) => {
            "the linker left it undefined: define this function, or link the library that has it; without \
             `--allow-undefined` and `-sERROR_ON_UNDEFINED_SYMBOLS=0` the linker says so itself"
        }
        ("gojs" | "go", _) => {
            "it was built for a browser: build with `GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared`"
        }
        ("wasi_unstable", _) => "it was built for a WASI before preview 1: build it for `wasip1`",
        ("wbg" | "__wbindgen_placeholder__" | "__wbindgen_externref_xform__", _) => {
            "wasm-bindgen makes it, for browsers: leave it out of the dependencies, and use the SDK"
        }
        ("spectest" | "host" | "js" | "imports", _) => {
            "only functions of the contract can be imported; `dcm-run wit` prints them"
        }
        _ => return None,
    })
}
