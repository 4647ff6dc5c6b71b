//! The functions of the trusted module, ready to be written into a guest's functions in place of calls to them.
//! Made by `splice` once for each guest, used by `inline`.
//! A body sets each of its locals before it reads it, because a copy may run twice, and calls only intrinsics.

use std::collections::HashMap;

use wasm_encoder::reencode::{Error, Reencode, RoundtripReencoder};
use wasm_encoder::{BlockType, Function, Instruction};
use wasmparser::{
    BinaryReaderError, CompositeInnerType, FuncType, Operator, Parser, Payload, TypeRef, ValType,
};

/// One function.
pub(crate) struct TrustedBody<'t> {
    shape: FuncType,
    locals: Vec<ValType>,
    operators: Vec<Operator<'t>>,
}

/// The trusted module, taken apart.
pub(crate) struct TrustedBodies<'t> {
    /// The shapes of the intrinsics, in their order.
    pub(crate) intrinsics: Vec<FuncType>,
    /// The exported functions by their names.
    pub(crate) exported: HashMap<&'t str, TrustedBody<'t>>,
}

impl<'t> TrustedBodies<'t> {
    /// Takes a module apart that imports functions alone.
    pub(crate) fn of(module: &'t [u8]) -> Result<Self, BinaryReaderError> {
        let (mut types, mut shapes, mut names) = (Vec::new(), Vec::new(), HashMap::new());
        let mut bodies = TrustedBodies {
            intrinsics: Vec::new(),
            exported: HashMap::new(),
        };
        let mut next = 0;
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => types = shapes_of(section)?,
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        if let TypeRef::Func(ty) = import?.ty {
                            bodies.intrinsics.push(shape(&types, ty));
                        }
                    }
                }
                Payload::FunctionSection(section) => {
                    for ty in section {
                        shapes.push(shape(&types, ty?));
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        names.insert(export.index as usize, export.name);
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    if let Some(name) = names.get(&(bodies.intrinsics.len() + next)) {
                        let mut locals = Vec::new();
                        for pair in body.get_locals_reader()? {
                            let (count, ty) = pair?;
                            locals.extend((0..count).map(|_| ty));
                        }
                        let operators = body.get_operators_reader()?.into_iter();
                        let body = TrustedBody {
                            shape: shapes[next].clone(),
                            locals,
                            operators: operators.collect::<Result<_, _>>()?,
                        };
                        bodies.exported.insert(*name, body);
                    }
                    next += 1;
                }
                _ => {}
            }
        }
        Ok(bodies)
    }
}

/// The shapes of the functions among a module's types; of others, an empty one.
pub(crate) fn shapes_of(
    section: wasmparser::TypeSectionReader<'_>,
) -> Result<Vec<FuncType>, BinaryReaderError> {
    let mut shapes = Vec::new();
    for group in section {
        shapes.extend(
            group?
                .into_types()
                .map(|kind| match kind.composite_type.inner {
                    CompositeInnerType::Func(function) => function,
                    _ => FuncType::new([], []),
                }),
        );
    }
    Ok(shapes)
}

/// One of them.
pub(crate) fn shape(types: &[FuncType], index: u32) -> FuncType {
    let empty = || FuncType::new([], []);
    types.get(index as usize).cloned().unwrap_or_else(empty)
}

impl TrustedBody<'_> {
    /// The locals that a copy needs: its parameters first.
    pub(crate) fn locals(&self) -> impl Iterator<Item = ValType> {
        let params = self.shape.params().iter();
        params.chain(&self.locals).copied()
    }

    /// Writes a copy: its arguments lie on the stack, its locals begin at `base`, the intrinsics at `intrinsics`.
    pub(crate) fn write<E>(
        &self,
        into: &mut Function,
        base: u32,
        intrinsics: u32,
    ) -> Result<(), Error<E>> {
        for param in (0..self.shape.params().len() as u32).rev() {
            into.instruction(&Instruction::LocalSet(base + param));
        }
        let mut copy = RoundtripReencoder;
        let strange = |_| Error::CanonicalizedHeapTypeReference;
        into.instruction(&Instruction::Block(match self.shape.results() {
            [] => BlockType::Empty,
            [one, ..] => BlockType::Result(copy.val_type(*one).map_err(strange)?),
        }));
        let mut depth = 0;
        for operator in &self.operators {
            let instruction = match *operator {
                Operator::LocalGet { local_index } => Instruction::LocalGet(base + local_index),
                Operator::LocalSet { local_index } => Instruction::LocalSet(base + local_index),
                Operator::LocalTee { local_index } => Instruction::LocalTee(base + local_index),
                Operator::Call { function_index } => Instruction::Call(intrinsics + function_index),
                // The end of the block around it.
                Operator::Return => Instruction::Br(depth),
                ref other => {
                    match other {
                        Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                            depth += 1;
                        }
                        Operator::End => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    copy.instruction(other.clone()).map_err(strange)?
                }
            };
            into.instruction(&instruction);
        }
        Ok(())
    }
}
