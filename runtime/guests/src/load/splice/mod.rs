//! Splices a trusted core module into a guest: calls to the interfaces that are kept in place become copies of that
//! module's functions (`inline`), or go straight to them, inside the same component.
//! Called by `inplace` when a motion is compiled.
//! Our items come before the guest's, and every index of the guest's is shifted behind them. A guest that is
//! valid by itself has indices of its own items only, and so it cannot reach ours.

mod bodies;
mod inline;
mod wiring;

use std::fmt;

use wasm_encoder::reencode::{
    Error, Reencode, ReencodeComponent,
    component_utils::{
        parse_component_canonical, parse_component_payload, parse_component_subcomponent,
        parse_instance,
    },
};
use wasm_encoder::{
    Alias, CanonicalFunctionSection, Component, ComponentAliasSection, ComponentExportKind,
    ComponentImportSection, ComponentSectionId, ComponentTypeRef, ComponentTypeSection, ExportKind,
    InstanceSection, InstanceType, ModuleArg, PrimitiveValType, RawSection,
};
use wasmparser::{CanonicalFunction, ComponentAlias, ComponentType, Instance, Parser, Payload};

use crate::load::splice::inline::inline_all;
use crate::load::splice::wiring::CoreWiring;

/// An intrinsic: its name, the number of words it takes, and whether it returns one.
pub(crate) type Intrinsic = (&'static str, u32, bool);

/// Interface, function, and the trusted module's export that takes its place.
pub(crate) type KeptPlace = (&'static str, &'static str, &'static str);

/// What is spliced in.
pub(crate) struct TrustedModule<'g> {
    /// The name under which the intrinsics are imported.
    pub(crate) secret: &'g str,
    /// The intrinsics, which the module imports from `shared`.
    pub(crate) intrinsics: &'g [Intrinsic],
    /// The module.
    pub(crate) module: &'g [u8],
    /// The functions that are kept in place.
    pub(crate) places: &'g [KeptPlace],
}

/// The greatest depth of nested components that are rewritten; deeper ones must not refer to what is around them.
const DEPTH: u32 = 100;

/// A component that refers to what is around it is nested too deeply.
#[derive(Debug)]
pub(crate) struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "it has components more than {DEPTH} deep that refer to what is around them"
        )
    }
}

impl std::error::Error for TooDeep {}

/// The name by which the module imports its intrinsics.
const SHARED: &str = "shared";

/// How many of our items of each kind come before the guest's.
const TYPES: u32 = 1;
const INSTANCES: u32 = 1;
const MODULES: u32 = 1;
const CORE_INSTANCES: u32 = 2;

/// The core instance of the intrinsics, and that of our module.
const INTRINSICS: u32 = 0;
const OURS: u32 = 1;

/// What becomes of the guest's calls to what is kept in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// Copies of what they call, as far as these are few enough.
    Copied,
    /// They stay calls, to the trusted module.
    Kept,
}

/// Splices the trusted module into a valid guest; `None` if the guest calls nothing that is kept in place.
pub(crate) fn splice(
    guest: &[u8],
    trusted: &TrustedModule<'_>,
    calls: Calls,
) -> Result<Option<Vec<u8>>, String> {
    let wiring = CoreWiring::of(guest, trusted.places).map_err(|error| error.to_string())?;
    let mut whole = Component::new();
    before(&mut whole, trusted);
    let mut splice = Splice {
        trusted,
        depth: 0,
        rewritten: match calls {
            Calls::Copied => {
                inline_all(guest, &wiring, trusted).map_err(|error| error.to_string())?
            }
            Calls::Kept => Vec::new(),
        },
        are_copied: calls == Calls::Copied,
        wiring: &wiring,
        modules: 0,
        calls: 0,
    };
    let done = splice.parse_component(&mut whole, Parser::new(0), guest);
    done.map_err(|error| error.to_string())?;
    Ok((splice.calls > 0).then(|| whole.finish()))
}

/// Writes our items.
fn before(whole: &mut Component, trusted: &TrustedModule<'_>) {
    let word = PrimitiveValType::U64;
    let mut shared = InstanceType::new();
    for (number, (name, params, gives)) in trusted.intrinsics.iter().enumerate() {
        let names = ["a", "b", "c"].into_iter().take(*params as usize);
        let mut function = shared.ty().function();
        function.params(names.map(|name| (name, word)));
        function.result(gives.then_some(word.into()));
        shared.export(*name, ComponentTypeRef::Func(number as u32));
    }
    let mut types = ComponentTypeSection::new();
    types.instance(&shared);
    whole.section(&types);
    let mut imports = ComponentImportSection::new();
    imports.import(trusted.secret, ComponentTypeRef::Instance(0));
    whole.section(&imports);
    let mut aliases = ComponentAliasSection::new();
    let mut lowered = CanonicalFunctionSection::new();
    for (number, (name, ..)) in trusted.intrinsics.iter().enumerate() {
        aliases.alias(Alias::InstanceExport {
            instance: 0,
            kind: ComponentExportKind::Func,
            name,
        });
        lowered.lower(number as u32, []);
    }
    whole.section(&aliases);
    whole.section(&lowered);
    whole.section(&RawSection {
        id: ComponentSectionId::CoreModule.into(),
        data: trusted.module,
    });
    let mut instances = InstanceSection::new();
    let all = trusted.intrinsics.iter().enumerate();
    instances.export_items(all.map(|(number, pair)| (pair.0, ExportKind::Func, number as u32)));
    instances.instantiate(0, [(SHARED, ModuleArg::Instance(INTRINSICS))]);
    whole.section(&instances);
}

/// The guest as it is copied.
struct Splice<'g> {
    trusted: &'g TrustedModule<'g>,
    /// The depth in components and types that have indices of their own.
    depth: u32,
    wiring: &'g CoreWiring<'g>,
    /// The core modules that are defined in the guest, in their order: those that were rewritten.
    rewritten: Vec<Option<Vec<u8>>>,
    /// Whether they were, so that they import the intrinsics.
    are_copied: bool,
    /// How many of them were copied.
    modules: usize,
    /// The number of functions that were replaced.
    calls: u32,
}

impl Splice<'_> {
    /// Shifts an index of the guest's.
    fn on(&self, index: u32, by: u32) -> u32 {
        if self.depth == 0 { index + by } else { index }
    }

    /// Shifts an index that refers to so many levels outwards.
    fn out(&self, count: u32, index: u32, by: u32) -> u32 {
        if self.depth == count {
            index + by
        } else {
            index
        }
    }

    fn functions(&self) -> u32 {
        self.trusted.intrinsics.len() as u32
    }

    /// Each in a section of its own, because a replaced function is an alias instead.
    fn canonical(
        &mut self,
        whole: &mut Component,
        function: CanonicalFunction,
    ) -> Result<(), Error<TooDeep>> {
        if let CanonicalFunction::Lower { func_index, .. } = function
            && let Some(name) = self.wiring.place(func_index)
        {
            let mut alias = ComponentAliasSection::new();
            alias.alias(Alias::CoreInstanceExport {
                instance: OURS,
                kind: ExportKind::Func,
                name,
            });
            whole.section(&alias);
            self.calls += 1;
            return Ok(());
        }
        let mut section = CanonicalFunctionSection::new();
        parse_component_canonical(self, &mut section, function)?;
        whole.section(&section);
        Ok(())
    }
}

impl Reencode for Splice<'_> {
    type Error = TooDeep;

    fn function_index(&mut self, index: u32) -> Result<u32, Error<TooDeep>> {
        Ok(self.on(index, self.functions()))
    }
}

impl ReencodeComponent for Splice<'_> {
    fn component_type_index(&mut self, index: u32) -> u32 {
        self.on(index, TYPES)
    }

    fn component_instance_index(&mut self, index: u32) -> u32 {
        self.on(index, INSTANCES)
    }

    fn component_func_index(&mut self, index: u32) -> u32 {
        self.on(index, self.functions())
    }

    fn module_index(&mut self, index: u32) -> u32 {
        self.on(index, MODULES)
    }

    fn instance_index(&mut self, index: u32) -> u32 {
        self.on(index, CORE_INSTANCES)
    }

    fn outer_component_type_index(&mut self, count: u32, index: u32) -> u32 {
        self.out(count, index, TYPES)
    }

    fn outer_module_index(&mut self, count: u32, index: u32) -> u32 {
        self.out(count, index, MODULES)
    }

    fn outer_component_index(&mut self, _: u32, index: u32) -> u32 {
        index
    }

    fn outer_type_index(&mut self, _: u32, index: u32) -> Result<u32, Error<TooDeep>> {
        Ok(index)
    }

    fn push_depth(&mut self) {
        self.depth += 1;
    }

    fn pop_depth(&mut self) {
        self.depth -= 1;
    }

    fn parse_component_payload(
        &mut self,
        component: &mut Component,
        payload: Payload<'_>,
        whole: &[u8],
    ) -> Result<(), Error<TooDeep>> {
        if self.depth > 0 {
            return parse_component_payload(self, component, payload, whole);
        }
        match payload {
            Payload::ComponentCanonicalSection(section) => {
                for function in section {
                    self.canonical(component, function?)?;
                }
                Ok(())
            }
            // Machine code does not need these.
            Payload::CustomSection(_) => Ok(()),
            other => parse_component_payload(self, component, other, whole),
        }
    }

    fn parse_instance(
        &mut self,
        instances: &mut InstanceSection,
        instance: Instance<'_>,
    ) -> Result<(), Error<TooDeep>> {
        let Instance::Instantiate { module_index, args } = &instance else {
            return parse_instance(self, instances, instance);
        };
        let is_rewritten = self.are_copied && self.wiring.kept(*module_index).is_some();
        if self.depth > 0 || !is_rewritten {
            return parse_instance(self, instances, instance);
        }
        let theirs = args
            .iter()
            .map(|argument| (argument.name, argument.index + CORE_INSTANCES));
        // What was written into it calls the intrinsics.
        let all = theirs.chain([(self.trusted.secret, INTRINSICS)]);
        let all: Vec<_> = all
            .map(|pair| (pair.0, ModuleArg::Instance(pair.1)))
            .collect();
        instances.instantiate(module_index + MODULES, all);
        Ok(())
    }

    fn parse_component_subcomponent(
        &mut self,
        component: &mut Component,
        parser: Parser,
        inner: &[u8],
        whole: &[u8],
    ) -> Result<(), Error<TooDeep>> {
        if self.depth == 0 && !may_reach_out(inner)? {
            // It refers to nothing around it, and is copied unchanged, however deep it is.
            component.section(&RawSection {
                id: ComponentSectionId::Component.into(),
                data: inner,
            });
            return Ok(());
        }
        if self.depth == DEPTH {
            return Err(Error::UserError(TooDeep));
        }
        parse_component_subcomponent(self, component, parser, inner, whole)
    }

    fn parse_component_submodule(
        &mut self,
        component: &mut Component,
        _: Parser,
        module: &[u8],
    ) -> Result<(), Error<TooDeep>> {
        let mut rewritten = None;
        if self.depth == 0 {
            rewritten = self.rewritten.get(self.modules).and_then(Option::as_deref);
            self.modules += 1;
        }
        // A module has indices of its own, and most are copied unchanged.
        let module = rewritten.unwrap_or(module);
        component.section(&RawSection {
            id: ComponentSectionId::CoreModule.into(),
            data: module,
        });
        Ok(())
    }
}

/// Whether something in this component may refer to what is around it.
fn may_reach_out(component: &[u8]) -> Result<bool, wasmparser::BinaryReaderError> {
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::ComponentAliasSection(section) => {
                for alias in section {
                    if matches!(alias?, ComponentAlias::Outer { .. }) {
                        return Ok(true);
                    }
                }
            }
            Payload::ComponentTypeSection(section) => {
                for ty in section {
                    if matches!(
                        ty?,
                        ComponentType::Component(_) | ComponentType::Instance(_)
                    ) {
                        return Ok(true);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(false)
}
