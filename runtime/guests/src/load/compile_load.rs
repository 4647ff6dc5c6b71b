//! What makes a component hard to compile. Counted when compiling has hit a limit, for the message.
//! The message names what is large in this component, not what is large in others.

use std::fmt;

use wasmparser::{Parser, Payload};

/// A function of so many bytes is large.
const LARGE: usize = 64 << 10;

/// So many functions are many.
const MANY: usize = 10_000;

/// What is large in a component.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CompileLoad {
    /// The functions in all its modules.
    pub functions: usize,
    /// The largest of them, bytes.
    pub largest: usize,
    /// How deep components stand in each other: each level can double the instances.
    pub depth: usize,
}

impl CompileLoad {
    pub(crate) fn of(component: &[u8]) -> CompileLoad {
        let (mut found, mut depth) = (CompileLoad::default(), 0usize);
        // What cannot be read was refused before.
        for payload in Parser::new(0).parse_all(component).map_while(Result::ok) {
            match payload {
                Payload::ComponentSection { .. } => {
                    depth += 1;
                    found.depth = found.depth.max(depth);
                }
                Payload::ModuleSection { .. } => depth += 1,
                Payload::End(_) => depth = depth.saturating_sub(1),
                Payload::CodeSectionEntry(body) => {
                    found.functions += 1;
                    found.largest = found.largest.max(body.range().len());
                }
                _ => {}
            }
        }
        found
    }
}

impl fmt::Display for CompileLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CompileLoad {
            functions,
            largest,
            depth,
        } = self;
        if *largest >= LARGE {
            let size = largest >> 10;
            return write!(f, "its largest function has {size} KiB; fix: divide it");
        }
        if *functions >= MANY {
            return write!(
                f,
                "it has {functions} functions; fix: let the linker leave out those that nobody calls"
            );
        }
        if *depth > 2 {
            return write!(
                f,
                "its components are nested {depth} deep, and each is compiled wherever it is instantiated; fix: \
                 instantiate fewer"
            );
        }
        write!(
            f,
            "it has {functions} functions, the largest of {largest} bytes; fix: make it smaller"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(text: &str) -> String {
        CompileLoad::of(&wat::parse_str(text).expect("a component")).to_string()
    }

    #[test]
    fn the_cause_is_what_is_large() {
        let function = "(func (param i32) (result i32) (local.get 0))";
        let many = format!("(component (core module {}))", function.repeat(20_000));
        assert!(cause(&many).starts_with("it has 20000 functions; fix: "));
        let large = "(drop (i32.const 1))".repeat(40_000);
        let large = format!("(component (core module {function} (func {large})))");
        assert!(cause(&large).starts_with("its largest function has 117 KiB; fix: divide it"));
        // Each level instantiates the one inside it twice.
        let mut text =
            "(component $c0 (core module $m (memory 1)) (core instance (instantiate $m)))"
                .to_owned();
        for level in 1..=16 {
            let inner = format!("(instance (instantiate $c{}))", level - 1);
            text = format!("(component $c{level} {text} {inner} {inner})");
        }
        assert!(cause(&text).starts_with("its components are nested 16 deep, "));
        assert!(cause("(component (core module))").starts_with("it has 0 functions"));
    }
}
