//! {{Name}}: looks to the left and to the right, and back. A motion: the loop calls its hooks in every turn.

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
    dcm.motion(@This(), &cast); // exports the hooks below: pub fn start, preProcess, postProcess, isAlive, stop
}

/// When it ends; `null` before the first turn.
var end: ?dcm.Instant = null;

/// Called in every turn, before the values are computed.
pub fn preProcess(now: dcm.Instant) void {
    if (end != null) return;
    const far = dcm.deg(cast.far.get());
    cast.HeadYaw.through(&.{ .{ .ms(800), far }, .{ .ms(2000), -far }, .{ .ms(2800), 0 } }).at(now);
    end = now.plus(.ms(2800));
}

/// Called in every turn; `false` ends the choreography.
pub fn isAlive() bool {
    return dcm.now().isBefore(end orelse return true);
}
