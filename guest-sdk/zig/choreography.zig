//! The SDK for choreographies of dcm-run in Zig. `const dcm = @import("sdk/choreography.zig");`
//!
//! A choreography is a file with a cast, hooks, and a line that exports them:
//!
//! ```zig
//! var cast: struct {
//!     HeadYaw: dcm.Actuator = .{},
//! } = .{};
//!
//! comptime {
//!     dcm.motion(@This(), &cast);
//! }
//!
//! pub fn start() void {
//!     cast.HeadYaw.to(dcm.deg(30)).over(.ms(300));
//! }
//! ```

const std = @import("std");
const actuator = @import("actuator.zig");
const curve = @import("curve.zig");
const time = @import("time.zig");
const answered = actuator.answered;
const none = actuator.none;

/// The imports as they are.
pub const contract = @import("contract.zig");

pub const Actuator = actuator.Actuator;
pub const Joint = Actuator;
pub const Light = Actuator;
pub const Group = actuator.Group;
pub const Limits = actuator.Limits;
pub const Target = actuator.Target;
pub const Answer = actuator.Answer;
pub const Merge = actuator.Merge;
pub const answer = actuator.answer;
pub const strike = actuator.strike;

pub const Ease = curve.Ease;
pub const Key = curve.Key;
pub const Through = curve.Through;

pub const Instant = time.Instant;
pub const Span = time.Span;
pub const now = time.now;
pub const turn = time.turn;
pub const period = time.period;
pub const sleep = time.sleep;
pub const sleepUntil = time.sleepUntil;

pub const log = @import("log.zig");
pub const logFn = log.logFn;
pub const panic = std.debug.FullPanic(log.panicked);

/// An angle in degrees, as radians.
pub fn deg(degrees: f64) f64 {
    return degrees * (std.math.pi / 180.0);
}

/// A sensor, by name.
pub const Sensor = struct {
    pub const kind = "sensor";

    name: []const u8 = "",
    number: u32 = none,

    pub fn named(name: []const u8) Sensor {
        return .{ .name = name };
    }

    pub fn learn(self: *Sensor) bool {
        self.number = contract.body.findSensor(self.name.ptr, self.name.len);
        return self.isPresent();
    }

    /// Whether this body has it. If not, it reads NaN.
    pub fn isPresent(self: *const Sensor) bool {
        return self.number != none;
    }

    /// Its value: in `preProcess` that of the previous turn, in `postProcess` that of this turn.
    pub fn read(self: *const Sensor) f64 {
        return contract.sensors.read(self.number);
    }

    /// Whether its value is above 0.5: a pressed button, a touched head.
    pub fn isOn(self: *const Sensor) bool {
        return self.read() > 0.5;
    }

    /// The time since its board last answered; zero in this turn.
    pub fn age(self: *const Sensor) Span {
        return .{ .ns = contract.sensors.age(self.number) };
    }
};

/// A live parameter: a figure that a person changes while the choreography plays.
pub const Param = struct {
    pub const kind = "room for the parameter";

    name: []const u8,
    lowest: f64,
    usual: f64,
    highest: f64,
    number: u32 = none,

    /// The name has at most 64 bytes; the figures must increase.
    pub fn named(name: []const u8, lowest: f64, usual: f64, highest: f64) Param {
        return .{ .name = name, .lowest = lowest, .usual = usual, .highest = highest };
    }

    pub fn learn(self: *Param) bool {
        const name = self.name;
        self.number = contract.params.declare(name.ptr, name.len, self.lowest, self.usual, self.highest);
        return self.number != none;
    }

    /// Its value, always within its range. It changes between turns only.
    pub fn get(self: *const Param) f64 {
        const value = contract.params.get(self.number);
        return if (std.math.isNan(value)) self.usual else value;
    }
};

/// A topic of events, by name. All guests that use the same name share it.
pub const Topic = struct {
    pub const kind = "room for the topic";

    name: []const u8 = "",
    number: u32 = none,

    pub fn named(name: []const u8) Topic {
        return .{ .name = name };
    }

    pub fn learn(self: *Topic) bool {
        self.number = contract.events.topic(self.name.ptr, self.name.len);
        return self.number != none;
    }

    /// Posts an event. Guests receive it from the next turn on.
    pub fn post(self: *const Topic, value: f64) void {
        answered(contract.events.post(self.number, value));
    }
};

/// An event that was posted.
pub const Event = struct {
    topic: u32,
    value: f64,

    pub fn is(self: Event, topic: *const Topic) bool {
        return self.topic == topic.number;
    }
};

/// The next event that this guest has not received: `while (dcm.nextEvent()) |event|`.
pub fn nextEvent() ?Event {
    if (!contract.events.next()) return null;
    return .{ .topic = contract.events.currentTopic(), .value = contract.events.currentValue() };
}

/// Keeps a figure at a place, 0 to 255, for the version that takes over.
pub fn keep(place: u8, value: f64) void {
    answered(contract.state.keep(place, value));
}

/// The figure that the previous version has kept: from the first turn on, not yet in `start`.
pub fn kept(place: u8) ?f64 {
    const value = contract.state.kept(place);
    return if (std.math.isNan(value)) null else value;
}

/// Priorities; any finite number between them is one too.
pub const priority = struct {
    pub const silent = -1.0;
    pub const background = 0.0;
    pub const low = 5.0;
    pub const standard = 10.0;
    pub const high = 50.0;
    pub const emergency = 100.0;
};

/// Sets this guest's priority, at most what its grant allows.
pub fn setPriority(to: f64) void {
    answered(contract.lane.setPriority(to));
}

/// Sets this guest's weight among guests of the same priority, 0 to 1,000.
pub fn setWeight(to: f64) void {
    answered(contract.lane.setWeight(to));
}

/// The states of the body.
pub const State = contract.State;

pub fn bodyState() State {
    return contract.lane.bodyState();
}

/// Whether a guest of higher priority hides this one on any actuator.
pub fn isHidden() bool {
    return contract.lane.isHidden();
}

/// Ends the guest: its lane fades out, `stop` is called, and it is gone.
pub fn finish() void {
    answered(contract.lane.finish());
}

/// Exports the hooks that `Guest` has: `start`, `preProcess(now)`, `postProcess(now)`, `isAlive`, `stop`, each with
/// `pub`. Only those are called. The names of the cast are looked up before `start`.
pub fn motion(comptime Guest: type, comptime cast: anytype) void {
    const hooks = struct {
        fn start() callconv(.c) void {
            enter(cast);
            if (@hasDecl(Guest, "start")) Guest.start();
        }
        fn preProcess() callconv(.c) void {
            Guest.preProcess(now());
        }
        fn postProcess() callconv(.c) void {
            Guest.postProcess(now());
        }
        fn isAlive() callconv(.c) u32 {
            return @intFromBool(Guest.isAlive());
        }
        fn stop() callconv(.c) void {
            Guest.stop();
        }
    };
    refuse(Guest, "run", "a score has `run`: call `dcm.score(@This(), &cast)`");
    refuse(Guest, "pre_process", "the hook is `preProcess` in Zig");
    refuse(Guest, "post_process", "the hook is `postProcess` in Zig");
    refuse(Guest, "is_alive", "the hook is `isAlive` in Zig");
    if (!@hasDecl(Guest, "start") and !@hasDecl(Guest, "preProcess") and !@hasDecl(Guest, "postProcess"))
        @compileError("no hook was found: hooks are `pub fn`");
    @export(&hooks.start, .{ .name = "start" });
    if (@hasDecl(Guest, "preProcess")) @export(&hooks.preProcess, .{ .name = "pre-process" });
    if (@hasDecl(Guest, "postProcess")) @export(&hooks.postProcess, .{ .name = "post-process" });
    if (@hasDecl(Guest, "isAlive")) @export(&hooks.isAlive, .{ .name = "is-alive" });
    if (@hasDecl(Guest, "stop")) @export(&hooks.stop, .{ .name = "stop" });
}

/// Exports `Guest.run`: a score, which has a thread of its own.
pub fn score(comptime Guest: type, comptime cast: anytype) void {
    const hooks = struct {
        fn run() callconv(.c) void {
            enter(cast);
            Guest.run();
        }
    };
    if (!@hasDecl(Guest, "run"))
        @compileError("a score needs `pub fn run() void`; a motion is exported by `dcm.motion`");
    @export(&hooks.run, .{ .name = "run" });
}

fn refuse(comptime Guest: type, comptime name: []const u8, comptime why: []const u8) void {
    if (@hasDecl(Guest, name)) @compileError("`" ++ name ++ "`: " ++ why);
}

/// Looks up all names of the cast, and logs those that this body does not have. A part without a name has that of its
/// field.
fn enter(cast: anytype) void {
    inline for (comptime std.meta.fieldNames(@TypeOf(cast.*))) |field| {
        const part = &@field(cast, field);
        if (part.name.len == 0) part.name = field;
        if (!part.learn()) {
            const kind = @TypeOf(part.*).kind;
            log.warn("there is no " ++ kind ++ " `{s}` here: it goes on without", .{part.name});
        }
    }
}
