//! Where a NAO's links are, computed with plain matrices from the description that the runtime ships: what tests of
//! reaching compare with. It shares neither numbers nor code with the SDK.

use std::collections::BTreeMap;
use std::fs;

use choreography::prelude::*;

/// A place and the columns of a rotation: where a frame is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) at: [f64; 3],
    /// Rows.
    pub(crate) turn: [[f64; 3]; 3],
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub(crate) fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

/// The angle between two directions, also where it is small.
pub(crate) fn angle(a: [f64; 3], b: [f64; 3]) -> f64 {
    let cross = [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ];
    length(cross).atan2(dot(a, b))
}

/// The angle between two turns.
pub(crate) fn turned_by(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> f64 {
    // Each row is at most as far from the other as the whole turn, and one of them is nearly as far.
    let trace: f64 = (0..3).map(|row| dot(a[row], b[row])).sum();
    let squares: f64 = (0..3)
        .map(|row| length(minus(a[row], b[row])).powi(2))
        .sum();
    if trace > 2.0 {
        // ‖A - B‖² = 8 sin²(angle / 2): exact for small angles, where the arc cosine is not.
        2.0 * (squares / 8.0).sqrt().min(1.0).asin()
    } else {
        ((trace - 1.0) / 2.0).clamp(-1.0, 1.0).acos()
    }
}

impl Frame {
    pub(crate) fn turn(&self, value: [f64; 3]) -> [f64; 3] {
        self.turn.map(|row| dot(row, value))
    }

    pub(crate) fn point(&self, value: [f64; 3]) -> [f64; 3] {
        let turned = self.turn(value);
        [0, 1, 2].map(|row| self.at[row] + turned[row])
    }
}

/// The rotation about an axis, by Rodrigues' formula.
pub(crate) fn about(axis: [f64; 3], by: f64) -> [[f64; 3]; 3] {
    let [x, y, z] = axis.map(|value| value / length(axis));
    let (sine, cosine) = by.sin_cos();
    let rest = 1.0 - cosine;
    [
        [
            cosine + x * x * rest,
            x * y * rest - z * sine,
            x * z * rest + y * sine,
        ],
        [
            y * x * rest + z * sine,
            cosine + y * y * rest,
            y * z * rest - x * sine,
        ],
        [
            z * x * rest - y * sine,
            z * y * rest + x * sine,
            cosine + z * z * rest,
        ],
    ]
}

pub(crate) fn times(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let column = |n: usize| [b[0][n], b[1][n], b[2][n]];
    a.map(|row| [0, 1, 2].map(|i| dot(row, column(i))))
}

/// The description of a NAO.
pub(crate) struct Nao(toml::Table);

fn number(value: &toml::Value) -> f64 {
    let whole = value.as_integer().map(|integer| integer as f64);
    value.as_float().or(whole).expect("a number")
}

fn vector(value: &toml::Value) -> [f64; 3] {
    let all = value.as_array().expect("a vector");
    [0, 1, 2].map(|place| number(&all[place]))
}

impl Nao {
    pub(crate) fn read() -> Nao {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../runtime/description/robots/nao.toml"
        );
        let text = fs::read_to_string(path).expect("the NAO's description");
        Nao(text.parse().expect("TOML"))
    }

    /// Joints with a range: name, lowest, highest.
    pub(crate) fn ranges(&self) -> BTreeMap<String, [f64; 2]> {
        let joints = self.0["joints"].as_table().expect("joints").iter();
        let range = |value: &toml::Value| [number(&value["range"][0]), number(&value["range"][1])];
        joints
            .map(|joint| (joint.0.clone(), range(joint.1)))
            .collect()
    }

    pub(crate) fn links(&self) -> Vec<String> {
        let links = self.0["links"].as_table().expect("links");
        links.keys().cloned().collect()
    }

    /// The frame of a link, for joints that stand where `value` says.
    pub(crate) fn frame(&self, link: &str, value: &impl Fn(&str) -> f64) -> Frame {
        let one = &self.0["links"][link];
        let above = one.get("parent").map_or(
            Frame {
                at: [0.0; 3],
                turn: about([0.0, 0.0, 1.0], 0.0),
            },
            |parent| self.frame(parent.as_str().expect("a name"), value),
        );
        let origin = one.get("origin");
        assert!(
            origin.is_none_or(|origin| origin.get("turn").is_none()),
            "write it here, too"
        );
        let at = origin
            .and_then(|origin| origin.get("at"))
            .map_or([0.0; 3], vector);
        let turn = one.get("joint").map_or(above.turn, |joint| {
            let value = value(joint.as_str().expect("a name"));
            times(above.turn, about(vector(&one["axis"]), value))
        });
        Frame {
            at: above.point(at),
            turn,
        }
    }

    /// The frame of a link for the values that were last sent on this stage.
    pub(crate) fn sent(&self, link: &str, stage: &Rehearsal) -> Frame {
        self.frame(link, &|joint| stage.sent(joint))
    }
}

/// Puts the joints of a limb anywhere in their ranges.
pub(crate) fn anywhere<const N: usize>(limb: &BodyLimb<N>, random: &mut fastrand::Rng) -> [f64; N] {
    limb.actuators().map(|actuator| {
        let limits = actuator.limits();
        limits.lowest + (limits.highest - limits.lowest) * random.f64()
    })
}

/// Puts the joints of a limb at values.
pub(crate) fn put<const N: usize>(stage: &mut Rehearsal, limb: &BodyLimb<N>, values: [f64; N]) {
    for (joint, value) in limb.actuators().into_iter().zip(values) {
        stage.put(joint, value);
    }
}
