//! The contract as all back ends need it: its interfaces, in the order of the world, with functions of simple types.
//! A type that a back end could not write is an error here, for all languages at once.

use std::path::Path;

use wit_parser::{Function, Resolve, Type, TypeDefKind, WorldItem, WorldKey};

/// The contract.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Its interfaces; the one with the shared types is first.
    pub interfaces: Vec<Interface>,
    /// What a motion may export.
    pub motion: Vec<Hook>,
    /// What a score exports.
    pub score: Vec<Hook>,
}

/// An interface.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Its short name: `commands`.
    pub name: String,
    /// The module of its imports: `dcm:choreography/commands@0.1.0`.
    pub module: String,
    /// Its description, line by line. So for all below.
    pub docs: Vec<String>,
    /// Its types, those of other interfaces left out.
    pub types: Vec<Named>,
    /// Its functions.
    pub functions: Vec<Import>,
}

/// A type with a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name: `answer`.
    pub name: String,
    /// See [`Interface::docs`].
    pub docs: Vec<String>,
    /// What it is.
    pub shape: Shape,
}

/// What a named type is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Another name of a simple type.
    Alias(Kind),
    /// Cases with their descriptions, numbered from 0.
    Enum(Vec<(String, Vec<String>)>),
}

/// A function that a guest imports.
#[derive(Clone, Debug)]
pub struct Import {
    /// Its name: `set-all`.
    pub name: String,
    /// See [`Interface::docs`].
    pub docs: Vec<String>,
    /// Its parameters.
    pub params: Vec<(String, Kind)>,
    /// Its result; every function of the contract has one.
    pub result: Kind,
}

/// A function that a guest exports. None has parameters.
#[derive(Clone, Debug)]
pub struct Hook {
    /// Its name: `pre-process`.
    pub name: String,
    /// See [`Interface::docs`].
    pub docs: Vec<String>,
    /// Its result, if it has one.
    pub result: Option<Kind>,
}

/// The type of a parameter or result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1, as an `i32`.
    Bool,
    /// An `i32`.
    U32,
    /// An `i64`.
    U64,
    /// An `f64`.
    F64,
    /// An alias, by its name and what it stands for.
    Alias(String, Box<Kind>),
    /// An enum, by its name: an `i32`.
    Enum(String),
    /// A text: its address and its length, two `i32`. Only as a parameter. So is the next.
    Text,
    /// A list of `u64`: its address, which is a multiple of 8, and its length.
    Words,
}

impl Kind {
    /// The type in WebAssembly; of a text or a list that of both parts.
    pub fn core(&self) -> &'static str {
        match self {
            Kind::Bool | Kind::U32 | Kind::Enum(_) => "i32",
            Kind::U64 => "i64",
            Kind::F64 => "f64",
            Kind::Text | Kind::Words => "i32 i32",
            Kind::Alias(_, of) => of.core(),
        }
    }

    /// Whether it is passed as an address and a length.
    pub fn points(&self) -> bool {
        matches!(self, Kind::Text | Kind::Words)
    }
}

impl Contract {
    /// Reads the contract from a folder with its WIT.
    ///
    /// # Errors
    /// A message: the folder cannot be parsed, or has a type that bindings cannot be written for.
    pub fn read(folder: &Path) -> Result<Contract, String> {
        let mut resolve = Resolve::default();
        let (package, _) = resolve
            .push_dir(folder)
            .map_err(|error| format!("{error:#}"))?;
        let world = |name: &str| {
            let id = resolve.packages[package].worlds.get(name);
            id.map(|id| &resolve.worlds[*id])
                .ok_or_else(|| format!("there is no world `{name}`"))
        };
        let mut interfaces = Vec::new();
        for key in world("imports")?.imports.keys() {
            let WorldKey::Interface(id) = key else {
                return Err(format!("{key:?} is imported past all interfaces"));
            };
            interfaces.push(interface(&resolve, *id)?);
        }
        let hooks = |name: &str| -> Result<Vec<Hook>, String> {
            let exports = world(name)?.exports.iter();
            exports.map(|export| hook(&resolve, export)).collect()
        };
        Ok(Contract {
            interfaces,
            motion: hooks("motion")?,
            score: hooks("score")?,
        })
    }
}

fn interface(resolve: &Resolve, id: wit_parser::InterfaceId) -> Result<Interface, String> {
    let of = &resolve.interfaces[id];
    let module = resolve
        .id_of(id)
        .ok_or("an interface without a name is imported")?;
    let types = of.types.values().filter_map(|id| {
        let of = &resolve.types[*id];
        let shape = match &of.kind {
            TypeDefKind::Enum(cases) => Shape::Enum(
                (cases
                    .cases
                    .iter()
                    .map(|case| (case.name.clone(), docs(&case.docs))))
                .collect(),
            ),
            // An alias of what another interface defines is only `use`.
            TypeDefKind::Type(Type::Id(_)) => return None,
            TypeDefKind::Type(value) => match kind(resolve, value) {
                Ok(kind) => Shape::Alias(kind),
                Err(error) => return Some(Err(error)),
            },
            other => return Some(Err(format!("{:?} is {}", of.name, other.as_str()))),
        };
        let name = of.name.clone().unwrap_or_default();
        let docs = docs(&of.docs);
        Some(Ok(Named { name, docs, shape }))
    });
    Ok(Interface {
        name: of.name.clone().unwrap_or_default(),
        module,
        docs: docs(&of.docs),
        types: types.collect::<Result<_, _>>()?,
        functions: (of.functions.values().map(|value| import(resolve, value)))
            .collect::<Result<_, _>>()?,
    })
}

fn import(resolve: &Resolve, of: &Function) -> Result<Import, String> {
    let params = of.params.iter();
    let params =
        params.map(|parameter| Ok((parameter.name.clone(), kind(resolve, &parameter.ty)?)));
    let result = of.result.as_ref();
    let result = result.ok_or_else(|| format!("`{}` answers nothing", of.name))?;
    let result = kind(resolve, result)?;
    if result.points() {
        return Err(format!("`{}` answers with more than a scalar", of.name));
    }
    Ok(Import {
        name: of.name.clone(),
        docs: docs(&of.docs),
        params: params.collect::<Result<_, String>>()?,
        result,
    })
}

fn hook(resolve: &Resolve, (key, item): (&WorldKey, &WorldItem)) -> Result<Hook, String> {
    let WorldItem::Function(of) = item else {
        return Err(format!("{key:?} is exported and no function"));
    };
    if !of.params.is_empty() {
        return Err(format!("`{}` is given something", of.name));
    }
    let result = of.result.as_ref().map(|result| kind(resolve, result));
    Ok(Hook {
        name: of.name.clone(),
        docs: docs(&of.docs),
        result: result.transpose()?,
    })
}

fn kind(resolve: &Resolve, of: &Type) -> Result<Kind, String> {
    Ok(match of {
        Type::Bool => Kind::Bool,
        Type::U32 => Kind::U32,
        Type::U64 => Kind::U64,
        Type::F64 => Kind::F64,
        Type::String => Kind::Text,
        Type::Id(id) => {
            let of = &resolve.types[*id];
            let name = of.name.clone().unwrap_or_default();
            match &of.kind {
                TypeDefKind::Enum(_) => Kind::Enum(name),
                TypeDefKind::List(Type::U64) => Kind::Words,
                // A name that an interface uses from another: what it stands for there.
                TypeDefKind::Type(aliased @ Type::Id(_)) => kind(resolve, aliased)?,
                TypeDefKind::Type(value) => Kind::Alias(name, Box::new(kind(resolve, value)?)),
                other => return Err(format!("no binding is written for {}", other.as_str())),
            }
        }
        other => return Err(format!("no binding is written for {other:?}")),
    })
}

fn docs(of: &wit_parser::Docs) -> Vec<String> {
    let text = of.contents.as_deref().unwrap_or("");
    text.trim().lines().map(str::to_owned).collect()
}
