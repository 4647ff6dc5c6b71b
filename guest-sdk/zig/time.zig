//! Instants and spans: `dcm.now().plus(.ms(300))`. All times are nanoseconds of the robot's clock.
//! The law: arithmetic neither wraps nor panics; it saturates at the first or last value.

const contract = @import("contract.zig");

/// A length of time; never negative. `.ms(300)` stands wherever a span is expected.
pub const Span = struct {
    ns: u64 = 0,

    pub const zero: Span = .{};

    pub fn nanos(count: f64) Span {
        // To the nearest; a negative number and NaN become 0.
        if (!(count > 0)) return .zero;
        return .{ .ns = if (count >= 18_446_744_073_709_549_568.0) ~@as(u64, 0) else @intFromFloat(count + 0.5) };
    }
    pub fn us(count: f64) Span {
        return nanos(count * 1e3);
    }
    pub fn ms(count: f64) Span {
        return nanos(count * 1e6);
    }
    pub fn s(count: f64) Span {
        return nanos(count * 1e9);
    }

    pub fn seconds(self: Span) f64 {
        return @as(f64, @floatFromInt(self.ns)) / 1e9;
    }
    pub fn plus(self: Span, other: Span) Span {
        return .{ .ns = self.ns +| other.ns };
    }
    pub fn minus(self: Span, other: Span) Span {
        return .{ .ns = self.ns -| other.ns };
    }
    pub fn times(self: Span, factor: f64) Span {
        return nanos(@as(f64, @floatFromInt(self.ns)) * factor);
    }
    /// How many times `whole` it is.
    pub fn share(self: Span, whole: Span) f64 {
        return @as(f64, @floatFromInt(self.ns)) / @as(f64, @floatFromInt(whole.ns));
    }
    pub fn atLeast(self: Span, least: Span) Span {
        return .{ .ns = @max(self.ns, least.ns) };
    }
};

/// A point in time, on the robot's clock.
pub const Instant = struct {
    ns: u64 = 0,

    pub fn plus(self: Instant, span: Span) Instant {
        return .{ .ns = self.ns +| span.ns };
    }
    pub fn minus(self: Instant, span: Span) Instant {
        return .{ .ns = self.ns -| span.ns };
    }
    /// The span since `earlier`; zero if this is before it.
    pub fn since(self: Instant, earlier: Instant) Span {
        return .{ .ns = self.ns -| earlier.ns };
    }
    pub fn isBefore(self: Instant, other: Instant) bool {
        return self.ns < other.ns;
    }
};

/// The instant of this turn; outside a turn, of the last one.
pub fn now() Instant {
    return .{ .ns = contract.clock.now() };
}

/// The number of this turn, counted from 1.
pub fn turn() u64 {
    return contract.clock.turn();
}

/// The time from one turn to the next.
pub fn period() Span {
    return .{ .ns = contract.body.period() };
}

/// Sleeps until this instant. In a score only; in a motion it returns at once.
pub fn sleepUntil(at: Instant) void {
    _ = contract.clock.sleepUntil(at.ns);
}

/// Sleeps for this span. In a score only.
pub fn sleep(span: Span) void {
    sleepUntil(now().plus(span));
}
