//! Curves in pieces: easings and keys are made of them, and `Lines` cuts them into straight lines, by the same rule as
//! the SDK for Rust, so that a choreography moves alike in both.
//! The law: a piece knows its own curvature, so the error of a line is computed, never guessed.

const std = @import("std");
const Span = @import("time.zig").Span;

/// The default error: a quarter of a degree, a step of a light with 256 steps.
pub const usual_error = 0.004;

/// The smallest error. With a smaller one, nearly every turn would need a command.
const least_error = 1e-6;

/// How a movement goes from its start to its end.
pub const Ease = enum {
    /// Constant speed, with a jerk at both ends.
    linear,
    /// Smooth start and smooth end: right for most movements.
    sine,
    /// Smooth start, full speed at the end.
    sine_in,
    /// Full speed at the start, smooth end.
    sine_out,
    /// As `sine`, but slower at both ends.
    cubic,
    /// As `sine_in`, but slower at the start.
    cubic_in,
    /// As `sine_out`, but slower at the end.
    cubic_out,
    /// Minimum jerk between two positions at rest: how the arms of animals move.
    jerkless,
    /// Swings back a little first.
    back_in,
    /// Overshoots a little, and comes back. Consider the joint's range.
    back_out,

    /// The share of the way at this share of the time. Both are 0 at the start and 1 at the end.
    pub fn at(ease: Ease, share: f64) f64 {
        const x = if (share > 0) @min(share, 1) else 0;
        const second = ease == .cubic and x > 0.5;
        const from: f64 = if (second) 0.5 else 0;
        const of: f64 = if (ease == .cubic) 0.5 else 1;
        const piece: Piece = .{ .shape = ease.unit(second), .last = if (ease == .cubic and !second) 0.5 else 1 };
        return piece.value((x - from) / of);
    }

    /// From 0 to 1; `cubic` has a second half, with a share of its own.
    fn unit(ease: Ease, second: bool) Shape {
        const swing = 1.70158;
        return switch (ease) {
            .linear => .{ .cubic = .{ 0, 1, 0, 0 } },
            .sine => .{ .cosine = .{ .base = 0.5, .rise = -0.5, .from = 0, .by = 1 } },
            .sine_in => .{ .cosine = .{ .base = 1, .rise = -1, .from = 0, .by = 0.5 } },
            .sine_out => .{ .cosine = .{ .base = 0, .rise = 1, .from = 0.5, .by = -0.5 } },
            .cubic => .{ .cubic = if (second) .{ 0.5, 1.5, -1.5, 0.5 } else .{ 0, 0, 0, 0.5 } },
            .cubic_in => .{ .cubic = .{ 0, 0, 0, 1 } },
            .cubic_out => .{ .cubic = .{ 0, 3, -3, 1 } },
            .jerkless => .{ .jerkless = .{ .base = 0, .rise = 1 } },
            .back_in => .{ .cubic = .{ 0, 0, -swing, swing + 1 } },
            .back_out => .{ .cubic = .{ 0, swing + 3, -2 * swing - 3, swing + 1 } },
        };
    }
};

/// The function of a piece over the share of its time, from 0 to 1.
const Shape = union(enum) {
    /// The coefficients, the constant first.
    cubic: [4]f64,
    /// `base + rise · (10 x³ - 15 x⁴ + 6 x⁵)`.
    jerkless: struct { base: f64, rise: f64 },
    /// `base + rise · cos(π (from + by · x))`.
    cosine: struct { base: f64, rise: f64, from: f64, by: f64 },

    /// Stretches from 0 to 1 to the range between two values.
    fn stretched(shape: Shape, low: f64, high: f64) Shape {
        const way = high - low;
        return switch (shape) {
            .cubic => |c| .{ .cubic = .{ low + c[0] * way, c[1] * way, c[2] * way, c[3] * way } },
            .jerkless => |it| .{ .jerkless = .{ .base = low + it.base * way, .rise = it.rise * way } },
            .cosine => |it| .{ .cosine = .{
                .base = low + it.base * way,
                .rise = it.rise * way,
                .from = it.from,
                .by = it.by,
            } },
        };
    }
};

/// A smooth part of a curve.
const Piece = struct {
    start: Span = .zero,
    end: Span = .zero,
    shape: Shape,
    /// Its exact value at its end, so that a curve meets its keys.
    last: f64,

    fn value(piece: *const Piece, x: f64) f64 {
        if (x >= 1) return piece.last;
        return switch (piece.shape) {
            .cubic => |c| c[0] + x * (c[1] + x * (c[2] + x * c[3])),
            .jerkless => |it| it.base + it.rise * x * x * x * (10 + x * (6 * x - 15)),
            .cosine => |it| it.base + it.rise * cosine(it.from, it.by, x),
        };
    }

    /// The curvature at a share: the absolute second derivative by the share.
    fn bend(piece: *const Piece, x: f64) f64 {
        return @abs(switch (piece.shape) {
            .cubic => |c| 2 * c[2] + 6 * c[3] * x,
            .jerkless => |it| it.rise * x * (60 + x * (120 * x - 180)),
            .cosine => |it| it.rise * (std.math.pi * it.by) * (std.math.pi * it.by) * cosine(it.from, it.by, x),
        });
    }

    /// The largest error of a line over this share, from the curvature at both ends; exact for cubics, a bound for the
    /// others. Between the ends the curvature must not change its sign.
    fn stray(piece: *const Piece, length: f64, one: f64, two: f64) f64 {
        const most = switch (piece.shape) {
            .cubic => 0.064_150_029_909_958_42 * (one + two),
            else => 0.125 * @max(one, two),
        };
        return length * length * most;
    }

    /// The next share at which the curvature changes its course, else the end.
    fn turn(piece: *const Piece, share: f64) f64 {
        if (piece.shape == .jerkless) {
            // Where it is largest: `(3 ± √3) / 6`.
            for ([_]f64{ 0.211_324_865_405_187_1, 0.788_675_134_594_812_9 }) |most| {
                if (most > share) return most;
            }
        }
        return 1;
    }

    /// The share where a line from this share may end; `guess` is its approximate length.
    fn reach(piece: *const Piece, from: f64, limit: f64, guess: f64) f64 {
        const end = piece.turn(from);
        const longest = end - from;
        const here = piece.bend(from);
        var length = @min(guess, longest);
        var best: f64 = 0;
        for (0..40) |_| {
            const off = piece.stray(length, here, piece.bend(from + length));
            if (off <= limit) {
                best = length;
                if (length >= longest) return end;
                // The line is close enough to the longest.
                if (off > 0.9 * limit) break;
            } else if (best > 0 and length < 1.02 * best) {
                break;
            }
            // The error grows with the square of the length: a step of Heron's method.
            const step = 0.5 * (1 + 0.97 * limit / off);
            length = @min(length * @min(@max(step, 0.1), 2), longest);
        }
        // A NaN never fits: it is one line.
        return if (from + best > from) from + best else end;
    }
};

/// `cos(π (from + by · share))` for a sum from 0 to 1, by the series of the sine of the complement.
fn cosine(from: f64, by: f64, share: f64) f64 {
    const angle = std.math.pi * (0.5 - (from + by * share));
    const z = angle * angle;
    const last = 1.0 / 6_227_020_800.0 + z * (-1.0 / 1_307_674_368_000.0);
    const rest = 1.0 / 362_880.0 + z * (-1.0 / 39_916_800.0 + z * last);
    return angle * (1 + z * (-1.0 / 6.0 + z * (1.0 / 120.0 + z * (-1.0 / 5_040.0 + z * rest))));
}

/// A movement from one value to another.
pub const Eased = struct {
    from: f64,
    to: f64,
    span: Span,
    ease: Ease,

    fn piece(self: *const Eased, place: usize) ?Piece {
        const half: Span = .{ .ns = self.span.ns / 2 };
        const in_halves = self.ease == .cubic;
        if (place > @intFromBool(in_halves)) return null;
        return .{
            .start = if (place == 1) half else .zero,
            .end = if (in_halves and place == 0) half else self.span,
            .shape = self.ease.unit(place == 1).stretched(self.from, self.to),
            .last = if (in_halves and place == 0) 0.5 * (self.from + self.to) else self.to,
        };
    }
};

/// A time after the start, and the value there: `.{ .ms(300), 0.5 }`.
pub const Key = struct { Span, f64 };

/// How a curve passes its keys. It always begins and ends at rest.
pub const Through = enum {
    /// On straight lines.
    straight,
    /// It stops at every key.
    stops,
    /// It passes smoothly without overshoot: between two keys its values are between theirs.
    flows,
    /// It passes smoothly, and may overshoot.
    swings,
};

/// A curve through keys.
pub const Keys = struct {
    /// The value before the first key.
    first: ?f64 = null,
    keys: []const Key,
    through: Through = .flows,

    /// Whether the value at the start is known.
    pub fn begins(self: *const Keys) bool {
        return self.first != null or self.keys.len == 0 or self.keys[0][0].ns == 0;
    }

    /// Begins at this value, unless the first key is at time 0.
    pub fn beginning(self: Keys, start: f64) Keys {
        var keys = self;
        const told = self.keys.len > 0 and self.keys[0][0].ns == 0;
        keys.first = if (told) null else start;
        return keys;
    }

    fn key(self: *const Keys, place: usize) ?Key {
        const before = @intFromBool(self.first != null);
        if (place < before) return .{ .zero, self.first.? };
        return if (place - before < self.keys.len) self.keys[place - before] else null;
    }

    /// The slope at a key, per second; 0 at both ends.
    fn slope(self: *const Keys, place: usize) f64 {
        if (place == 0) return 0;
        const before = self.key(place - 1).?;
        const at = self.key(place).?;
        const after = self.key(place + 1) orelse return 0;
        const one = at[0].minus(before[0]).seconds();
        const two = after[0].minus(at[0]).seconds();
        const up = (at[1] - before[1]) / one;
        const on = (after[1] - at[1]) / two;
        const middle = switch (self.through) {
            .swings => (up * two + on * one) / (one + two),
            .flows => flow: {
                if (!(up * on > 0)) break :flow 0;
                const near = two + 2 * one;
                const far = one + 2 * two;
                break :flow (near + far) / (far / up + near / on);
            },
            else => 0,
        };
        // Two keys at one time have no slope between them.
        return if (std.math.isFinite(middle)) middle else 0;
    }

    fn piece(self: *const Keys, place: usize) ?Piece {
        const from = self.key(place) orelse return null;
        const to = self.key(place + 1) orelse return null;
        const seconds = to[0].minus(from[0]).seconds();
        const rise = to[1] - from[1];
        const straight = self.through == .straight;
        const one = (if (straight) rise / seconds else self.slope(place)) * seconds;
        const two = (if (straight) rise / seconds else self.slope(place + 1)) * seconds;
        const shape: Shape = .{ .cubic = .{ from[1], one, 3 * rise - 2 * one - two, one + two - 2 * rise } };
        return .{ .start = from[0], .end = to[0], .shape = shape, .last = to[1] };
    }
};

/// The ends of straight lines that stay within an error of a curve; the curve's start is the first.
pub fn Lines(comptime Curve: type) type {
    return struct {
        curve: Curve,
        limit: f64,
        place: usize = 0,
        piece: ?Piece = null,
        /// The share of the piece that is done.
        share: f64 = 0,
        /// The share of the last line: the first guess for the next.
        last: f64 = 1,

        pub fn of(curve: Curve, limit: f64) @This() {
            return .{ .curve = curve, .limit = if (limit > least_error) limit else least_error };
        }

        pub fn next(self: *@This()) ?Key {
            if (self.piece == null) {
                self.piece = self.curve.piece(0) orelse return null;
                return .{ self.piece.?.start, self.piece.?.value(0) };
            }
            if (self.share >= 1) {
                self.place += 1;
                self.piece = self.curve.piece(self.place) orelse return null;
                self.share = 0;
            }
            const piece = &self.piece.?;
            const share = piece.reach(self.share, self.limit, self.last);
            self.last = share - self.share;
            self.share = share;
            const after = if (share < 1) piece.start.plus(piece.end.minus(piece.start).times(share)) else piece.end;
            return .{ after, piece.value(share) };
        }
    };
}
