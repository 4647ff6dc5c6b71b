//! Actuators, and groups of them: `cast.HeadYaw.to(dcm.deg(30)).over(.ms(300))`.
//! The law: a command returns nothing, since most choreographies go on after a refusal; `answer()` tells what became of
//! the last one.

const contract = @import("contract.zig");
const curve = @import("curve.zig");
const time = @import("time.zig");
const Ease = curve.Ease;
const Instant = time.Instant;
const Span = time.Span;

pub const Answer = contract.Answer;
pub const Merge = contract.Merge;

/// The number of what this body does not have.
pub const none: u32 = 0xffff_ffff;

var last: Answer = .done;

/// The answer to the last request. All of a request is accepted or none: any answer but `done` has changed nothing.
pub fn answer() Answer {
    return last;
}

/// Keeps what the contract has answered.
pub fn answered(with: Answer) void {
    last = with;
}

/// The limits of an actuator. They are NaN if this body does not have it.
pub const Limits = struct {
    lowest: f64,
    highest: f64,
    /// Units per second; infinite if there is no limit.
    velocity: f64,
    /// Infinite if there is no limit.
    acceleration: f64,
    rest: f64,
};

/// A joint, a light, a hand, a wheel. In a cast: `HeadYaw: dcm.Actuator = .{}` has the name of its field,
/// `chest: dcm.Actuator = .named("ChestBoard/Led/Blue")` another.
pub const Actuator = struct {
    pub const kind = "actuator";

    name: []const u8 = "",
    number: u32 = none,

    pub fn named(name: []const u8) Actuator {
        return .{ .name = name };
    }

    pub fn learn(self: *Actuator) bool {
        self.number = contract.body.findActuator(self.name.ptr, self.name.len);
        return self.isPresent();
    }

    /// Whether this body has it. If not, commands to it are answered `unknown`.
    pub fn isPresent(self: *const Actuator) bool {
        return self.number != none;
    }

    /// A command to this value; `at`, `over` or `now` sends it.
    pub fn to(self: *const Actuator, value: f64) Move {
        return .{ .to = self.number, .value = value };
    }

    /// A movement through keys, whose times must increase. It begins at the current value, unless the first key is at
    /// time 0. `at` or `now` sends it.
    pub fn through(self: *const Actuator, keys: []const curve.Key) Phrase {
        return .{ .to = self.number, .keys = .{ .keys = keys } };
    }

    /// Drops all waiting commands: the actuator stops where it is.
    pub fn clear(self: *const Actuator) void {
        answered(contract.commands.clear(self.number));
    }

    /// The number of commands of this guest that waited when this call of a hook began, without those cleared since.
    /// In a score it is 0.
    pub fn waiting(self: *const Actuator) u32 {
        return contract.commands.waiting(self.number);
    }

    /// The value that was last sent to it, by any guest or client.
    pub fn sent(self: *const Actuator) f64 {
        return contract.lane.sent(self.number);
    }

    /// The value that its board has acknowledged.
    pub fn acknowledged(self: *const Actuator) f64 {
        return contract.sensors.acknowledged(self.number);
    }

    pub fn limits(self: *const Actuator) Limits {
        return .{
            .lowest = contract.body.lowest(self.number),
            .highest = contract.body.highest(self.number),
            .velocity = contract.body.velocity(self.number),
            .acceleration = contract.body.acceleration(self.number),
            .rest = contract.body.rest(self.number),
        };
    }

    /// The time to this value, at a share of its maximum velocity on average. The peak velocity of an easing is up to
    /// 1.9 times its average. Zero if its velocity has no limit.
    pub fn timeTo(self: *const Actuator, value: f64, share: f64) Span {
        return .s(@abs(value - self.sent()) / (contract.body.velocity(self.number) * share));
    }

    /// Drives it to this value in this turn only, beside its timeline.
    pub fn drive(self: *const Actuator, value: f64) void {
        self.driveBy(value, 1);
    }

    /// Drives it in this turn only, with a weight of 0 to 1,000.
    pub fn driveBy(self: *const Actuator, value: f64, share: f64) void {
        answered(contract.lane.drive(self.number, value, share));
    }

    /// Requests these gains in this turn, with a weight of 0 to 1,000. Zero gains make it limp.
    pub fn gains(self: *const Actuator, p: f64, i: f64, d: f64, share: f64) void {
        answered(contract.lane.setGains(self.number, p, i, d, share));
    }

    /// Sets this guest's weight on this actuator alone, 0 to 1,000.
    pub fn setWeight(self: *const Actuator, weight: f64) void {
        answered(contract.lane.setWeightOn(self.number, weight));
    }
};

/// An actuator, and a value for it.
pub const Target = struct { *const Actuator, f64 };

/// Moves to a pose: all actuators move smoothly, and arrive together. It takes the time of the longest movement at this
/// share of its actuator's maximum velocity, and at least `at_least`. Returns the instant of arrival.
pub fn strike(pose: []const Target, share: f64, at_least: Span) Instant {
    var longest = at_least;
    for (pose) |target| longest = longest.atLeast(target[0].timeTo(target[1], share));
    const there = time.now().plus(longest);
    for (pose) |target| target[0].to(target[1]).eased(.jerkless).at(there);
    return there;
}

/// A command that is being built: a movement at constant speed from the current value.
pub const Move = struct {
    to: u32,
    value: f64,
    merge: Merge = .merge,

    /// Sends it: the value is reached at this instant. A past instant counts as now.
    pub fn at(self: Move, instant: Instant) void {
        answered(if (self.merge == .merge)
            contract.commands.set(self.to, self.value, instant.ns)
        else
            contract.commands.put(self.to, self.value, instant.ns, self.merge));
    }

    /// Sends it: the value is reached after this span.
    pub fn over(self: Move, span: Span) void {
        self.at(time.now().plus(span));
    }

    /// Sends it for now: in `preProcess` the value is sent in the same turn.
    pub fn now(self: Move) void {
        self.at(time.now());
    }

    /// Replaces all waiting commands of the actuator.
    pub fn replacing(self: Move) Move {
        return self.merging(.clear_all);
    }

    pub fn merging(self: Move, merge: Merge) Move {
        return .{ .to = self.to, .value = self.value, .merge = merge };
    }

    /// Uses an easing in place of constant speed. Commands that wait for its start or later are dropped.
    pub fn eased(self: Move, ease: Ease) EasedMove {
        return .{ .to = self.to, .value = self.value, .ease = ease };
    }
};

/// An eased movement that is being built.
pub const EasedMove = struct {
    to: u32,
    value: f64,
    ease: Ease,
    begins: ?f64 = null,
    starts: ?Instant = null,
    limit: f64 = curve.usual_error,

    /// Begins at this value, in place of the current one.
    pub fn from(self: EasedMove, value: f64) EasedMove {
        var move = self;
        move.begins = value;
        return move;
    }

    /// Begins at this instant, in place of now.
    pub fn starting(self: EasedMove, instant: Instant) EasedMove {
        var move = self;
        move.starts = instant;
        return move;
    }

    /// The largest error of the lines against the curve; default: 0.004.
    pub fn within(self: EasedMove, limit: f64) EasedMove {
        var move = self;
        move.limit = limit;
        return move;
    }

    /// Sends it: it ends at this instant.
    pub fn at(self: EasedMove, end: Instant) void {
        const start = self.starts orelse time.now();
        self.between(start, end.since(start));
    }

    /// Sends it: it takes this long.
    pub fn over(self: EasedMove, span: Span) void {
        self.between(self.starts orelse time.now(), span);
    }

    fn between(self: EasedMove, start: Instant, span: Span) void {
        const first = self.begins orelse contract.lane.sent(self.to);
        const eased: curve.Eased = .{ .from = first, .to = self.value, .span = span, .ease = self.ease };
        follow(self.to, curve.Lines(curve.Eased).of(eased, self.limit), start);
    }
};

/// A movement through keys that is being built. Commands that wait for its start or later are dropped.
pub const Phrase = struct {
    to: u32,
    keys: curve.Keys,
    limit: f64 = curve.usual_error,

    /// How it passes its keys; default: `.flows`.
    pub fn going(self: Phrase, how: curve.Through) Phrase {
        var phrase = self;
        phrase.keys.through = how;
        return phrase;
    }

    /// Begins at this value, in place of the current one.
    pub fn from(self: Phrase, value: f64) Phrase {
        var phrase = self;
        phrase.keys = self.keys.beginning(value);
        return phrase;
    }

    /// The largest error of the lines against the curve; default: 0.004.
    pub fn within(self: Phrase, limit: f64) Phrase {
        var phrase = self;
        phrase.limit = limit;
        return phrase;
    }

    /// Sends it: it starts at this instant.
    pub fn at(self: Phrase, start: Instant) void {
        const keys = if (self.keys.begins()) self.keys else self.keys.beginning(contract.lane.sent(self.to));
        follow(self.to, curve.Lines(curve.Keys).of(keys, self.limit), start);
    }

    /// Sends it: it starts now.
    pub fn now(self: Phrase) void {
        self.at(time.now());
    }
};

/// Sends a curve. The first command drops those that wait for its instant or later; a refusal ends it.
fn follow(to: u32, lines_of_curve: anytype, start: Instant) void {
    var lines = lines_of_curve;
    var merge: Merge = .clear_after;
    while (lines.next()) |point| {
        const move: Move = .{ .to = to, .value = point[1], .merge = merge };
        move.at(start.plus(point[0]));
        if (answer() != .done) return;
        merge = .merge;
    }
}

/// An alias of the description: all its members get the same command in one request, all or none.
pub const Group = struct {
    pub const kind = "alias of 1 to 32 actuators";
    const most = 32;

    name: []const u8 = "",
    members: [most]u32 = @splat(none),
    length: u32 = 0,

    pub fn named(name: []const u8) Group {
        return .{ .name = name };
    }

    pub fn learn(self: *Group) bool {
        const length = contract.body.aliasLength(self.name.ptr, self.name.len);
        self.length = @min(length, most);
        for (self.members[0..self.length], 0..) |*member, place|
            member.* = contract.body.aliasMember(self.name.ptr, self.name.len, @intCast(place));
        return length > 0 and length <= most;
    }

    /// A command to all members; `at`, `over` or `now` sends it.
    pub fn to(self: *const Group, value: f64) GroupMove {
        return .{ .to = self, .value = value };
    }
};

/// A command to a group that is being built.
pub const GroupMove = struct {
    to: *const Group,
    value: f64,

    /// Sends it: all reach the value at this instant.
    pub fn at(self: GroupMove, instant: Instant) void {
        if (self.to.length == 0) return answered(.unknown);
        var words: [3 * Group.most]u64 = undefined;
        for (self.to.members[0..self.to.length], 0..) |member, place|
            words[3 * place ..][0..3].* = .{ member, @bitCast(self.value), instant.ns };
        answered(contract.bulk.setAll(&words, 3 * self.to.length));
    }

    /// Sends it: all reach the value after this span.
    pub fn over(self: GroupMove, span: Span) void {
        self.at(time.now().plus(span));
    }

    /// Sends it for now.
    pub fn now(self: GroupMove) void {
        self.at(time.now());
    }
};
