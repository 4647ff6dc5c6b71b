//! Reads numbers and names from XML elements, and collects the mistakes.
//! Used by `read` and `solids`. It goes on after a mistake, so that all mistakes are reported at once;
//! its numbers are finite.

use roxmltree::Node;

use super::fault::UrdfFault;
use super::model::Pose;

/// Lengths and masses beyond this are mistakes: m, kg.
const MEASURE_MAX: f64 = 1e6;

/// An element, and its owner: "the joint `elbow`".
#[derive(Clone, Copy)]
pub(super) struct Element<'p, 't> {
    pub(super) node: Node<'p, 't>,
    pub(super) owner: &'p str,
}

/// The mistakes so far, with their places.
#[derive(Debug, Default)]
pub(super) struct Complaints(pub(super) Vec<(usize, UrdfFault)>);

impl<'p, 't> Element<'p, 't> {
    /// The first element of this name inside.
    pub(super) fn sub(self, tag: &str) -> Option<Element<'p, 't>> {
        self.subs(tag).next()
    }

    /// All elements of this name inside.
    pub(super) fn subs(self, tag: &str) -> impl Iterator<Item = Element<'p, 't>> {
        self.node
            .children()
            .filter(move |child| child.is_element() && child.tag_name().name() == tag)
            .map(move |node| Element { node, ..self })
    }

    pub(super) fn at(self) -> usize {
        self.node.range().start
    }

    /// The number in this attribute, if it is there.
    pub(super) fn number(self, key: &str, told: &mut Complaints) -> Option<f64> {
        let text = self.node.attribute(key)?;
        let value = finite(text);
        if value.is_none() {
            told.number(self, key, text);
        }
        value
    }

    /// The number in this attribute. It is required.
    pub(super) fn needed(self, key: &'static str, told: &mut Complaints) -> Option<f64> {
        if self.node.attribute(key).is_none() {
            let owner = format!("`<{}>` of {}", self.node.tag_name().name(), self.owner);
            told.at(self, UrdfFault::Lacks(owner, key));
        }
        self.number(key, told)
    }

    /// The number in this attribute. It is required, and must not be negative.
    pub(super) fn measure(self, key: &'static str, told: &mut Complaints) -> Option<f64> {
        let value = self.needed(key, told)?;
        self.bounded(key, value, 0.0, told)
    }

    /// The three numbers in this attribute, if it is there.
    pub(super) fn three(self, key: &str, told: &mut Complaints) -> Option<[f64; 3]> {
        let text = self.node.attribute(key)?;
        let found: Option<Vec<f64>> = text.split_whitespace().map(finite).collect();
        match found.as_deref() {
            Some([x, y, z]) => {
                let point = [*x, *y, *z];
                let low = if key == "size" { 0.0 } else { -MEASURE_MAX };
                let sound = point.map(|point| self.bounded(key, point, low, told).is_some());
                sound.iter().all(|item| *item).then_some(point)
            }
            _ => {
                told.number(self, key, text);
                None
            }
        }
    }

    /// The position and the rotation in the `<origin>` of this element; zero without `<origin>`.
    pub(super) fn pose(self, told: &mut Complaints) -> Pose {
        let Some(origin) = self.sub("origin") else {
            return Pose::default();
        };
        Pose {
            at: origin.three("xyz", told).unwrap_or_default(),
            turn: origin.three("rpy", told).unwrap_or_default(),
        }
    }

    fn bounded(self, key: &str, value: f64, low: f64, told: &mut Complaints) -> Option<f64> {
        let bound = match () {
            () if value < low && low == 0.0 => "zero or more",
            () if value.abs() > MEASURE_MAX => "at most a million",
            () => return Some(value),
        };
        let fault = UrdfFault::Bound(self.owner.to_owned(), key.to_owned(), value, bound);
        told.at(self, fault);
        None
    }
}

impl Complaints {
    pub(super) fn at(&mut self, part: Element<'_, '_>, fault: UrdfFault) {
        self.0.push((part.at(), fault));
    }

    fn number(&mut self, part: Element<'_, '_>, key: &str, text: &str) {
        // The text may be very long.
        let shown: String = text.trim().chars().take(40).collect();
        self.at(
            part,
            UrdfFault::Number(part.owner.to_owned(), key.to_owned(), shown),
        );
    }
}

/// A finite number.
pub(super) fn finite(text: &str) -> Option<f64> {
    text.trim()
        .parse()
        .ok()
        .filter(|value: &f64| value.is_finite())
}
