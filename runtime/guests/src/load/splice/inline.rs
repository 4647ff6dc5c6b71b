//! Writes trusted functions into the functions of a guest's core module, in place of the calls to them. A call, even
//! one that the compiler inlines, ends and begins an account of fuel, which takes longer than what is called.
//! Called by `splice` for modules whose imports it may change.
//! Each index of the guest's means what it meant. Ours come behind those that it imports, and only copies of
//! trusted functions have them.

use std::collections::HashMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, EntityType, Function, ImportSection, Instruction, Module, TypeSection,
};
use wasmparser::{
    BinaryReaderError, FunctionBody, KnownCustom, Operator, Parser, Payload, TypeRef, ValType,
};

use crate::load::splice::TrustedModule;
use crate::load::splice::bodies::{TrustedBodies, TrustedBody, shape, shapes_of};
use crate::load::splice::wiring::{CoreWiring, Kept};

/// The most copies in one function, and in one module: each takes some fifty instructions. Further calls are calls.
const COPIES_OF_FUNCTION: u32 = 256;
const COPIES_OF_MODULE: u32 = 8192;

/// The largest function, in bytes, and the most of its locals, that copies are added to; a module may have about ten
/// times as many.
const FUNCTION_MAX: usize = 1 << 20;
const LOCALS_MAX: u32 = 5000;

/// The guest's core modules that call what is kept in place, with that written into them.
pub(crate) fn inline_all(
    guest: &[u8],
    wiring: &CoreWiring<'_>,
    trusted: &TrustedModule<'_>,
) -> Result<Vec<Option<Vec<u8>>>, Error> {
    let bodies = TrustedBodies::of(trusted.module)?;
    let kept: HashMap<_, _> = wiring
        .modules()
        .filter_map(|module| wiring.kept(module))
        .collect();
    let (mut modules, mut depth) = (Vec::new(), 0);
    for payload in Parser::new(0).parse_all(guest) {
        match payload? {
            Payload::ModuleSection {
                unchecked_range, ..
            } => {
                if depth == 0 {
                    let module = &guest[unchecked_range];
                    let kept = kept.get(&modules.len());
                    let new = kept.map(|value| inline(module, value, trusted, &bodies));
                    modules.push(new.transpose()?);
                }
                depth += 1;
            }
            Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            _ => {}
        }
    }
    Ok(modules)
}

/// The module with copies in place of calls.
fn inline(
    module: &[u8],
    kept: &Kept,
    trusted: &TrustedModule<'_>,
    bodies: &TrustedBodies<'_>,
) -> Result<Vec<u8>, Error> {
    let mut inliner = Inliner::of(module, kept, trusted, bodies)?;
    let mut whole = Module::new();
    inliner.parse_core_module(&mut whole, Parser::new(0), module)?;
    Ok(whole.finish())
}

struct Inliner<'i> {
    trusted: &'i TrustedModule<'i>,
    intrinsics: &'i TrustedBodies<'i>,
    /// The number of types of the guest's.
    types: u32,
    /// The functions that it imports: what is written in place of calls to each.
    imported: Vec<Option<&'i TrustedBody<'i>>>,
    /// The parameters of those that it defines.
    params: Vec<u32>,
    /// The number of the function that is written.
    next: usize,
    /// How many copies the module may still have.
    left: u32,
}

impl<'i> Inliner<'i> {
    fn of(
        module: &[u8],
        kept: &Kept,
        trusted: &'i TrustedModule<'i>,
        bodies: &'i TrustedBodies<'i>,
    ) -> Result<Self, BinaryReaderError> {
        let (mut types, mut imported, mut params) = (Vec::new(), Vec::new(), Vec::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => types = shapes_of(section)?,
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        if matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)) {
                            let name = (import.module.to_owned(), import.name.to_owned());
                            let place = kept.get(&name);
                            imported.push(place.and_then(|place| bodies.exported.get(place)));
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for ty in section {
                        params.push(shape(&types, ty?).params().len() as u32);
                    }
                }
                Payload::CodeSectionStart { .. } => break,
                _ => {}
            }
        }
        Ok(Inliner {
            trusted,
            intrinsics: bodies,
            types: types.len() as u32,
            imported,
            params,
            next: 0,
            left: COPIES_OF_MODULE,
        })
    }

    /// What is written in place of a call.
    fn body(&self, function: u32) -> Option<&'i TrustedBody<'i>> {
        self.imported.get(function as usize).copied().flatten()
    }

    /// The locals that a function gets for copies, behind its own; none if it has no calls to replace, or is too large.
    fn locals(&self, function: &FunctionBody<'_>) -> Result<Option<Scratch>, Error> {
        let mut own = self.params.get(self.next).copied().unwrap_or_default();
        for pair in function.get_locals_reader()? {
            own = own.saturating_add(pair?.0);
        }
        if own > LOCALS_MAX || function.range().len() > FUNCTION_MAX {
            return Ok(None);
        }
        let mut has_calls = false;
        for operator in function.get_operators_reader()? {
            if let Operator::Call { function_index } = operator? {
                has_calls |= self.body(function_index).is_some();
            }
        }
        let mut scratch = Scratch {
            bases: Vec::new(),
            types: Vec::new(),
        };
        for body in &self.imported {
            scratch.bases.push(own + scratch.types.len() as u32);
            scratch
                .types
                .extend(body.iter().flat_map(|item| item.locals()));
        }
        let few = scratch.types.len() < LOCALS_MAX as usize;
        Ok((has_calls && few).then_some(scratch))
    }
}

/// Locals for copies.
struct Scratch {
    /// By the index of the imported function, where those of its copies begin.
    bases: Vec<u32>,
    types: Vec<ValType>,
}

impl Reencode for Inliner<'_> {
    type Error = Infallible;

    fn function_index(&mut self, index: u32) -> Result<u32, Error> {
        let defined = index as usize >= self.imported.len();
        Ok(index
            + if defined {
                self.intrinsics.intrinsics.len() as u32
            } else {
                0
            })
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_type_section(self, types, section)?;
        for shape in &self.intrinsics.intrinsics {
            let shape = self.func_type(shape.clone())?;
            types.ty().func_type(&shape);
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Result<(), Error> {
        utils::parse_import_section(self, imports, section)?;
        for (number, (name, ..)) in self.trusted.intrinsics.iter().enumerate() {
            let ty = EntityType::Function(self.types + number as u32);
            imports.import(self.trusted.secret, name, ty);
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        function: FunctionBody<'_>,
    ) -> Result<(), Error> {
        let scratch = self.locals(&function)?;
        self.next += 1;
        let Some(scratch) = scratch else {
            return utils::parse_function_body(self, code, function);
        };
        let mut locals = Vec::new();
        for pair in function.get_locals_reader()? {
            let (count, ty) = pair?;
            locals.push((count, self.val_type(ty)?));
        }
        for ty in &scratch.types {
            locals.push((1, self.val_type(*ty)?));
        }
        let mut written = Function::new(locals);
        let intrinsics = self.imported.len() as u32;
        let mut copies = 0;
        for operator in function.get_operators_reader()? {
            let operator = operator?;
            if let Operator::Call { function_index } = operator
                && let Some(body) = self.body(function_index)
                && copies < COPIES_OF_FUNCTION
                && self.left > 0
            {
                body.write(
                    &mut written,
                    scratch.bases[function_index as usize],
                    intrinsics,
                )?;
                copies += 1;
                self.left -= 1;
            } else {
                let instruction: Instruction<'_> = self.instruction(operator)?;
                written.instruction(&instruction);
            }
        }
        code.function(&written);
        Ok(())
    }

    /// Names are kept, for messages about traps; others may speak of places that have moved.
    fn parse_custom_section(
        &mut self,
        module: &mut Module,
        section: wasmparser::CustomSectionReader<'_>,
    ) -> Result<(), Error> {
        if let KnownCustom::Name(names) = section.as_known()
            && let Ok(names) = self.custom_name_section(names)
        {
            module.section(&names);
        }
        Ok(())
    }
}
