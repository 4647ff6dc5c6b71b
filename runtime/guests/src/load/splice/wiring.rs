//! What a component's core modules import of the functions that are kept in place.
//! Called by `splice`, before it copies the component.
//! A module is rewritten only if nobody but one core instance sees its imports.

use std::collections::{HashMap, HashSet};

use wasmparser::{
    BinaryReaderError, CanonicalFunction, ComponentAlias, ComponentExternalKind, ComponentInstance,
    ComponentOuterAliasKind, ComponentTypeRef, ExternalKind, Instance, Parser, Payload,
};

use crate::load::splice::KeptPlace;

/// The functions kept in place that one core module imports, by the names of the import.
pub(crate) type Kept = HashMap<(String, String), &'static str>;

/// A component's items, as far as they lead to a function that is kept in place.
pub(crate) struct CoreWiring<'p> {
    places: &'p [KeptPlace],
    /// Instances by their index: the interface of each that is imported.
    instances: Vec<Option<String>>,
    /// Functions by their index: our export that replaces each.
    functions: Vec<Option<&'static str>>,
    /// The same of core functions.
    core_functions: Vec<Option<&'static str>>,
    /// What each core instance exports of these.
    core_instances: Vec<HashMap<String, &'static str>>,
    /// Core modules by their index: the number of each that is defined here, in their order.
    modules: Vec<Option<usize>>,
    /// What each of these imports.
    kept: Vec<Kept>,
    /// The modules that are instantiated, and those that others may instantiate.
    instantiated: HashSet<u32>,
    shared: HashSet<u32>,
    /// A component inside may instantiate any.
    all_shared: bool,
}

impl<'p> CoreWiring<'p> {
    /// The wiring of a valid component.
    pub(crate) fn of(guest: &[u8], places: &'p [KeptPlace]) -> Result<Self, BinaryReaderError> {
        let mut wiring = CoreWiring {
            places,
            instances: Vec::new(),
            functions: Vec::new(),
            core_functions: Vec::new(),
            core_instances: Vec::new(),
            modules: Vec::new(),
            kept: Vec::new(),
            instantiated: HashSet::new(),
            shared: HashSet::new(),
            all_shared: false,
        };
        let mut depth = 0;
        for payload in Parser::new(0).parse_all(guest) {
            let payload = payload?;
            if depth == 0 {
                wiring.follow(&payload)?;
            } else if let Payload::ComponentAliasSection(section) = &payload {
                wiring.alias_within(section.clone())?;
            }
            match payload {
                Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                _ => {}
            }
        }
        Ok(wiring)
    }

    /// Our export that replaces a function of the component's.
    pub(crate) fn place(&self, function: u32) -> Option<&'static str> {
        self.functions.get(function as usize).copied().flatten()
    }

    /// What the core module of this index imports of the functions kept in place, if its imports may be changed, and
    /// its number among the modules that are defined here.
    pub(crate) fn kept(&self, index: u32) -> Option<(usize, &Kept)> {
        let number = (*self.modules.get(index as usize)?)?;
        let kept = self.kept.get(number).filter(|value| !value.is_empty())?;
        (!self.all_shared && !self.shared.contains(&index)).then_some((number, kept))
    }

    /// The indices of all core modules.
    pub(crate) fn modules(&self) -> std::ops::Range<u32> {
        0..self.modules.len() as u32
    }

    fn follow(&mut self, payload: &Payload<'_>) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::ModuleSection { .. } => {
                self.modules.push(Some(self.kept.len()));
                self.kept.push(Kept::new());
            }
            Payload::ComponentImportSection(section) => {
                for import in section.clone() {
                    let import = import?;
                    match import.ty {
                        ComponentTypeRef::Instance(_) => {
                            self.instances.push(Some(import.name.name.to_owned()));
                        }
                        ComponentTypeRef::Func(_) => self.functions.push(None),
                        ComponentTypeRef::Module(_) => self.modules.push(None),
                        _ => {}
                    }
                }
            }
            Payload::ComponentInstanceSection(section) => {
                for instance in section.clone() {
                    self.instance(&instance?);
                }
            }
            Payload::ComponentAliasSection(section) => {
                for alias in section.clone() {
                    self.alias(&alias?);
                }
            }
            // An export gives its item a second index, by which nothing is replaced.
            Payload::ComponentExportSection(section) => {
                for export in section.clone() {
                    let export = export?;
                    if export.kind == ComponentExternalKind::Module {
                        self.shared.insert(export.index);
                    }
                    self.another(export.kind);
                }
            }
            Payload::ComponentCanonicalSection(section) => {
                for function in section.clone() {
                    self.canonical(&function?);
                }
            }
            Payload::InstanceSection(section) => {
                for instance in section.clone() {
                    self.core_instance(&instance?);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn instance(&mut self, instance: &ComponentInstance<'_>) {
        self.instances.push(None);
        let given: Vec<_> = match instance {
            ComponentInstance::Instantiate { args, .. } => args
                .iter()
                .map(|argument| (argument.kind, argument.index))
                .collect(),
            ComponentInstance::FromExports(exports) => exports
                .iter()
                .map(|export| (export.kind, export.index))
                .collect(),
        };
        let modules = given
            .into_iter()
            .filter(|pair| pair.0 == ComponentExternalKind::Module);
        self.shared.extend(modules.map(|module| module.1));
    }

    fn alias(&mut self, alias: &ComponentAlias<'_>) {
        match alias {
            ComponentAlias::InstanceExport {
                kind: ComponentExternalKind::Func,
                instance_index,
                name,
            } => {
                let interface = self.instances.get(*instance_index as usize);
                let interface = interface.and_then(Option::as_deref);
                let mut places = self.places.iter();
                let place = places.find(|place| Some(place.0) == interface && place.1 == *name);
                self.functions.push(place.map(|place| place.2));
            }
            ComponentAlias::InstanceExport { kind, .. } => self.another(*kind),
            ComponentAlias::CoreInstanceExport { kind, .. } => {
                if matches!(kind, ExternalKind::Func | ExternalKind::FuncExact) {
                    self.core_functions.push(None);
                }
            }
            ComponentAlias::Outer { kind, .. } => {
                if *kind == ComponentOuterAliasKind::CoreModule {
                    self.modules.push(None);
                }
            }
        }
    }

    fn another(&mut self, kind: ComponentExternalKind) {
        match kind {
            ComponentExternalKind::Func => self.functions.push(None),
            ComponentExternalKind::Instance => self.instances.push(None),
            ComponentExternalKind::Module => self.modules.push(None),
            _ => {}
        }
    }

    fn canonical(&mut self, function: &CanonicalFunction) {
        match function {
            CanonicalFunction::Lift { .. } => self.functions.push(None),
            CanonicalFunction::Lower { func_index, .. } => {
                self.core_functions.push(self.place(*func_index));
            }
            _ => self.core_functions.push(None),
        }
    }

    fn core_instance(&mut self, instance: &Instance<'_>) {
        let mut exports = HashMap::new();
        match instance {
            Instance::Instantiate { module_index, args } => {
                if !self.instantiated.insert(*module_index) {
                    self.shared.insert(*module_index);
                }
                let number = self.modules.get(*module_index as usize).copied().flatten();
                if let Some(kept) = number.and_then(|number| self.kept.get_mut(number)) {
                    for arg in args {
                        let given = self.core_instances.get(arg.index as usize);
                        for (name, place) in given.into_iter().flatten() {
                            kept.insert((arg.name.to_owned(), name.clone()), place);
                        }
                    }
                }
            }
            Instance::FromExports(all) => {
                for export in all.iter().filter(|item| item.kind == ExternalKind::Func) {
                    let place = self.core_functions.get(export.index as usize);
                    if let Some(place) = place.copied().flatten() {
                        exports.insert(export.name.to_owned(), place);
                    }
                }
            }
        }
        self.core_instances.push(exports);
    }

    /// An alias inside an inner component.
    fn alias_within(
        &mut self,
        section: wasmparser::ComponentAliasSectionReader<'_>,
    ) -> Result<(), BinaryReaderError> {
        for alias in section {
            let kind = match alias? {
                ComponentAlias::Outer { kind, .. } => Some(kind),
                _ => None,
            };
            self.all_shared |= kind == Some(ComponentOuterAliasKind::CoreModule);
        }
        Ok(())
    }
}
