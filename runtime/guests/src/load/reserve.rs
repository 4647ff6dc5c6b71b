//! Memory that is there from the start: a choreography whose manifest asks for it can grow its memory inside a turn.
//! Called by `dcm-run build`. The module gets all pages at once; `memory.size` and `memory.grow` hand them out.
//! A module cannot tell this from memory that grows, but for what it can touch beyond its size. Beyond what is
//! reserved, its memory grows as before.

use std::convert::Infallible;

use wasm_encoder::reencode::{
    Error, Reencode, ReencodeComponent, component_utils::parse_component_payload, utils,
};
use wasm_encoder::{
    CodeSection, Component, ComponentSectionId, ConstExpr, Function, FunctionSection,
    GlobalSection, GlobalType, Instruction, MemoryType, Module, RawSection, SectionId, TypeSection,
    ValType,
};
use wasmparser::{Operator, Parser, Payload, TypeRef};

/// Bytes of a page.
const PAGE: u64 = 64 << 10;

/// Gives a component's memory so many bytes from the start.
///
/// # Errors
/// A sentence: it has no memory of its own, or several.
pub fn reserve(component: &[u8], bytes: u64) -> Result<Vec<u8>, String> {
    let mut whole = Component::new();
    let mut reserve = ReserveInComponent {
        pages: bytes.div_ceil(PAGE),
        memories: 0,
    };
    let done = reserve.parse_component(&mut whole, Parser::new(0), component);
    done.map_err(|error| error.to_string())?;
    match reserve.memories {
        1 => Ok(whole.finish()),
        0 => Err("it has no memory of its own, for which `memory` could ask".to_owned()),
        many => Err(format!(
            "it has {many} memories, and `memory` is for one; fix: leave it out of the manifest, and reserve in \
             `start` what the hooks need"
        )),
    }
}

struct ReserveInComponent {
    pages: u64,
    memories: u32,
}

impl Reencode for ReserveInComponent {
    type Error = Infallible;
}

impl ReencodeComponent for ReserveInComponent {
    fn parse_component_payload(
        &mut self,
        component: &mut Component,
        payload: Payload<'_>,
        whole: &[u8],
    ) -> Result<(), Error<Infallible>> {
        parse_component_payload(self, component, payload, whole)
    }

    fn parse_component_subcomponent(
        &mut self,
        component: &mut Component,
        _: Parser,
        inner: &[u8],
        _: &[u8],
    ) -> Result<(), Error<Infallible>> {
        component.section(&RawSection {
            id: ComponentSectionId::Component.into(),
            data: inner,
        });
        Ok(())
    }

    fn parse_component_submodule(
        &mut self,
        component: &mut Component,
        _: Parser,
        module: &[u8],
    ) -> Result<(), Error<Infallible>> {
        let counted = ModuleCounts::of(module)?;
        let mut rewritten = Module::new();
        let mut data = module;
        if let Some(size) = counted.memory {
            self.memories += 1;
            if size < self.pages {
                let mut reserve = ReserveInModule {
                    pages: self.pages,
                    counted,
                    has_global: false,
                };
                reserve.parse_core_module(&mut rewritten, Parser::new(0), module)?;
                data = rewritten.as_slice();
            }
        }
        component.section(&RawSection {
            id: ComponentSectionId::CoreModule.into(),
            data,
        });
        Ok(())
    }
}

/// How much a module has of each kind.
#[derive(Clone, Copy, Default)]
struct ModuleCounts {
    types: u32,
    functions: u32,
    globals: u32,
    /// The pages of its own memory, before.
    memory: Option<u64>,
    /// Whether it has any code.
    has_code: bool,
}

impl ModuleCounts {
    fn of(module: &[u8]) -> Result<ModuleCounts, wasmparser::BinaryReaderError> {
        let mut counted = ModuleCounts::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::TypeSection(section) => {
                    for group in section {
                        counted.types += group?.types().len() as u32;
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        match import?.ty {
                            TypeRef::Func(_) | TypeRef::FuncExact(_) => counted.functions += 1,
                            TypeRef::Global(_) => counted.globals += 1,
                            _ => {}
                        }
                    }
                }
                Payload::FunctionSection(section) => counted.functions += section.count(),
                Payload::GlobalSection(section) => counted.globals += section.count(),
                Payload::MemorySection(section) => {
                    for memory in section {
                        counted.memory = Some(memory?.initial);
                    }
                }
                Payload::CodeSectionStart { .. } => counted.has_code = true,
                _ => {}
            }
        }
        Ok(counted)
    }
}

/// A module as it is copied. Behind all that it has come a global, the size that it knows, and a function that grows
/// it.
struct ReserveInModule {
    pages: u64,
    counted: ModuleCounts,
    has_global: bool,
}

impl ReserveInModule {
    /// The size that the module knows: at first that of before.
    fn known_size(&mut self, globals: &mut GlobalSection) {
        self.has_global = true;
        let ty = GlobalType {
            val_type: ValType::I32,
            mutable: true,
            shared: false,
        };
        let before = self.counted.memory.unwrap_or(0) as i32;
        globals.global(ty, &ConstExpr::i32_const(before));
    }

    /// `memory.grow`: first of what is reserved, then of the system.
    fn grow(&self) -> Function {
        let known = self.counted.globals;
        let mut function = Function::new([(1, ValType::I32)]);
        let mut code = function.instructions();
        // More than there is of the reserve: what is missing must come from outside.
        code.local_get(0).memory_size(0).global_get(known).i32_sub();
        code.i32_gt_u().if_(wasm_encoder::BlockType::Empty);
        code.local_get(0).memory_size(0).global_get(known).i32_sub();
        code.i32_sub().memory_grow(0).i32_const(-1).i32_eq();
        code.if_(wasm_encoder::BlockType::Empty);
        code.i32_const(-1).return_().end().end();
        code.global_get(known).local_tee(1);
        code.local_get(0).i32_add().global_set(known);
        code.local_get(1).end();
        function
    }
}

impl Reencode for ReserveInModule {
    type Error = Infallible;

    fn memory_type(
        &mut self,
        memory: wasmparser::MemoryType,
    ) -> Result<MemoryType, Error<Infallible>> {
        let mut memory = utils::memory_type(self, memory);
        memory.minimum = self.pages;
        memory.maximum = memory.maximum.map(|maximum| maximum.max(self.pages));
        Ok(memory)
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_type_section(self, types, section)?;
        types.ty().function([ValType::I32], [ValType::I32]);
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_function_section(self, functions, section)?;
        functions.function(self.counted.types);
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_global_section(self, globals, section)?;
        self.known_size(globals);
        Ok(())
    }

    /// Writes the section of globals where it belongs, if the module has none.
    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), Error<Infallible>> {
        let comes_earlier = matches!(
            before,
            Some(
                SectionId::Type
                    | SectionId::Import
                    | SectionId::Function
                    | SectionId::Table
                    | SectionId::Memory
                    | SectionId::Tag
                    | SectionId::Global
            )
        );
        if !comes_earlier && !self.has_global && self.counted.has_code {
            let mut globals = GlobalSection::new();
            self.known_size(&mut globals);
            module.section(&globals);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_code_section(self, code, section)?;
        code.function(&self.grow());
        Ok(())
    }

    fn instruction<'a>(
        &mut self,
        operator: Operator<'a>,
    ) -> Result<Instruction<'a>, Error<Infallible>> {
        match operator {
            Operator::MemorySize { .. } => Ok(Instruction::GlobalGet(self.counted.globals)),
            Operator::MemoryGrow { .. } => Ok(Instruction::Call(self.counted.functions)),
            other => utils::instruction(self, other),
        }
    }
}
