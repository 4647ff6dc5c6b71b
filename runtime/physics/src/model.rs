//! What a world is made of: links in a tree, their joints, and the shapes with which they touch each other and the
//! ground. Built by crates that know robots; checked once, when the world is made.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use kinematics::{Transform, Vec3};

use crate::inertia::is_inertia;

/// The links, degrees of freedom and shapes of all bodies in a world.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The links; each one comes after its parent.
    pub links: Vec<LinkModel>,
    /// The degrees of freedom that joints move; several joints may share one, as both hips of a NAO do.
    pub dofs: Vec<DofModel>,
    /// The shapes.
    pub colliders: Vec<Collider>,
    /// Pairs of links that never touch each other. A link never touches its own parent.
    pub ignored_pairs: Vec<(usize, usize)>,
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct LinkModel {
    /// Its name, for errors.
    pub name: String,
    /// How it is held.
    pub mount: Mount,
    /// kg.
    pub mass: f64,
    /// The centre of mass in the link's frame, m.
    pub center: Vec3,
    /// The inertia about the centre of mass, along the axes of the link's frame: `xx, yy, zz, xy, xz, yz`, kg·m².
    pub inertia: [f64; 6],
}

/// How a link is held.
#[derive(Clone, Copy, Debug)]
pub enum Mount {
    /// It moves freely, as the torso of a robot does.
    Free,
    /// It cannot move, at this place in the world.
    Fixed(Transform),
    /// It is a part of another link: its frame in the parent's frame, and the joint between them.
    On {
        /// The parent's index.
        parent: usize,
        /// The frame in the parent's frame, at position 0 of the joint.
        placement: Transform,
        /// The joint; a link without one is rigidly attached.
        joint: Option<JointModel>,
    },
}

/// A joint, which turns a link about an axis or slides it along one.
#[derive(Clone, Copy, Debug)]
pub struct JointModel {
    /// The index of its degree of freedom.
    pub dof: usize,
    /// The axis in the link's frame, of length 1.
    pub axis: Vec3,
    /// Whether it slides.
    pub slides: bool,
    /// How far it moves for each unit of its degree of freedom.
    pub ratio: f64,
    /// How far it has moved while its degree of freedom is at 0.
    pub offset: f64,
}

impl JointModel {
    fn is_sound(&self) -> bool {
        is_unit(self.axis) && self.ratio.is_finite() && self.ratio != 0.0 && self.offset.is_finite()
    }
}

/// A degree of freedom: an angle in rad, or a distance in m.
#[derive(Clone, Debug)]
pub struct DofModel {
    /// Its name, for errors.
    pub name: String,
    /// The mechanical stops; none for a wheel.
    pub stops: Option<(f64, f64)>,
    /// The inertia of the motor and its gears, seen from the joint, kg·m².
    pub armature: f64,
    /// Torque per speed that always brakes, N·m·s/rad.
    pub damping: f64,
    /// Dry friction, N·m.
    pub friction: f64,
}

/// A shape on a link.
#[derive(Clone, Debug)]
pub struct Collider {
    /// The link's index.
    pub link: usize,
    /// The shape, in the link's frame.
    pub shape: Shape,
    /// Whether it touches the ground. What touches the ground or other links touches boxes that are added as well.
    pub meets_ground: bool,
    /// Whether it touches shapes of other links.
    pub meets_links: bool,
    /// The coefficient of friction. Where two surfaces touch, the smaller one counts.
    pub friction: f64,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A segment with a radius; a sphere if both ends are the same point.
    Capsule {
        /// One end.
        from: Vec3,
        /// The other end.
        to: Vec3,
        /// m.
        radius: f64,
    },
    /// A box along the axes of the link's frame. It touches the ground and every other shape.
    Box {
        /// Its middle.
        center: Vec3,
        /// Half of its edges, m.
        half: Vec3,
    },
    /// The corners of a convex body, which touches the ground and boxes.
    Hull {
        /// m.
        corners: Vec<Vec3>,
    },
    /// A wheel: a cylinder, which touches the ground and boxes.
    Wheel {
        /// Its middle.
        center: Vec3,
        /// Its axle, of length 1.
        axle: Vec3,
        /// m.
        radius: f64,
        /// Half of its width, m.
        half_width: f64,
    },
}

/// Why a model is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// A mass that is not above zero: the link.
    Mass(String),
    /// An inertia that no body can have: the link.
    Inertia(String),
    /// A number that is not finite, a ratio of zero, or an axis or a rotation whose length is not 1: the link or the
    /// degree of freedom.
    Number(String),
    /// A parent that does not come before its link: the link.
    Parent(String),
    /// An index that names nothing: the link or the shape's number.
    Index(String),
    /// Stops in the wrong order, or a negative armature, damping or friction: the degree of freedom.
    Dof(String),
    /// A degree of freedom without a joint.
    Unused(String),
    /// A size that is not above zero, or a negative friction: the link.
    Shape(String),
    /// More of this than a step may take: what, and how many there may be.
    Size(&'static str, usize),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Mass(link) => {
                write!(f, "the link `{link}` has no mass; fix: give it one above 0")
            }
            ModelError::Inertia(link) => write!(
                f,
                "no body can have the inertia of the link `{link}`; fix: no principal moment may exceed the sum of \
                 the other two, and each must be above 0"
            ),
            ModelError::Number(name) => write!(
                f,
                "a number of `{name}` is not finite, its ratio is 0, or its axis or rotation does not have length 1"
            ),
            ModelError::Parent(link) => {
                write!(f, "the parent of the link `{link}` does not come before it")
            }
            ModelError::Index(name) => {
                write!(
                    f,
                    "`{name}` refers to a link or a joint that does not exist"
                )
            }
            ModelError::Dof(name) => write!(
                f,
                "the joint `{name}` has stops in the wrong order, or a negative armature, damping or friction"
            ),
            ModelError::Unused(name) => write!(f, "the joint `{name}` moves no link"),
            ModelError::Shape(link) => write!(
                f,
                "a shape of the link `{link}` has a size that is not above 0, or a negative friction"
            ),
            ModelError::Size(what, most) => {
                write!(
                    f,
                    "the model has too many {what}; fix: leave it at most {most}"
                )
            }
        }
    }
}

impl core::error::Error for ModelError {}

/// The most degrees of freedom, those of free bodies included.
pub const DOFS_MAX: usize = 256;

/// The most pairs of shapes that may touch.
pub const PAIRS_MAX: usize = 16_384;

impl Model {
    /// The degrees of freedom with those of free bodies.
    pub(crate) fn size(&self) -> usize {
        6 * self.free_links().count() + self.dofs.len()
    }

    /// The links that move freely.
    pub(crate) fn free_links(&self) -> impl Iterator<Item = usize> {
        let links = self.links.iter().enumerate();
        links
            .filter(|link| matches!(link.1.mount, Mount::Free))
            .map(|link| link.0)
    }

    /// The index of a link's parent.
    pub(crate) fn parent(&self, link: usize) -> Option<usize> {
        match self.links[link].mount {
            Mount::On { parent, .. } => Some(parent),
            Mount::Free | Mount::Fixed(_) => None,
        }
    }

    /// Checks everything that a step relies on.
    ///
    /// # Errors
    /// The first [`ModelError`].
    pub fn check(&self) -> Result<(), ModelError> {
        for (index, link) in self.links.iter().enumerate() {
            self.check_link(index, link)?;
        }
        for (index, dof) in self.dofs.iter().enumerate() {
            self.check_dof(index, dof)?;
        }
        for collider in &self.colliders {
            self.check_collider(collider)?;
        }
        let is_link = |link: usize| link < self.links.len();
        if let Some(pair) = self
            .ignored_pairs
            .iter()
            .find(|pair| !(is_link(pair.0) && is_link(pair.1)))
        {
            let name = alloc::format!("the ignored pair {} and {}", pair.0, pair.1);
            return Err(ModelError::Index(name));
        }
        if self.size() > DOFS_MAX {
            return Err(ModelError::Size("degrees of freedom", DOFS_MAX));
        }
        Ok(())
    }

    fn check_link(&self, index: usize, link: &LinkModel) -> Result<(), ModelError> {
        let name = || link.name.clone();
        if !(link.center.is_finite() && link.mass.is_finite()) {
            return Err(ModelError::Number(name()));
        }
        if link.mass <= 0.0 {
            return Err(ModelError::Mass(name()));
        }
        if !is_inertia(&link.inertia) {
            return Err(ModelError::Inertia(name()));
        }
        match link.mount {
            Mount::Free => {}
            Mount::Fixed(place) => {
                if !is_place(place) {
                    return Err(ModelError::Number(name()));
                }
            }
            Mount::On {
                parent,
                placement,
                joint,
            } => {
                if parent >= index {
                    return Err(ModelError::Parent(name()));
                }
                if !is_place(placement) || joint.is_some_and(|joint| !joint.is_sound()) {
                    return Err(ModelError::Number(name()));
                }
                if joint.is_some_and(|joint| joint.dof >= self.dofs.len()) {
                    return Err(ModelError::Index(name()));
                }
            }
        }
        Ok(())
    }

    fn check_dof(&self, index: usize, dof: &DofModel) -> Result<(), ModelError> {
        let moves = |link: &LinkModel| match link.mount {
            Mount::On {
                joint: Some(joint), ..
            } => joint.dof == index,
            _ => false,
        };
        if !self.links.iter().any(moves) {
            return Err(ModelError::Unused(dof.name.clone()));
        }
        let is_amount = |amount: f64| amount.is_finite() && amount >= 0.0;
        let amounts = [dof.armature, dof.damping, dof.friction];
        let has_stops = dof
            .stops
            .is_none_or(|(low, high)| low.is_finite() && high.is_finite() && low < high);
        if has_stops && amounts.into_iter().all(is_amount) {
            return Ok(());
        }
        Err(ModelError::Dof(dof.name.clone()))
    }

    fn check_collider(&self, collider: &Collider) -> Result<(), ModelError> {
        let Some(link) = self.links.get(collider.link) else {
            let name = alloc::format!("a shape of link {}", collider.link);
            return Err(ModelError::Index(name));
        };
        let is_size = |size: f64| size.is_finite() && size > 0.0;
        let is_sound = match &collider.shape {
            Shape::Capsule { from, to, radius } => {
                from.is_finite() && to.is_finite() && is_size(*radius)
            }
            Shape::Hull { corners } => {
                !corners.is_empty() && corners.iter().all(|corner| corner.is_finite())
            }
            Shape::Box { center, half } => {
                center.is_finite() && [half.x, half.y, half.z].into_iter().all(is_size)
            }
            Shape::Wheel {
                center,
                axle,
                radius,
                half_width,
            } => center.is_finite() && is_unit(*axle) && is_size(*radius) && is_size(*half_width),
        };
        if is_sound && collider.friction.is_finite() && collider.friction >= 0.0 {
            return Ok(());
        }
        Err(ModelError::Shape(link.name.clone()))
    }
}

fn is_unit(axis: Vec3) -> bool {
    (axis.length() - 1.0).abs() < 1e-6
}

fn is_place(place: Transform) -> bool {
    let [w, x, y, z] = place.turn.parts();
    place.at.is_finite() && (w * w + x * x + y * y + z * z - 1.0).abs() < 1e-6
}
