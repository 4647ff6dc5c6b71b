//! {{Name}}: looks to the left and to the right, and back. A score: one long run, which may sleep.

const dcm = @import("sdk/choreography.zig");

/// What a check of Zig's finds is logged before the choreography ends.
pub const panic = dcm.panic;

/// What it moves and reads, and what a person can change while it plays. A joint is named by its field, or by
/// `.named("…")`, as a `dcm.Group`, a `dcm.Sensor` or a `dcm.Topic`.
var cast: struct {
    HeadYaw: dcm.Joint = .{},
    far: dcm.Param = .named("far", 5, 30, 60),
} = .{};

comptime {
    dcm.score(@This(), &cast); // exports `run`
}

/// Called once. Commands that still wait when it returns are dropped.
pub fn run() void {
    const far = dcm.deg(cast.far.get());
    for (0..2) |_| {
        cast.HeadYaw.to(far).eased(.sine).over(.ms(900));
        dcm.sleep(.ms(1100));
        cast.HeadYaw.to(-far).eased(.sine).over(.ms(1200));
        dcm.sleep(.ms(1400));
    }
    cast.HeadYaw.to(0).eased(.sine).over(.ms(900));
    dcm.sleep(.ms(900));
}
