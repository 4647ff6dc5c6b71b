//! Lines for people: `dcm.log.info("it is {d:.2} m away", .{distance})`. `std.log` writes here too if the root has
//! `pub const std_options: std.Options = .{ .logFn = dcm.logFn };`.
//! The law: a line has at most 256 bytes, the rest is cut off; nothing is allocated.

const std = @import("std");
const answered = @import("actuator.zig").answered;
const contract = @import("contract.zig");

const Level = contract.Level;

/// For whoever wants to know everything.
pub fn debug(comptime format: []const u8, args: anytype) void {
    write(.debug, format, args);
}

/// What a person follows.
pub fn info(comptime format: []const u8, args: anytype) void {
    write(.info, format, args);
}

/// What should not be.
pub fn warn(comptime format: []const u8, args: anytype) void {
    write(.warning, format, args);
}

pub fn write(level: Level, comptime format: []const u8, args: anytype) void {
    var line: [256]u8 = @splat(' ');
    text(level, std.fmt.bufPrint(&line, format, args) catch &line);
}

/// A line as it is.
pub fn text(level: Level, line: []const u8) void {
    answered(contract.log.write(level, line.ptr, line.len));
}

/// For `std.Options.logFn`.
pub fn logFn(
    comptime level: std.log.Level,
    comptime scope: @TypeOf(.enum_literal),
    comptime format: []const u8,
    args: anytype,
) void {
    const from = if (scope == .default) "" else @tagName(scope) ++ ": ";
    write(switch (level) {
        .debug => .debug,
        .info => .info,
        .warn, .err => .warning,
    }, from ++ format, args);
}

/// For `pub const panic`: logs the reason, and traps.
pub fn panicked(reason: []const u8, _: ?usize) noreturn {
    @branchHint(.cold);
    text(.warning, reason);
    @trap();
}
