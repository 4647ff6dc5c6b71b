//! Converts a URDF, the robot description of ROS, to the text of a `robot.toml`.
//!
//! The steps: `read` parses the XML, `order` sorts the links, `draft` converts joints and links, `capsule` and `hull`
//! convert shapes (`mesh` and `collada` read files), `soles` finds the feet, `write` writes the text.
//! Used by `dcm-run urdf import`. The text loads without errors, and is the same for the same file; a part of
//! the URDF that cannot be converted gives a warning.

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

/// The maximum size of a URDF, bytes.
pub const URDF_MAX: usize = 16 << 20;

/// The maximum number of links.
pub const LINKS_MAX: usize = 4096;

/// The options of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// The name of the file, for the first line of the text.
    pub file: String,
    /// Which continuous joints become wheels, whose values are speeds; the others become joints with a limited range.
    pub wheels: Wheels,
    /// The links on which it stands; default: the lowest ones that joints move.
    pub soles: Vec<String>,
}

/// Which continuous joints become wheels.
#[derive(Clone, Debug, Default)]
pub enum Wheels {
    /// None; each gives a warning.
    #[default]
    None,
    /// All.
    All,
    /// These.
    Named(Vec<String>),
    /// Those for which [`ImportContext::is_wheel`] returns true.
    Asked,
}

/// The inputs outside the URDF's text: mesh files, and the user's answers.
pub trait ImportContext {
    /// The bytes of the mesh at `uri`, which is as the URDF has it.
    ///
    /// # Errors
    /// The reason as a predicate, such as "is not there".
    fn mesh(&mut self, uri: &str) -> Result<Vec<u8>, String>;

    /// Whether the continuous joint `joint` is a wheel.
    fn is_wheel(&mut self, joint: &str) -> bool;
}

/// A context without meshes and wheels.
impl ImportContext for () {
    fn mesh(&mut self, _: &str) -> Result<Vec<u8>, String> {
        Err("is not read here".to_owned())
    }

    fn is_wheel(&mut self, _: &str) -> bool {
        false
    }
}

/// An imported robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The text of its `robot.toml`.
    pub text: String,
    /// Its name.
    pub name: String,
    /// The number of actuators: joints and wheels.
    pub joints: usize,
    /// The number of links.
    pub links: usize,
    /// Warnings, with their lines.
    pub warnings: Vec<String>,
}

/// Converts the text of a URDF to a `robot.toml`.
///
/// # Errors
/// The mistakes in the URDF, each with its line.
pub fn import(
    text: &str,
    options: &ImportOptions,
    context: &mut dyn ImportContext,
) -> Result<Imported, UrdfFaults> {
    if text.len() > URDF_MAX {
        return Err(UrdfFaults::one(UrdfFault::Large));
    }
    let urdf = read::read(text, context)?;
    let order = order::order(&urdf).map_err(|error| UrdfFaults::new(text, error))?;
    let robot = draft::draft(&urdf, &order, options, context)
        .map_err(|error| UrdfFaults::new(text, error))?;
    let written = write::write(&robot, &options.file);
    if written.len() > crate::TEXT_MAX {
        return Err(UrdfFaults::one(UrdfFault::Long(written.len())));
    }
    // The result must load as a description.
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
