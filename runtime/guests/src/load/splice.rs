//! Splices a trusted core module into a guest: what the guest calls of the interfaces that are kept in place goes
//! straight to that module's functions, in the same component, with nothing in between.
//! Called when a motion is compiled, by `inplace`.
//! The law: everything of ours comes before everything of the guest's, and every number of the guest's is moved
//! on behind it. A guest that is valid by itself names only what is its own, and so it cannot name what is ours.

use std::fmt;

use wasm_encoder::reencode::{
    Error, Reencode, ReencodeComponent,
    component_utils::{
        parse_component_canonical, parse_component_payload, parse_component_subcomponent,
    },
};
use wasm_encoder::{
    Alias, CanonicalFunctionSection, Component, ComponentAliasSection, ComponentExportKind,
    ComponentImportSection, ComponentSectionId, ComponentTypeRef, ComponentTypeSection, ExportKind,
    InstanceSection, InstanceType, ModuleArg, PrimitiveValType, RawSection,
};
use wasmparser::{
    CanonicalFunction, ComponentAlias, ComponentExternalKind, ComponentType,
    ComponentTypeRef as Imported, Parser, Payload,
};

/// A function of an intrinsic: its name, and how many words it takes; whether it gives one.
pub(crate) type Intrinsic = (&'static str, u32, bool);

/// What is spliced in.
pub(crate) struct Graft<'g> {
    /// The name under which the intrinsics are imported.
    pub(crate) secret: &'g str,
    /// The intrinsics, which the module imports from `desk`.
    pub(crate) intrinsics: &'g [Intrinsic],
    /// The module.
    pub(crate) module: &'g [u8],
    /// Interface, function, and the module's export that takes its place.
    pub(crate) places: &'g [(&'static str, &'static str, &'static str)],
}

/// Components in components that are looked into; what is deeper must not reach out.
const DEPTH: u32 = 100;

/// What reaches out lies too deep.
#[derive(Debug)]
pub(crate) struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "components lie in it more than {DEPTH} deep, and reach out"
        )
    }
}

impl std::error::Error for TooDeep {}

/// The name by which the module imports its intrinsics.
const DESK: &str = "desk";

/// How many of each kind come before the guest's own.
const TYPES: u32 = 1;
const INSTANCES: u32 = 1;
const MODULES: u32 = 1;
const CORE_INSTANCES: u32 = 2;

/// The core instance of our module.
const OURS: u32 = 1;

/// A guest, which is valid, with the graft in it; nothing if it calls nothing that is kept in place.
pub(crate) fn splice(guest: &[u8], graft: &Graft<'_>) -> Result<Option<Vec<u8>>, String> {
    let mut whole = Component::new();
    before(&mut whole, graft);
    let mut splice = Splice {
        graft,
        depth: 0,
        instances: Vec::new(),
        functions: Vec::new(),
        calls: 0,
    };
    let done = splice.parse_component(&mut whole, Parser::new(0), guest);
    done.map_err(|error| error.to_string())?;
    Ok((splice.calls > 0).then(|| whole.finish()))
}

/// Everything of ours.
fn before(whole: &mut Component, graft: &Graft<'_>) {
    let word = PrimitiveValType::U64;
    let mut desk = InstanceType::new();
    for (number, (name, params, gives)) in graft.intrinsics.iter().enumerate() {
        let names = ["a", "b", "c"].into_iter().take(*params as usize);
        let mut function = desk.ty().function();
        function.params(names.map(|it| (it, word)));
        function.result(gives.then_some(word.into()));
        desk.export(*name, ComponentTypeRef::Func(number as u32));
    }
    let mut types = ComponentTypeSection::new();
    types.instance(&desk);
    whole.section(&types);
    let mut imports = ComponentImportSection::new();
    imports.import(graft.secret, ComponentTypeRef::Instance(0));
    whole.section(&imports);
    let mut aliases = ComponentAliasSection::new();
    let mut lowered = CanonicalFunctionSection::new();
    for (number, (name, ..)) in graft.intrinsics.iter().enumerate() {
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
        data: graft.module,
    });
    let mut instances = InstanceSection::new();
    let all = graft.intrinsics.iter().enumerate();
    instances.export_items(all.map(|(number, it)| (it.0, ExportKind::Func, number as u32)));
    instances.instantiate(0, [(DESK, ModuleArg::Instance(0))]);
    whole.section(&instances);
}

/// The guest as it is copied.
struct Splice<'g> {
    graft: &'g Graft<'g>,
    /// How deep in components and types that have numbers of their own.
    depth: u32,
    /// The guest's instances, by their own numbers: the interface of each that is imported.
    instances: Vec<Option<String>>,
    /// Its functions: what takes the place of each.
    functions: Vec<Option<&'static str>>,
    /// Calls that go straight now.
    calls: u32,
}

impl Splice<'_> {
    /// Moves a number of the guest's own on.
    fn on(&self, index: u32, by: u32) -> u32 {
        if self.depth == 0 { index + by } else { index }
    }

    /// The same from within, so many levels out.
    fn out(&self, count: u32, index: u32, by: u32) -> u32 {
        if self.depth == count {
            index + by
        } else {
            index
        }
    }

    fn functions(&self) -> u32 {
        self.graft.intrinsics.len() as u32
    }

    /// Keeps count of the guest's instances and functions.
    fn follow(&mut self, payload: &Payload<'_>) -> Result<(), wasmparser::BinaryReaderError> {
        match payload {
            Payload::ComponentImportSection(section) => {
                for import in section.clone() {
                    let import = import?;
                    match import.ty {
                        Imported::Instance(_) => {
                            self.instances.push(Some(import.name.name.to_owned()));
                        }
                        Imported::Func(_) => self.functions.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => {
                let new = section.count() as usize;
                self.instances.resize(self.instances.len() + new, None);
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section.clone() {
                    self.alias(&alias?);
                }
            }
            // What is exported has a second number, by which nothing of ours is lowered.
            Payload::ComponentExportSection(section) => {
                for export in section.clone() {
                    self.another(export?.kind);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn alias(&mut self, alias: &ComponentAlias<'_>) {
        let ComponentAlias::InstanceExport {
            kind,
            instance_index,
            name,
        } = alias
        else {
            return;
        };
        if *kind != ComponentExternalKind::Func {
            return self.another(*kind);
        }
        let interface = self.instances.get(*instance_index as usize);
        let interface = interface.and_then(Option::as_deref);
        let mut places = self.graft.places.iter();
        let place = places.find(|it| Some(it.0) == interface && it.1 == *name);
        self.functions.push(place.map(|it| it.2));
    }

    fn another(&mut self, kind: ComponentExternalKind) {
        match kind {
            ComponentExternalKind::Func => self.functions.push(None),
            ComponentExternalKind::Instance => self.instances.push(None),
            _ => {}
        }
    }

    /// One after the other, because what is ours takes its place among the guest's.
    fn canonical(
        &mut self,
        whole: &mut Component,
        function: CanonicalFunction,
    ) -> Result<(), Error<TooDeep>> {
        if let CanonicalFunction::Lower { func_index, .. } = function
            && let Some(Some(name)) = self.functions.get(func_index as usize)
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
        if matches!(function, CanonicalFunction::Lift { .. }) {
            self.functions.push(None);
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
        self.follow(&payload)?;
        match payload {
            Payload::ComponentCanonicalSection(section) => {
                for function in section {
                    self.canonical(component, function?)?;
                }
                Ok(())
            }
            // Nobody reads these in machine code.
            Payload::CustomSection(_) => Ok(()),
            other => parse_component_payload(self, component, other, whole),
        }
    }

    fn parse_component_subcomponent(
        &mut self,
        component: &mut Component,
        parser: Parser,
        inner: &[u8],
        whole: &[u8],
    ) -> Result<(), Error<TooDeep>> {
        if self.depth == 0 && !may_reach_out(inner)? {
            // It names nothing of what is around it: it stays as it is, however deep it is.
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
        // What is in a module has numbers of its own: it stays as it is.
        component.section(&RawSection {
            id: ComponentSectionId::CoreModule.into(),
            data: module,
        });
        Ok(())
    }
}

/// Whether something in this component may name what is around it.
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
