//! From a URDF, the robot description of ROS, to the text of a `robot.toml`.
//!
//! The way of a URDF: `read` takes what we need out of the XML, `order` puts the links in order,
//! `draft` decides what each joint and link becomes, `capsule` and `hull` its shapes (`mesh` and `collada` read files),
//! `soles` finds feet, `write` sets the text.
//! Used by `dcm-run urdf import`. The law: what comes out loads without a problem, the same bytes
//! for the same file; what cannot be said in our format is told as a warning, never dropped silently.

mod capsule;
mod collada;
mod draft;
mod fault;
mod hull;
mod joint;
mod mesh;
mod model;
mod order;
mod read;
mod soles;
mod solids;
mod write;
mod xml;

pub use capsule::drawn;
pub use fault::{UrdfFault, UrdfFaults};

/// The largest URDF that is read, bytes.
pub const URDF_MAX: usize = 16 << 20;

/// The most links that are read.
pub const LINKS_MAX: usize = 4096;

/// What may be chosen.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What the file is called, for the first line of the text.
    pub file: String,
    /// Which of the joints that turn without end become wheels, which are sent speeds; the others turn to and fro.
    pub wheels: Wheels,
    /// Links on which it stands; those that are lowest and that joints move, if none is named.
    pub soles: Vec<String>,
}

/// Which of the joints that turn without end become wheels.
#[derive(Clone, Debug, Default)]
pub enum Wheels {
    /// None, and each is told.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Named(Vec<String>),
    /// Those of which [`ImportContext::is_wheel`] says so.
    Asked,
}

/// What a URDF's text does not hold: the files that it names, and the answers of who imports it.
pub trait ImportContext {
    /// The bytes of the mesh at `uri`, as the URDF writes it, or why there are none.
    ///
    /// # Errors
    /// A sentence without its subject, such as "is not there".
    fn mesh(&mut self, uri: &str) -> Result<Vec<u8>, String>;

    /// Whether `joint`, which turns without end, is a wheel.
    fn is_wheel(&mut self, joint: &str) -> bool;
}

/// Nothing outside: no meshes, no wheels.
impl ImportContext for () {
    fn mesh(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("is not read here".to_owned())
    }

    fn is_wheel(&mut self, _: &str) -> bool {
        false
    }
}

/// A robot that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The text of its `robot.toml`.
    pub text: String,
    /// Its name.
    pub name: String,
    /// How many actuators it has: joints and wheels.
    pub joints: usize,
    /// How many links it has.
    pub links: usize,
    /// What could not be taken over as it was, with the line.
    pub warnings: Vec<String>,
}

/// Makes a `robot.toml` from the text of a URDF.
///
/// # Errors
/// What is wrong with the URDF, with the line of each mistake.
pub fn import(
    text: &str,
    options: &ImportOptions,
    context: &mut dyn ImportContext,
) -> Result<Imported, UrdfFaults> {
    if text.len() > URDF_MAX {
        return Err(UrdfFaults::one(UrdfFault::Large));
    }
    let urdf = read::read(text, context)?;
    let order = order::order(&urdf).map_err(|it| UrdfFaults::new(text, it))?;
    let robot =
        draft::draft(&urdf, &order, options, context).map_err(|it| UrdfFaults::new(text, it))?;
    let written = write::write(&robot, &options.file);
    if written.len() > crate::TEXT_MAX {
        return Err(UrdfFaults::one(UrdfFault::Long(written.len())));
    }
    // The last word has the one who will read it.
    if let Err(problems) = crate::load::parse("the imported robot", &written) {
        return Err(UrdfFaults::one(UrdfFault::Loading(problems.to_string())));
    }
    Ok(Imported {
        text: written,
        name: robot.name,
        joints: robot.joints.len() + robot.wheels.len(),
        links: robot.links.len(),
        warnings: fault::sentences(text, robot.warnings),
    })
}
