//! Leans against a push that its inertial sensor measures.
//!
//! A controller: in every turn it reads, computes, and commands for now. Its output is limited, it starts softly, and
//! it uses a sensor only while its values are fresh.

const std = @import("std");
const dcm = @import("sdk/choreography.zig");

pub const panic = dcm.panic;

var cast: struct {
    LAnklePitch: dcm.Joint = .{},
    RAnklePitch: dcm.Joint = .{},
    LHipPitch: dcm.Joint = .{},
    RHipPitch: dcm.Joint = .{},
    LAnkleRoll: dcm.Joint = .{},
    RAnkleRoll: dcm.Joint = .{},
    LHipRoll: dcm.Joint = .{},
    RHipRoll: dcm.Joint = .{},
    roll: dcm.Sensor = .named("InertialSensor/AngleX"),
    pitch: dcm.Sensor = .named("InertialSensor/AngleY"),
    roll_speed: dcm.Sensor = .named("InertialSensor/GyroscopeX"),
    pitch_speed: dcm.Sensor = .named("InertialSensor/GyroscopeY"),
    /// Radians of a joint for a radian of tilt.
    strength: dcm.Param = .named("strength", 0, 0.6, 1),
    /// And for a radian per second.
    damping: dcm.Param = .named("damping", 0, 0.06, 0.2),
} = .{};

comptime {
    dcm.motion(@This(), &cast);
}

/// The largest lean, radians.
const furthest = 0.15;
/// The time constant of leaning: with a shorter one it would shake.
const calm = 0.12;
/// The tilt from which leaning does not help.
const falling = 0.6;

/// One axis: its joints with their parts of the lean (ankles more than hips), and its state from turn to turn.
const Axis = struct {
    joints: [4]dcm.Target,
    /// The positions of the joints without the lean.
    base: [4]f64 = @splat(0),
    /// The tilt at the start: a posture that stands need not hold the body upright.
    rest: f64 = 0,
    lean: f64 = 0,

    /// Takes the posture and the tilt as those to return to.
    fn begin(axis: *Axis, tilt: f64) void {
        for (&axis.base, axis.joints) |*base, joint| base.* = joint[0].sent();
        axis.rest = tilt;
    }

    /// Leans against a tilt and its velocity.
    fn against(axis: *Axis, tilt: f64, speed: f64, applied: f64) void {
        const wanted = cast.strength.get() * (tilt - axis.rest) + cast.damping.get() * speed;
        if (std.math.isFinite(wanted)) {
            const bounded = std.math.clamp(wanted, -furthest, furthest);
            axis.lean += (bounded - axis.lean) * @min(dcm.period().seconds() / calm, 1);
        }
        for (axis.joints, axis.base) |target, base| {
            const joint, const part = target;
            joint.to(base + axis.lean * part * applied).now();
        }
    }
};

var forwards: Axis = .{ .joints = .{
    .{ &cast.LAnklePitch, 0.65 },
    .{ &cast.RAnklePitch, 0.65 },
    .{ &cast.LHipPitch, 0.35 },
    .{ &cast.RHipPitch, 0.35 },
} };
var sideways: Axis = .{ .joints = .{
    .{ &cast.LAnkleRoll, 0.65 },
    .{ &cast.RAnkleRoll, 0.65 },
    .{ &cast.LHipRoll, 0.35 },
    .{ &cast.RHipRoll, 0.35 },
} };

/// The share of the lean that is applied.
var share: f64 = 0;

pub fn preProcess(_: dcm.Instant) void {
    const pitch = cast.pitch.read();
    const roll = cast.roll.read();
    if (@abs(pitch) > falling or @abs(roll) > falling) {
        dcm.log.warn("it falls: it leans no more", .{});
        return dcm.finish();
    }
    // Both sensors are on one board. If the board is silent, their last values are useless.
    const fresh = cast.pitch.age().ns <= dcm.Span.ms(100).ns;
    if (share <= 0) {
        forwards.begin(pitch);
        sideways.begin(roll);
    }
    const turn = dcm.period().seconds();
    share = std.math.clamp(share + if (fresh) turn else -turn, 0, 1);
    const applied = dcm.Ease.sine.at(share);
    forwards.against(pitch, cast.pitch_speed.read(), applied);
    sideways.against(roll, cast.roll_speed.read(), applied);
}
