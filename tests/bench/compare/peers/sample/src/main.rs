//! Sampling as a joint trajectory controller does it, in plain Rust. Called by `run` with the degree and the number of
//! joints. One list of points for all joints, one in every 100 ms, and a cursor; between two points a
//! polynomial of each joint, whose coefficients are made anew in each sample, as such controllers do.

const POINTS: usize = 1000;
const APART: u64 = 100;

/// What a point has for each joint.
#[derive(Clone, Copy)]
struct State {
    position: f64,
    velocity: f64,
    acceleration: f64,
}

struct Trajectory {
    points: Vec<(u64, Vec<State>)>,
    cursor: usize,
}

impl Trajectory {
    fn new(joints: usize) -> Trajectory {
        let state = |point: usize| State {
            position: (point * 7 % 13) as f64 / 10.0,
            velocity: (point * 5 % 11) as f64 / 10.0,
            acceleration: (point * 3 % 7) as f64 / 10.0,
        };
        let points = (0..POINTS).map(|i| (i as u64 * APART, vec![state(i); joints]));
        Trajectory {
            points: points.collect(),
            cursor: 0,
        }
    }

    /// The values of all joints at this time, ms.
    fn sample(
        &mut self,
        now: u64,
        out: &mut [State],
        between: impl Fn(State, State, f64, f64) -> State,
    ) {
        if now < self.points[self.cursor].0 {
            self.cursor = 0;
        }
        while self.points[self.cursor + 1].0 <= now {
            self.cursor += 1;
        }
        let [(begin, from), (end, to)] = &self.points[self.cursor..self.cursor + 2] else {
            return;
        };
        let (whole, passed) = ((end - begin) as f64 / 1e3, (now - begin) as f64 / 1e3);
        for (out, (from, to)) in out.iter_mut().zip(from.iter().zip(to)) {
            *out = between(*from, *to, whole, passed);
        }
    }
}

fn linear(a: State, b: State, whole: f64, t: f64) -> State {
    let velocity = (b.position - a.position) / whole;
    State {
        position: a.position + velocity * t,
        velocity,
        acceleration: 0.0,
    }
}

fn cubic(a: State, b: State, whole: f64, t: f64) -> State {
    let way = b.position - a.position;
    let (t2, whole2) = (t * t, whole * whole);
    let c2 = (3.0 * way - (2.0 * a.velocity + b.velocity) * whole) / whole2;
    let c3 = (-2.0 * way + (a.velocity + b.velocity) * whole) / (whole2 * whole);
    State {
        position: a.position + a.velocity * t + c2 * t2 + c3 * t2 * t,
        velocity: a.velocity + 2.0 * c2 * t + 3.0 * c3 * t2,
        acceleration: 2.0 * c2 + 6.0 * c3 * t,
    }
}

fn quintic(a: State, b: State, whole: f64, t: f64) -> State {
    let way = b.position - a.position;
    let (t2, w2) = (t * t, whole * whole);
    let (t3, w3) = (t2 * t, w2 * whole);
    let c2 = a.acceleration / 2.0;
    let c3 = (20.0 * way
        - (8.0 * b.velocity + 12.0 * a.velocity) * whole
        - (3.0 * a.acceleration - b.acceleration) * w2)
        / (2.0 * w3);
    let c4 = (-30.0 * way
        + (14.0 * b.velocity + 16.0 * a.velocity) * whole
        + (3.0 * a.acceleration - 2.0 * b.acceleration) * w2)
        / (2.0 * w3 * whole);
    let c5 = (12.0 * way - 6.0 * (b.velocity + a.velocity) * whole
        + (b.acceleration - a.acceleration) * w2)
        / (2.0 * w3 * w2);
    State {
        position: a.position + a.velocity * t + c2 * t2 + c3 * t3 + c4 * t3 * t + c5 * t3 * t2,
        velocity: a.velocity + 2.0 * c2 * t + 3.0 * c3 * t2 + 4.0 * c4 * t3 + 5.0 * c5 * t3 * t,
        acceleration: 2.0 * c2 + 6.0 * c3 * t + 12.0 * c4 * t2 + 20.0 * c5 * t3,
    }
}

fn contest(joints: usize, between: impl Fn(State, State, f64, f64) -> State) {
    let mut trajectory = Trajectory::new(joints);
    let mut out = vec![
        State {
            position: 0.0,
            velocity: 0.0,
            acceleration: 0.0
        };
        joints
    ];
    let mut now = 0;
    protocol::contest(|| {
        now = (now + 1) % (APART * (POINTS as u64 - 1));
        trajectory.sample(std::hint::black_box(now), &mut out, &between);
        std::hint::black_box(&mut out);
    });
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let joints = words[1].parse().expect("a number of joints");
    match words[0].as_str() {
        "linear" => contest(joints, linear),
        "cubic" => contest(joints, cubic),
        "quintic" => contest(joints, quintic),
        other => panic!("there is no degree {other:?}"),
    }
}
