//! Waves with the right arm, from any position of the arm, and puts it back.

const dcm = @import("sdk/choreography.zig");

pub const panic = dcm.panic;

/// What it moves, and what a person can change while it plays.
var cast: struct {
    RShoulderPitch: dcm.Joint = .{},
    RShoulderRoll: dcm.Joint = .{},
    RElbowYaw: dcm.Joint = .{},
    RElbowRoll: dcm.Joint = .{},
    RWristYaw: dcm.Joint = .{},
    HeadYaw: dcm.Joint = .{},
    chest: dcm.Group = .named("ChestLeds"),
    speed: dcm.Param = .named("speed", 0.5, 1.0, 1.5),
    times: dcm.Param = .named("times", 1, 3, 10),
} = .{};

comptime {
    dcm.motion(@This(), &cast);
}

/// When its movement ends; `null` before the first turn.
var end: ?dcm.Instant = null;

pub fn preProcess(_: dcm.Instant) void {
    // All commands are sent in the first turn.
    if (end == null) end = wave();
}

pub fn isAlive() bool {
    return dcm.now().isBefore(end orelse return true);
}

/// The pose of the arm for waving: up, and a little out.
const raised = [_]dcm.Target{
    .{ &cast.RShoulderPitch, -1.3 },
    .{ &cast.RShoulderRoll, -0.35 },
    .{ &cast.RElbowYaw, 0.35 },
    .{ &cast.RElbowRoll, 0.7 },
    .{ &cast.RWristYaw, 0 },
    .{ &cast.HeadYaw, -0.25 },
};

/// Sends a whole wave. Returns when it ends.
fn wave() dcm.Instant {
    const beat: dcm.Span = .ms(400 / cast.speed.get());

    // The arm goes up smoothly, from any position: a longer way takes longer.
    var at = dcm.strike(&raised, 0.4, beat.times(2));
    cast.chest.to(1).at(at);

    // The forearm goes out and in, as often as it waves.
    const times: u32 = @intFromFloat(cast.times.get());
    for (0..times) |_| {
        cast.RElbowRoll.to(0.2).eased(.sine).from(0.7).starting(at).over(beat);
        at = at.plus(beat);
        cast.RElbowRoll.to(0.7).eased(.sine).from(0.2).starting(at).over(beat);
        at = at.plus(beat);
    }

    // The arm returns to rest.
    const home = at.plus(beat.times(3));
    for (raised) |target| {
        const joint, const up = target;
        joint.to(joint.limits().rest).eased(.jerkless).from(up).starting(at).at(home);
    }
    cast.chest.to(0).at(home);
    return home;
}
