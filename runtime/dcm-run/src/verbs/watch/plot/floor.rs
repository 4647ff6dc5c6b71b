//! Computes from a recording where the feet stood, and the path of the body over them. Called by `plot --floor`.
//! The body's place is that of the simulation; a foot stands while its sensors feel it, or its sole is still and no
//! higher than the lowest one.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use check::convex_hull;
use description::Robot;
use drivers::sim::FeltQuantity;
use kinematics::{Rotation, Transform, Vec3};
use pictures::{FloorPlan, FloorPoint, FloorTrack, Footprint};
use protocol::FigureBase;
use recording::{Recording, Turn};
use robot::socket::figure;

use super::{TURNS_MAX, name_of};
use crate::text::errors;

/// m/s².
const GRAVITY: f64 = 9.81;

/// The least force on a standing foot, N.
const FORCE_MIN: f64 = 1.0;

/// How high above the lowest sole one without sensors may be while it stands, m.
const HEIGHT_MAX: f64 = 0.004;

/// How fast a sole without sensors may move while it stands, m/s.
const SPEED_MAX: f64 = 0.05;

/// How far a sole that stands may move until it is another footprint, m.
const SHIFT_MAX: f64 = 0.01;

/// How long a foot stands at least: a shorter touch leaves no footprint, s.
const STANDS_MIN: f64 = 0.05;

/// The accelerations of the centre of mass are those of a parabola over so many turns, s to both sides.
const PARABOLA: f64 = 0.15;

/// A foot of a robot.
struct FootSensors {
    link: usize,
    /// Empty if it has none.
    sensors: Vec<FootSensor>,
}

/// A sensor of the force on a foot.
struct FootSensor {
    /// Its index.
    number: usize,
    /// Where it is on the link.
    at: Vec3,
    /// How many N one of its unit is; none for a touch, which has no amount.
    unit: Option<f64>,
}

/// A body in one turn.
struct Moment {
    at: f64,
    center: Vec3,
    /// The corners of each sole.
    soles: Vec<Vec<Vec3>>,
    /// Whether the sensors of each foot feel that it stands; none if it has no sensors.
    felt: Vec<Option<bool>>,
    /// The centre of pressure, if forces are measured.
    pressure: Option<FloorPoint>,
}

impl Moment {
    /// The height of the lowest corner of all soles.
    fn floor(&self) -> f64 {
        let corners = self.soles.iter().flatten().map(|corner| corner.z);
        corners.fold(f64::INFINITY, f64::min)
    }
}

/// The floor plan of a recording's last turns, or of all.
pub(super) fn read(path: &Path, last: Option<usize>) -> Result<FloorPlan> {
    let shown = path.display();
    errors::open(path)?;
    let recording = Recording::open(path).map_err(|why| anyhow!("{shown}: {why}"))?;
    let robot = &*recording.robot;
    let no_base = || {
        anyhow!(
            "{shown} has no place of the body; fix: record a simulated body with physics, whose sensors feel the \
             `position` and the `angle` of its first link"
        )
    };
    let base = figure(robot).base.ok_or_else(no_base)?;
    let feet = feet(robot);
    if feet.is_empty() {
        bail!("the recorded robot has no feet; fix: describe the `sole` of each foot");
    }
    let from = (recording.turns() as usize).saturating_sub(last.unwrap_or(usize::MAX));
    let mut moments = Vec::new();
    for read in recording.each_turn().skip(from).filter(|turn| turn.sealed) {
        if moments.len() == TURNS_MAX {
            bail!("{shown} has more than {TURNS_MAX} turns; fix: --last {TURNS_MAX}");
        }
        moments.extend(moment(robot, base, &feet, &read.turn));
    }
    if moments.is_empty() {
        return Err(no_base());
    }
    let standing = standing(&moments);
    Ok(FloorPlan {
        name: name_of(path),
        footprints: footprints(robot, &feet, &moments, &standing),
        supports: supports(&moments, &standing),
        tracks: tracks(&moments),
    })
}

/// The links with soles.
fn feet(robot: &Robot) -> Vec<FootSensors> {
    let links = robot.links.iter().enumerate();
    let feet = links.filter(|(_, link)| !link.sole.is_empty());
    feet.map(|(link, _)| {
        let sensors = robot.sensors.iter().enumerate();
        let sensors = sensors.filter_map(|(number, sensor)| {
            let felt = sensor.felt.filter(|felt| felt.link == link)?;
            let unit = match felt.quantity {
                FeltQuantity::Force => Some(1.0),
                FeltQuantity::Load => Some(GRAVITY),
                FeltQuantity::Touch => None,
                _ => return None,
            };
            Some(FootSensor {
                number,
                at: felt.at,
                unit,
            })
        });
        FootSensors {
            link,
            sensors: sensors.collect(),
        }
    })
    .collect()
}

/// The body in this turn; none if its place is not known.
fn moment(robot: &Robot, base: FigureBase, feet: &[FootSensors], turn: &Turn) -> Option<Moment> {
    let value = |sensor: usize| turn.sensors.get(sensor).copied();
    let [at, angles] = base.read(|sensor| value(usize::from(sensor)))?;
    let root = Transform::new(at.into(), Rotation::of_angles(angles));
    let mut poses: Vec<Transform> = Vec::with_capacity(robot.links.len());
    let (mut sum, mut mass) = (Vec3::ZERO, 0.0);
    for link in &robot.links {
        let own = Transform::new(link.at.into(), Rotation::of_angles(link.turn));
        let placed = link.parent.map_or(root, |parent| poses[parent] * own);
        let joint = link.joint.map_or(0.0, |joint| {
            let joint = usize::from(joint.0);
            let sensor = robot.actuators[joint].sensor;
            let measured = sensor.and_then(|sensor| value(usize::from(sensor.0)));
            let sent = turn.sent.get(joint).copied();
            measured
                .filter(|angle| angle.is_finite())
                .or(sent)
                .unwrap_or(0.0)
        });
        let moved = joint * link.ratio + link.offset;
        let axis = Vec3::from(link.axis);
        let motion = if link.joint.is_none() {
            Transform::NONE
        } else if link.slides {
            Transform::new(axis * moved, Rotation::NONE)
        } else {
            Transform::new(Vec3::ZERO, Rotation::about(axis, moved))
        };
        let pose = placed * motion;
        sum += pose.point(link.centre.into()) * link.mass;
        mass += link.mass;
        poses.push(pose);
    }
    let (mut pressed, mut total) = (Vec3::ZERO, 0.0);
    let felt = feet.iter().map(|foot| {
        let (mut force, mut is_touched) = (0.0, false);
        for sensor in &foot.sensors {
            let reading = value(sensor.number).unwrap_or(0.0);
            match sensor.unit {
                Some(unit) => {
                    force += reading * unit;
                    pressed += poses[foot.link].point(sensor.at) * (reading * unit);
                }
                None => is_touched |= reading > 0.5,
            }
        }
        total += force;
        (!foot.sensors.is_empty()).then_some(is_touched || force > FORCE_MIN)
    });
    let felt = felt.collect();
    let soles = feet.iter().map(|foot| {
        let corners = robot.links[foot.link].sole.iter();
        corners
            .map(|corner| poses[foot.link].point((*corner).into()))
            .collect()
    });
    let soles = soles.collect();
    let pressure = pressed * (1.0 / total);
    Some(Moment {
        at: turn.now as f64 / 1e9,
        center: sum * (1.0 / mass),
        soles,
        felt,
        pressure: (total > FORCE_MIN).then_some((pressure.x, pressure.y)),
    })
}

/// The outline of a sole on the floor: a foot that stands on a point has a small one.
fn outline(corners: &[Vec3]) -> Vec<FloorPoint> {
    const POINT_HALF: f64 = 0.005;
    let flat: Vec<_> = corners.iter().map(|corner| (corner.x, corner.y)).collect();
    let hull = convex_hull(flat.clone());
    if hull.len() > 2 {
        return hull;
    }
    let sides = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let around = |(x, y): FloorPoint| {
        sides.map(move |(side, other)| (x + side * POINT_HALF, y + other * POINT_HALF))
    };
    convex_hull(flat.into_iter().flat_map(around).collect())
}

/// For each turn and foot, whether it stands.
fn standing(moments: &[Moment]) -> Vec<Vec<bool>> {
    let stands = |number: usize, foot: usize| {
        let moment = &moments[number];
        if let Some(stands) = moment.felt[foot] {
            return stands;
        }
        let before = &moments[number.saturating_sub(1)];
        let seconds = (moment.at - before.at).max(1e-9);
        let floor = moment.floor();
        let mut pairs = moment.soles[foot].iter().zip(&before.soles[foot]);
        pairs.all(|(now, then)| {
            let is_still = number == 0 || (*now - *then).length() < SPEED_MAX * seconds;
            now.z - floor < HEIGHT_MAX && is_still
        })
    };
    let each = moments.iter().enumerate();
    each.map(|(number, moment)| {
        (0..moment.soles.len())
            .map(|foot| stands(number, foot))
            .collect()
    })
    .collect()
}

/// Each time that a foot stands in one place.
fn footprints(
    robot: &Robot,
    feet: &[FootSensors],
    moments: &[Moment],
    standing: &[Vec<bool>],
) -> Vec<Footprint> {
    let mut prints = Vec::new();
    for (place, foot) in feet.iter().enumerate() {
        let mut begun: Option<usize> = None;
        for number in 0..=moments.len() {
            let stands = standing.get(number).is_some_and(|feet| feet[place]);
            let center = |number: usize| {
                let corners = &moments[number].soles[place];
                let sum = corners.iter().fold(Vec3::ZERO, |sum, corner| sum + *corner);
                sum * (1.0 / corners.len() as f64)
            };
            let moved = |begun: usize| (center(number) - center(begun)).length() > SHIFT_MAX;
            if let Some(first) = begun.filter(|first| !stands || moved(*first)) {
                let span = (moments[first].at, moments[number - 1].at);
                if span.1 - span.0 >= STANDS_MIN {
                    // In the middle of that time: at its ends, the foot is set down and lifted.
                    let middle = &moments[first.midpoint(number - 1)];
                    let outline = outline(&middle.soles[place]);
                    prints.push(Footprint {
                        foot: robot.links[foot.link].name.clone(),
                        outline,
                        span,
                    });
                }
                begun = None;
            }
            if stands && begun.is_none() {
                begun = Some(number);
            }
        }
    }
    prints.sort_by(|one, other| one.span.0.total_cmp(&other.span.0));
    prints
}

/// The support polygon after each change of the feet that stand.
fn supports(moments: &[Moment], standing: &[Vec<bool>]) -> Vec<Vec<FloorPoint>> {
    let mut supports = Vec::new();
    let mut first = 0;
    for number in 1..=moments.len() {
        if number < moments.len() && standing[number] == standing[first] {
            continue;
        }
        let lasted = moments[number - 1].at - moments[first].at;
        if lasted >= STANDS_MIN {
            let middle = &moments[first.midpoint(number - 1)];
            let soles = middle.soles.iter().zip(&standing[first]);
            let corners = soles.filter(|(_, stands)| **stands);
            let corners = corners.flat_map(|(corners, _)| outline(corners));
            let polygon = convex_hull(corners.collect());
            if polygon.len() > 2 {
                supports.push(polygon);
            }
        }
        first = number;
    }
    supports
}

fn tracks(moments: &[Moment]) -> Vec<FloorTrack> {
    let missing = (f64::NAN, f64::NAN);
    let track = |title: &str, points: Vec<FloorPoint>| FloorTrack {
        title: title.to_owned(),
        points,
    };
    let centers = moments
        .iter()
        .map(|moment| (moment.center.x, moment.center.y));
    let zero_moment = (0..moments.len()).map(|number| zero_moment(moments, number));
    let pressures = moments
        .iter()
        .map(|moment| moment.pressure.unwrap_or(missing));
    let mut tracks = vec![
        track("centre of mass", centers.collect()),
        track(
            "zero-moment point of a mass at the centre of mass",
            zero_moment.map(|point| point.unwrap_or(missing)).collect(),
        ),
    ];
    if moments.iter().any(|moment| moment.pressure.is_some()) {
        tracks.push(track("centre of pressure", pressures.collect()));
    }
    tracks
}

/// Where the force that moves the centre of mass meets the floor; none at the ends, or if nothing presses on the floor.
fn zero_moment(moments: &[Moment], number: usize) -> Option<FloorPoint> {
    let center = moments[number].center;
    let at = moments[number].at;
    let near = moments.iter().skip(number.saturating_sub(100)).take(201);
    let near: Vec<&Moment> = near
        .filter(|moment| (moment.at - at).abs() <= PARABOLA)
        .collect();
    let (first, last) = (near.first()?, near.last()?);
    let reaches = at - first.at > 0.5 * PARABOLA && last.at - at > 0.5 * PARABOLA;
    if near.len() < 5 || !reaches {
        return None;
    }
    // The second derivative of the parabola with the least squares of differences; near turns count more.
    let (mut weights, mut squares, mut fourths) = (0.0, 0.0, 0.0);
    let (mut sum, mut weighed) = (Vec3::ZERO, Vec3::ZERO);
    for moment in &near {
        let square = (moment.at - at) * (moment.at - at);
        let share = 1.0 - square / (PARABOLA * PARABOLA);
        let weight = share * share;
        weights += weight;
        squares += weight * square;
        fourths += weight * square * square;
        sum += moment.center * weight;
        weighed += moment.center * (weight * square);
    }
    let divisor = weights * fourths - squares * squares;
    let curve = (weighed * weights - sum * squares) * (1.0 / divisor);
    let acceleration = curve * 2.0;
    let pull = GRAVITY + acceleration.z;
    (pull > 0.1 * GRAVITY).then(|| {
        let share = (center.z - moments[number].floor()) / pull;
        (
            center.x - share * acceleration.x,
            center.y - share * acceleration.y,
        )
    })
}
