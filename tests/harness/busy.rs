//! Guests that do much in every turn, for benchmarks and for tests under load. Each sensor is read and each
//! command sent by a call of its own, as in every language.

use cycle::{ActuatorId, Command, Hooks, LaneId, LaneSettings, Merge, PartCounts, Stage};

/// Reads this many sensors in its hook, and sends as many commands for now, with the values of the sensors.
pub fn busy(hook: &str, sensors: usize, commands: usize) -> String {
    let value = if sensors > 0 {
        "(call $read (local.get $place))"
    } else {
        "(f64.const 0.1)"
    };
    let one = if commands > 0 {
        format!(
            "(local.set $all (i32.or (local.get $all) (call $set (local.get $place) {value} (local.get $now))))"
        )
    } else {
        format!("(local.set $sum (f64.add (local.get $sum) {value}))")
    };
    let times = sensors.max(commands);
    let body = if times == 0 {
        String::new()
    } else {
        format!(
            "(loop $more {one}
              (local.set $place (i32.add (local.get $place) (i32.const 1)))
              (br_if $more (i32.lt_u (local.get $place) (i32.const {times}))))"
        )
    };
    module(hook, &body)
}

/// The same without a loop: every call is written out, as in a guest that names each of its joints.
pub fn written_out(hook: &str, sensors: usize, commands: usize) -> String {
    let one = |place: usize| {
        let value = if place < sensors {
            format!("(call $read (i32.const {place}))")
        } else {
            "(f64.const 0.1)".to_owned()
        };
        if place < commands {
            format!(
                "(local.set $all (i32.or (local.get $all) (call $set (i32.const {place}) {value} \
                 (local.get $now))))\n"
            )
        } else {
            format!("(local.set $sum (f64.add (local.get $sum) {value}))\n")
        }
    };
    let body: String = (0..commands.max(sensors)).map(one).collect();
    module(hook, &body)
}

fn module(hook: &str, body: &str) -> String {
    format!(
        r#"(module
        (import "dcm/sensors" "read" (func $read (param i32) (result f64)))
        (import "dcm/commands" "set" (func $set (param i32 f64 i64) (result i32)))
        (import "dcm/clock" "now" (func $now (result i64)))
        (global $sum (mut f64) (f64.const 0))
        (global $all (mut i32) (i32.const 0))
        (func (export "{hook}")
          (local $now i64) (local $sum f64) (local $all i32) (local $place i32)
          (local.set $now (call $now))
          {body}
          (global.set $all (local.get $all))
          (global.set $sum (local.get $sum))))"#
    )
}

/// The same work in native Rust: a hook of the loop that reads the sensors, and sends their values by each of its
/// lanes.
#[derive(Debug)]
pub struct NativeHooks {
    lanes: Vec<LaneId>,
    sensors: Vec<f64>,
}

impl NativeHooks {
    /// Hooks with this many lanes, which read and send this many values for each.
    pub fn open(stage: &mut Stage<'_>, lanes: usize, values: usize) -> NativeHooks {
        let open = |_| stage.open(LaneSettings::STANDARD).expect("a lane");
        NativeHooks {
            lanes: (0..lanes).map(open).collect(),
            sensors: vec![0.0; values],
        }
    }
}

impl Hooks for NativeHooks {
    fn pre_process(&mut self, stage: &mut Stage<'_>) {
        let now = stage.now();
        for lane in &self.lanes {
            for (place, read) in self.sensors.iter_mut().enumerate() {
                *read = stage.sensors()[place];
            }
            let mut commands = self.sensors.iter().enumerate().map(|(place, value)| {
                let command = Command {
                    at: now,
                    value: *value,
                };
                (ActuatorId(place as u16), Merge::Merge, command)
            });
            let mut counts = PartCounts::default();
            let taken = stage.offer_each(*lane, None, &mut commands, &mut counts);
            taken.expect("room");
        }
    }

    fn post_process(&mut self, _: &mut Stage<'_>) {}
}
