//! The links as trees: where they are, how they move, the mass matrix, and the forces that the motion itself takes
//! (composite rigid bodies and recursive Newton-Euler).
//! Everything is written in the world's directions about one reference point for each tree, the origin of its root, so
//! that inertias of links can be added without being moved.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use kinematics::{Transform, Vec3};

use crate::matrix::Matrix3;
use crate::model::{Model, Mount};
use crate::spatial::{Spatial, SpatialInertia};

/// One way in which a link can move against its parent: a joint, or one of the six of a free link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freedom {
    /// The coordinate that moves it; joints may share one.
    pub(crate) coordinate: usize,
    axis: Vec3,
    slides: bool,
    ratio: f64,
    offset: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct TreeLink {
    pub(crate) parent: Option<usize>,
    /// The link at the root of its tree.
    pub(crate) root: usize,
    pub(crate) is_free: bool,
    pub(crate) offset: Vec3,
    pub(crate) rotation: Matrix3,
    pub(crate) mass: f64,
    pub(crate) center: Vec3,
    pub(crate) tensor: [f64; 6],
    /// Its own freedoms.
    pub(crate) freedoms: Range<usize>,
    /// All freedoms between the world and this link, as a range of `Tree::chains`.
    pub(crate) chain: Range<usize>,
}

/// The trees of a world.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) links: Vec<TreeLink>,
    pub(crate) freedoms: Vec<Freedom>,
    pub(crate) chains: Vec<usize>,
    pub(crate) armature: Vec<f64>,
    /// The number of coordinates: six for each free link of the model, those of joints, and six for each moving box.
    pub(crate) size: usize,
    // Results of `place`.
    pub(crate) axes: Vec<Matrix3>,
    pub(crate) origins: Vec<Vec3>,
    pub(crate) motions: Vec<Spatial>,
    pub(crate) inertias: Vec<SpatialInertia>,
    // Results of `bias`.
    pub(crate) velocities: Vec<Spatial>,
    // Room for sums over the links.
    pub(crate) accelerations: Vec<Spatial>,
    pub(crate) forces: Vec<Spatial>,
    pub(crate) composites: Vec<SpatialInertia>,
}

impl Tree {
    pub(crate) fn new(model: &Model) -> Tree {
        let count = model.links.len();
        let free = model.free_links().count();
        let size = model.size();
        let mut tree = Tree {
            links: Vec::with_capacity(count),
            freedoms: Vec::new(),
            chains: Vec::new(),
            armature: vec![0.0; size],
            size,
            axes: vec![Matrix3::IDENTITY; count],
            origins: vec![Vec3::ZERO; count],
            motions: Vec::new(),
            inertias: vec![SpatialInertia::ZERO; count],
            velocities: vec![Spatial::ZERO; count],
            accelerations: vec![Spatial::ZERO; count],
            forces: vec![Spatial::ZERO; count],
            composites: vec![SpatialInertia::ZERO; count],
        };
        let mut bases = 0;
        for (index, link) in model.links.iter().enumerate() {
            let (parent, place) = match link.mount {
                Mount::Free => (None, Transform::NONE),
                Mount::Fixed(place) => (None, place),
                Mount::On {
                    parent, placement, ..
                } => (Some(parent), placement),
            };
            let first = tree.freedoms.len();
            tree.add_freedoms(link.mount, 6 * bases, 6 * free);
            bases += usize::from(matches!(link.mount, Mount::Free));
            let freedoms = first..tree.freedoms.len();
            let above = parent.map_or(0..0, |parent| tree.links[parent].chain.clone());
            let from = tree.chains.len();
            tree.chains.extend_from_within(above);
            tree.chains.extend(freedoms.clone());
            tree.links.push(TreeLink {
                parent,
                root: parent.map_or(index, |parent| tree.links[parent].root),
                is_free: matches!(link.mount, Mount::Free),
                offset: place.at,
                rotation: Matrix3::of(place.turn),
                mass: link.mass,
                center: link.center,
                tensor: link.inertia,
                freedoms,
                chain: from..tree.chains.len(),
            });
        }
        for (index, dof) in model.dofs.iter().enumerate() {
            tree.armature[6 * free + index] = dof.armature;
        }
        tree.motions = vec![Spatial::ZERO; tree.freedoms.len()];
        tree
    }

    /// Adds the freedoms of a link: its joint, or the six of a free link, whose coordinates start at `base`.
    pub(crate) fn add_freedoms(&mut self, mount: Mount, base: usize, first_dof: usize) {
        match mount {
            Mount::Free => {
                let freedom = |coordinate| Freedom {
                    coordinate,
                    axis: Vec3::ZERO,
                    slides: false,
                    ratio: 1.0,
                    offset: 0.0,
                };
                self.freedoms.extend((base..base + 6).map(freedom));
            }
            Mount::On {
                joint: Some(joint), ..
            } => self.freedoms.push(Freedom {
                coordinate: first_dof + joint.dof,
                axis: joint.axis,
                slides: joint.slides,
                ratio: joint.ratio,
                offset: joint.offset,
            }),
            Mount::On { joint: None, .. } | Mount::Fixed(_) => {}
        }
    }

    /// Computes where everything is, from the poses of the free links, in their order, and the coordinates.
    pub(crate) fn place(&mut self, bases: &[Transform], positions: &[f64]) {
        let mut bases = bases.iter();
        for index in 0..self.links.len() {
            let link = &self.links[index];
            if link.is_free {
                let base = bases.next().copied().unwrap_or(Transform::NONE);
                self.axes[index] = Matrix3::of(base.turn);
                self.origins[index] = base.at;
                for (row, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                    let first = link.freedoms.start + row;
                    self.motions[first] = Spatial {
                        angular: Vec3::ZERO,
                        linear: axis,
                    };
                    self.motions[first + 3] = Spatial {
                        angular: axis,
                        linear: Vec3::ZERO,
                    };
                }
            } else {
                let (above, start) = match link.parent {
                    Some(parent) => (self.axes[parent], self.origins[parent]),
                    None => (Matrix3::IDENTITY, Vec3::ZERO),
                };
                let mut origin = start + above.apply(link.offset);
                let mut axes = above.times(&link.rotation);
                if link.parent.is_none() {
                    self.origins[index] = origin;
                }
                let reference = self.origins[link.root];
                for number in link.freedoms.clone() {
                    let freedom = self.freedoms[number];
                    let position = freedom.ratio * positions[freedom.coordinate] + freedom.offset;
                    let axis = axes.apply(freedom.axis);
                    let rate = axis * freedom.ratio;
                    if freedom.slides {
                        origin += axis * position;
                        self.motions[number] = Spatial {
                            angular: Vec3::ZERO,
                            linear: rate,
                        };
                    } else {
                        self.motions[number] = Spatial {
                            angular: rate,
                            linear: (origin - reference).cross(rate),
                        };
                        axes = axes.times(&Matrix3::about(freedom.axis, position));
                    }
                }
                self.origins[index] = origin;
                self.axes[index] = axes;
            }
            let arm = self.center(index) - self.reference(index);
            let link = &self.links[index];
            self.inertias[index] =
                SpatialInertia::of_link(link.mass, arm, &self.axes[index], &link.tensor);
        }
    }

    /// Computes how the links move, and the forces on the coordinates that gravity and this motion take without any
    /// acceleration of the coordinates.
    pub(crate) fn bias(&mut self, speeds: &[f64], gravity: Vec3, bias: &mut [f64]) {
        for index in 0..self.links.len() {
            let (velocity, acceleration) = self.moved(index, speeds, None, -gravity);
            self.velocities[index] = velocity;
            self.accelerations[index] = acceleration;
            let inertia = &self.inertias[index];
            self.forces[index] =
                inertia.momentum(acceleration) + velocity.cross_force(inertia.momentum(velocity));
        }
        bias.fill(0.0);
        for index in (0..self.links.len()).rev() {
            let link = &self.links[index];
            for number in link.freedoms.clone() {
                let coordinate = self.freedoms[number].coordinate;
                bias[coordinate] += self.motions[number].dot(self.forces[index]);
            }
            if let Some(parent) = link.parent {
                self.forces[parent] = self.forces[parent] + self.forces[index];
            }
        }
    }

    /// The velocity and the acceleration of a link, from those of its parent in `velocities` and `accelerations`.
    /// A root starts with the acceleration `base`.
    fn moved(
        &self,
        index: usize,
        speeds: &[f64],
        rates: Option<&[f64]>,
        base: Vec3,
    ) -> (Spatial, Spatial) {
        let link = &self.links[index];
        let (mut velocity, mut acceleration) = match link.parent {
            Some(parent) => (self.velocities[parent], self.accelerations[parent]),
            None => (
                Spatial::ZERO,
                Spatial {
                    angular: Vec3::ZERO,
                    linear: base,
                },
            ),
        };
        for number in link.freedoms.clone() {
            let coordinate = self.freedoms[number].coordinate;
            let own = self.motions[number] * speeds[coordinate];
            if link.is_free {
                // The axes of a free link's coordinates are those of the world, and do not turn with it.
                velocity = velocity + own;
            } else {
                acceleration = acceleration + velocity.cross_motion(own);
                velocity = velocity + own;
            }
            if let Some(rates) = rates {
                acceleration = acceleration + self.motions[number] * rates[coordinate];
            }
        }
        if link.is_free {
            // The reference point moves with the link.
            acceleration.linear += velocity.linear.cross(velocity.angular);
        }
        (velocity, acceleration)
    }

    /// The velocity and the acceleration of every link, of which `motion_of` reads one.
    pub(crate) fn accelerate(&mut self, speeds: &[f64], rates: &[f64]) {
        for index in 0..self.links.len() {
            let (velocity, acceleration) = self.moved(index, speeds, Some(rates), Vec3::ZERO);
            self.velocities[index] = velocity;
            self.accelerations[index] = acceleration;
        }
    }

    /// After `accelerate`: the velocity of a point of this link, its turning, and the acceleration of the point, all in
    /// the world's directions.
    pub(crate) fn motion_of(&self, link: usize, point: Vec3) -> (Vec3, Vec3, Vec3) {
        let arm = point - self.reference(link);
        let (velocity, acceleration) = (self.velocities[link], self.accelerations[link]);
        let speed = velocity.at_point(arm);
        let rate = acceleration.at_point(arm) + velocity.angular.cross(speed);
        (speed, velocity.angular, rate)
    }

    /// The lower half of the mass matrix.
    pub(crate) fn mass_matrix(&mut self, matrix: &mut [f64]) {
        matrix.fill(0.0);
        self.composites.copy_from_slice(&self.inertias);
        for index in (0..self.links.len()).rev() {
            if let Some(parent) = self.links[index].parent {
                let part = self.composites[index];
                self.composites[parent].add(&part);
            }
        }
        for (index, link) in self.links.iter().enumerate() {
            for number in link.freedoms.clone() {
                let momentum = self.composites[index].momentum(self.motions[number]);
                let row = self.freedoms[number].coordinate;
                // The freedoms of a chain are numbered from the root on.
                let chain = &self.chains[link.chain.clone()];
                for above in chain.iter().copied().take_while(|above| *above <= number) {
                    let column = self.freedoms[above].coordinate;
                    let place = row.max(column) * self.size + row.min(column);
                    let part = momentum.dot(self.motions[above]);
                    // Two joints with one coordinate act on each other from both sides.
                    let is_shared = row == column && above != number;
                    matrix[place] += if is_shared { 2.0 * part } else { part };
                }
            }
        }
        for (coordinate, armature) in self.armature.iter().enumerate() {
            matrix[coordinate * self.size + coordinate] += armature;
        }
    }

    /// The freedoms between the world and a link.
    pub(crate) fn chain(&self, link: usize) -> &[usize] {
        &self.chains[self.links[link].chain.clone()]
    }

    /// The velocity that a freedom of this link's tree gives to a point, for each unit of its speed.
    pub(crate) fn lever(&self, link: usize, freedom: usize, point: Vec3) -> Vec3 {
        self.motions[freedom].at_point(point - self.reference(link))
    }

    fn reference(&self, link: usize) -> Vec3 {
        self.origins[self.links[link].root]
    }

    /// A link's axes, in the world.
    pub(crate) fn axes(&self, link: usize) -> &Matrix3 {
        &self.axes[link]
    }

    /// A point of a link's frame, in the world.
    pub(crate) fn point(&self, link: usize, point: Vec3) -> Vec3 {
        self.origins[link] + self.axes[link].apply(point)
    }

    /// A link's centre of mass, in the world.
    pub(crate) fn center(&self, link: usize) -> Vec3 {
        self.point(link, self.links[link].center)
    }

    pub(crate) fn mass(&self, link: usize) -> f64 {
        self.links[link].mass
    }

    /// The kinetic and potential energy of all links. After `accelerate`.
    pub(crate) fn energy(&self, speeds: &[f64], gravity: Vec3) -> f64 {
        let mut energy = 0.0;
        for index in 0..self.links.len() {
            let velocity = self.velocities[index];
            energy += 0.5 * velocity.dot(self.inertias[index].momentum(velocity));
            energy -= self.links[index].mass * gravity.dot(self.center(index));
        }
        for (armature, speed) in self.armature.iter().zip(speeds) {
            energy += 0.5 * armature * speed * speed;
        }
        energy
    }
}
