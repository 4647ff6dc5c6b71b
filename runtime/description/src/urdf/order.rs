//! Sorts the links: the root first, parents before their children, siblings as in the file.
//! Called after `read` and before `draft`. One root, no cycles, and every link is in the tree.

use std::collections::HashMap;

use super::fault::UrdfFault;
use super::model::Urdf;
use crate::nearest;

/// A link, and the joint that connects it to its parent; the root has none.
pub(super) type OrderedLink = (usize, Option<usize>);

/// The links of `urdf` in order.
pub(super) fn order(urdf: &Urdf) -> Result<Vec<OrderedLink>, Vec<(usize, UrdfFault)>> {
    let names = urdf.links.iter().enumerate();
    let places: HashMap<&str, usize> = names.map(|(at, name)| (name.name.as_str(), at)).collect();
    let mut faults = Vec::new();
    let mut carrier: Vec<Option<usize>> = vec![None; urdf.links.len()];
    let mut parent = vec![0; urdf.joints.len()];
    let mut children: Vec<Vec<OrderedLink>> = vec![Vec::new(); urdf.links.len()];
    for (number, joint) in urdf.joints.iter().enumerate() {
        let mut find = |name: &str| {
            let place = places.get(name).copied();
            if place.is_none() {
                let near = nearest(name, urdf.links.iter().map(|link| link.name.as_str()));
                let owner = format!("the joint `{}`", joint.name);
                let near = near.map(str::to_owned);
                let fault = UrdfFault::Unknown(owner, "link", name.to_owned(), near);
                faults.push((joint.at, fault));
            }
            place
        };
        let (from, to) = (find(&joint.parent), find(&joint.child));
        let (Some(from), Some(to)) = (from, to) else {
            continue;
        };
        if let Some(first) = carrier[to] {
            let first = urdf.joints[first].name.clone();
            let fault = UrdfFault::Parents(joint.child.clone(), first, joint.name.clone());
            faults.push((joint.at, fault));
            continue;
        }
        carrier[to] = Some(number);
        parent[number] = from;
        children[from].push((to, Some(number)));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let roots: Vec<usize> = (0..urdf.links.len())
        .filter(|i| carrier[*i].is_none())
        .collect();
    if let [_, second, ..] = roots.as_slice() {
        let names = roots.iter().map(|root| urdf.links[*root].name.clone());
        let fault = UrdfFault::Roots(names.collect());
        return Err(vec![(urdf.links[*second].at, fault)]);
    }
    let mut order = Vec::with_capacity(urdf.links.len());
    let mut reached = vec![false; urdf.links.len()];
    let mut waiting: Vec<OrderedLink> = roots.iter().map(|root| (*root, None)).collect();
    while let Some(step) = waiting.pop() {
        reached[step.0] = true;
        order.push(step);
        waiting.extend(children[step.0].iter().rev());
    }
    let Some(lost) = reached.iter().position(|item| !item) else {
        return Ok(order);
    };
    let parents: Vec<usize> = (0..urdf.links.len())
        .map(|link| carrier[link].map_or(link, |carrier| parent[carrier]))
        .collect();
    Err(vec![ring(urdf, &parents, lost)])
}

/// The links of a cycle, found from a link that is not connected to the root.
fn ring(urdf: &Urdf, parents: &[usize], lost: usize) -> (usize, UrdfFault) {
    let inside = (0..urdf.links.len()).fold(lost, |link, _| parents[link]);
    let mut ring = vec![inside];
    let mut link = parents[inside];
    while link != inside {
        ring.push(link);
        link = parents[link];
    }
    let names = ring.iter().map(|link| urdf.links[*link].name.clone());
    let at = ring.iter().map(|link| urdf.links[*link].at).min();
    (at.unwrap_or_default(), UrdfFault::Ring(names.collect()))
}
