//! Links that are added to the trees of a world while it runs, each a tree of its own.

use kinematics::{Transform, Vec3};

use crate::matrix::Matrix3;
use crate::model::Mount;
use crate::spatial::{Spatial, SpatialInertia};
use crate::tree::{Tree, TreeLink};

impl Tree {
    /// Reserves room for so many links that are added later, of which so many move freely.
    pub(crate) fn reserve(&mut self, links: usize, free: usize) {
        self.links.reserve_exact(links);
        self.axes.reserve_exact(links);
        self.origins.reserve_exact(links);
        for by_link in [
            &mut self.velocities,
            &mut self.accelerations,
            &mut self.forces,
        ] {
            by_link.reserve_exact(links);
        }
        self.inertias.reserve_exact(links);
        self.composites.reserve_exact(links);
        self.freedoms.reserve_exact(6 * free);
        self.chains.reserve_exact(6 * free);
        self.motions.reserve_exact(6 * free);
        self.armature.reserve_exact(6 * free);
    }

    /// Adds a link that is a tree of its own: it moves freely, or it stays at this place.
    pub(crate) fn add_root(&mut self, mass: f64, moments: [f64; 3], still: Option<Transform>) {
        let place = still.unwrap_or(Transform::NONE);
        let (first, from) = (self.freedoms.len(), self.chains.len());
        if still.is_none() {
            self.add_freedoms(Mount::Free, self.size, 0);
            self.chains.extend(first..first + 6);
            self.size += 6;
        }
        let [xx, yy, zz] = moments;
        self.links.push(TreeLink {
            parent: None,
            root: self.links.len(),
            is_free: still.is_none(),
            offset: place.at,
            rotation: Matrix3::of(place.turn),
            mass,
            center: Vec3::ZERO,
            tensor: [xx, yy, zz, 0.0, 0.0, 0.0],
            freedoms: first..self.freedoms.len(),
            chain: from..self.chains.len(),
        });
        self.resize();
    }

    /// Removes the links from this one on, each a tree of its own.
    pub(crate) fn truncate(&mut self, links: usize) {
        let Some(link) = self.links.get(links) else {
            return;
        };
        self.size -= self.freedoms.len() - link.freedoms.start;
        self.freedoms.truncate(link.freedoms.start);
        self.chains.truncate(link.chain.start);
        self.links.truncate(links);
        self.resize();
    }

    /// Adapts the room for results to the links and coordinates.
    fn resize(&mut self) {
        let links = self.links.len();
        self.axes.resize(links, Matrix3::IDENTITY);
        self.origins.resize(links, Vec3::ZERO);
        for by_link in [
            &mut self.velocities,
            &mut self.accelerations,
            &mut self.forces,
        ] {
            by_link.resize(links, Spatial::ZERO);
        }
        self.inertias.resize(links, SpatialInertia::ZERO);
        self.composites.resize(links, SpatialInertia::ZERO);
        self.motions.resize(self.freedoms.len(), Spatial::ZERO);
        self.armature.resize(self.size, 0.0);
    }
}
