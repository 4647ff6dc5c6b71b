//go:build wasm

package choreography

import (
	"math"
	"time"
)

// A Span is a length of time: 300 * time.Millisecond. Where one counts, a negative one is zero.
type Span = time.Duration

// Ms is a span in milliseconds, for numbers that are no constants. It is never negative.
func Ms(count float64) Span {
	return nanos(count * 1e6)
}

// S is a span in seconds, for numbers that are no constants. It is never negative.
func S(count float64) Span {
	return nanos(count * 1e9)
}

// To the nearest; a negative number and NaN become 0.
func nanos(count float64) Span {
	switch {
	case !(count > 0):
		return 0
	case count >= math.MaxInt64:
		return math.MaxInt64
	}
	return Span(count + 0.5)
}

func spanOf(nanos uint64) Span {
	return Span(min(nanos, math.MaxInt64))
}

// An Instant is a point in time, in nanoseconds of the robot's clock.
type Instant uint64

// Add is the instant after this span, or before it if the span is negative. It saturates at the first and last one.
func (at Instant) Add(span Span) Instant {
	sum := at + Instant(span)
	switch {
	case span < 0 && sum > at:
		return 0
	case span > 0 && sum < at:
		return math.MaxUint64
	}
	return sum
}

// Sub is the span since an earlier instant; zero if this is before it.
func (at Instant) Sub(earlier Instant) Span {
	if at < earlier {
		return 0
	}
	return spanOf(uint64(at - earlier))
}

// Before tells whether it is earlier.
func (at Instant) Before(other Instant) bool {
	return at < other
}

// Now is the instant of this turn; outside a turn, of the last one.
func Now() Instant {
	return Instant(clockNow())
}

// Turn is the number of this turn, counted from 1.
func Turn() uint64 {
	return clockTurn()
}

// Period is the time from one turn to the next.
func Period() Span {
	return spanOf(bodyPeriod())
}

// SleepUntil sleeps until this instant, and lets other goroutines run meanwhile. In a score only.
func SleepUntil(at Instant) {
	Sleep(at.Sub(Now()))
}

// Sleep is time.Sleep: it sleeps for this span of the robot's time. In a score only.
func Sleep(span Span) {
	time.Sleep(span)
}
