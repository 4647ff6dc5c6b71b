//go:build wasm

package choreography

import "math"

// Curves in pieces: easings and keys are made of them, and lines cuts them into straight lines, by the same rule as the
// SDK for Rust, so that a choreography moves alike in both. A piece knows its own curvature, so the error of a line is
// computed, never guessed. Nothing is called through an interface: that would put each curve on the heap.

// The default error: a quarter of a degree, a step of a light with 256 steps.
const usualError = 0.004

// The smallest error. With a smaller one, nearly every turn would need a command.
const leastError = 1e-6

// An Ease is how a movement goes from its start to its end.
type Ease uint8

const (
	// Smooth start and smooth end: right for most movements.
	Sine Ease = iota
	// Constant speed, with a jerk at both ends.
	Linear
	// Smooth start, full speed at the end.
	SineIn
	// Full speed at the start, smooth end.
	SineOut
	// As Sine, but slower at both ends.
	Cubic
	// As SineIn, but slower at the start.
	CubicIn
	// As SineOut, but slower at the end.
	CubicOut
	// Minimum jerk between two positions at rest: how the arms of animals move.
	Jerkless
	// Swings back a little first.
	BackIn
	// Overshoots a little, and comes back. Consider the joint's range.
	BackOut
)

// At is the share of the way at this share of the time. Both are 0 at the start and 1 at the end.
func (ease Ease) At(share float64) float64 {
	x := 0.0
	if share > 0 {
		x = min(share, 1)
	}
	if ease != Cubic {
		it := piece{shape: ease.unit(false), last: 1}
		return it.value(x)
	}
	if x <= 0.5 {
		it := piece{shape: ease.unit(false), last: 0.5}
		return it.value(x / 0.5)
	}
	it := piece{shape: ease.unit(true), last: 1}
	return it.value((x - 0.5) / 0.5)
}

// From 0 to 1; Cubic has a second half, with a share of its own.
func (ease Ease) unit(second bool) shape {
	const swing = 1.70158
	switch ease {
	case Linear:
		return shape{cubic, [4]float64{0, 1, 0, 0}}
	case SineIn:
		return shape{cosine, [4]float64{1, -1, 0, 0.5}}
	case SineOut:
		return shape{cosine, [4]float64{0, 1, 0.5, -0.5}}
	case Cubic:
		if second {
			return shape{cubic, [4]float64{0.5, 1.5, -1.5, 0.5}}
		}
		return shape{cubic, [4]float64{0, 0, 0, 0.5}}
	case CubicIn:
		return shape{cubic, [4]float64{0, 0, 0, 1}}
	case CubicOut:
		return shape{cubic, [4]float64{0, 3, -3, 1}}
	case Jerkless:
		return shape{jerkless, [4]float64{0, 1}}
	case BackIn:
		return shape{cubic, [4]float64{0, 0, -swing, swing + 1}}
	case BackOut:
		return shape{cubic, [4]float64{0, swing + 3, -2*swing - 3, swing + 1}}
	}
	return shape{cosine, [4]float64{0.5, -0.5, 0, 1}}
}

type kind uint8

const (
	// a + b x + c x² + d x³
	cubic kind = iota
	// base + rise (10 x³ - 15 x⁴ + 6 x⁵)
	jerkless
	// base + rise cos(π (from + by x))
	cosine
)

// The function of a piece over the share of its time, from 0 to 1: its kind, and its numbers in the order above.
type shape struct {
	kind kind
	of   [4]float64
}

// Stretches from 0 to 1 to the range between two values.
func (it *shape) stretch(low, high float64) {
	way := high - low
	it.of[0] = low + it.of[0]*way
	it.of[1] *= way
	if it.kind == cubic {
		it.of[2] *= way
		it.of[3] *= way
	}
}

// A smooth part of a curve.
type piece struct {
	start, end Span
	shape      shape
	// Its exact value at its end, so that a curve meets its keys.
	last float64
}

func (it *piece) value(x float64) float64 {
	if x >= 1 {
		return it.last
	}
	of := &it.shape.of
	switch it.shape.kind {
	case cubic:
		return of[0] + x*(of[1]+x*(of[2]+x*of[3]))
	case jerkless:
		return of[0] + of[1]*x*x*x*(10+x*(6*x-15))
	}
	return of[0] + of[1]*cosineOf(of[2], of[3], x)
}

// The curvature at a share: the absolute second derivative by the share.
func (it *piece) bend(x float64) float64 {
	of := &it.shape.of
	switch it.shape.kind {
	case cubic:
		return math.Abs(2*of[2] + 6*of[3]*x)
	case jerkless:
		return math.Abs(of[1] * x * (60 + x*(120*x-180)))
	}
	return math.Abs(of[1] * (math.Pi * of[3]) * (math.Pi * of[3]) * cosineOf(of[2], of[3], x))
}

// The largest error of a line over this share, from the curvature at both ends; exact for cubics, a bound for the
// others. Between the ends the curvature must not change its sign.
func (it *piece) stray(length, one, two float64) float64 {
	if it.shape.kind == cubic {
		return length * length * (0.064_150_029_909_958_42 * (one + two))
	}
	if one < two {
		one = two
	}
	return length * length * (0.125 * one)
}

// The next share at which the curvature changes its course, else the end.
func (it *piece) turn(share float64) float64 {
	if it.shape.kind == jerkless {
		// Where it is largest: (3 ± √3) / 6.
		if share < 0.211_324_865_405_187_1 {
			return 0.211_324_865_405_187_1
		}
		if share < 0.788_675_134_594_812_9 {
			return 0.788_675_134_594_812_9
		}
	}
	return 1
}

// The share where a line from this share may end; guess is its approximate length. It compares, since min and max look
// for NaN and the sign of zero, which makes a curve a third dearer.
func (it *piece) reach(from, limit, guess float64) float64 {
	end := it.turn(from)
	longest, here := end-from, it.bend(from)
	length, best := guess, 0.0
	if length > longest {
		length = longest
	}
	for range 40 {
		off := it.stray(length, here, it.bend(from+length))
		if off <= limit {
			best = length
			if length >= longest {
				return end
			}
			// The line is close enough to the longest.
			if off > 0.9*limit {
				break
			}
		} else if best > 0 && length < 1.02*best {
			break
		}
		// The error grows with the square of the length: a step of Heron's method.
		step := 0.5 * (1 + 0.97*limit/off)
		if step < 0.1 {
			step = 0.1
		} else if step > 2 {
			step = 2
		}
		length *= step
		if length > longest {
			length = longest
		}
	}
	if from+best > from {
		return from + best
	}
	// A NaN never fits: it is one line.
	return end
}

// cos(π (from + by x)) for a sum from 0 to 1, by the series of the sine of the complement.
func cosineOf(from, by, x float64) float64 {
	angle := math.Pi * (0.5 - (from + by*x))
	z := angle * angle
	last := 1.0/6_227_020_800.0 + z*(-1.0/1_307_674_368_000.0)
	rest := 1.0/362_880.0 + z*(-1.0/39_916_800.0+z*last)
	return angle * (1 + z*(-1.0/6.0+z*(1.0/120.0+z*(-1.0/5_040.0+z*rest))))
}

// A Key is a time after the start, and the value there.
type Key struct {
	At    Span
	Value float64
}

// At is a key.
func At(after Span, value float64) Key {
	return Key{after, value}
}

// Through says how a curve passes its keys. It always begins and ends at rest.
type Through uint8

const (
	// It passes smoothly without overshoot: between two keys its values are between theirs.
	Flows Through = iota
	// On straight lines.
	Straight
	// It stops at every key.
	Stops
	// It passes smoothly, and may overshoot.
	Swings
)

// A movement from one value to another, or through keys.
type curve struct {
	isEased bool
	ease    Ease
	through Through
	// Whether from stands before the first key.
	told     bool
	from, to float64
	span     Span
	keys     []Key
}

// Whether the value at the start is known.
func (it *curve) begins() bool {
	return it.told || len(it.keys) == 0 || it.keys[0].At <= 0
}

// Begins at this value, unless the first key is at time 0.
func (it *curve) beginning(value float64) {
	it.from = value
	it.told = len(it.keys) == 0 || it.keys[0].At > 0
}

func (it *curve) key(place int) (key Key, is bool) {
	if it.told {
		if place == 0 {
			return Key{0, it.from}, true
		}
		place--
	}
	if place >= len(it.keys) {
		return Key{}, false
	}
	return it.keys[place], true
}

// The slope at a key, per second; 0 at both ends.
func (it *curve) slope(place int) float64 {
	after, is := it.key(place + 1)
	if place == 0 || !is {
		return 0
	}
	before, _ := it.key(place - 1)
	at, _ := it.key(place)
	one, two := (at.At - before.At).Seconds(), (after.At - at.At).Seconds()
	up, on := (at.Value-before.Value)/one, (after.Value-at.Value)/two
	middle := 0.0
	switch {
	case it.through == Swings:
		middle = (up*two + on*one) / (one + two)
	case it.through == Flows && up*on > 0:
		near, far := two+2*one, one+2*two
		middle = (near + far) / (far/up + near/on)
	}
	// Two keys at one time have no slope between them.
	if math.IsNaN(middle) || math.IsInf(middle, 0) {
		return 0
	}
	return middle
}

func (it *curve) piece(place int) (piece, bool) {
	if it.isEased {
		return it.easedPiece(place)
	}
	from, _ := it.key(place)
	to, is := it.key(place + 1)
	if !is {
		return piece{}, false
	}
	seconds, rise := (to.At - from.At).Seconds(), to.Value-from.Value
	one, two := rise/seconds, rise/seconds
	if it.through != Straight {
		one, two = it.slope(place), it.slope(place+1)
	}
	one, two = one*seconds, two*seconds
	of := [4]float64{from.Value, one, 3*rise - 2*one - two, one + two - 2*rise}
	return piece{from.At, to.At, shape{cubic, of}, to.Value}, true
}

func (it *curve) easedPiece(place int) (piece, bool) {
	if place > 1 || place == 1 && it.ease != Cubic {
		return piece{}, false
	}
	shape := it.ease.unit(place == 1)
	shape.stretch(it.from, it.to)
	half := it.span / 2
	switch {
	case it.ease != Cubic:
		return piece{0, it.span, shape, it.to}, true
	case place == 0:
		return piece{0, half, shape, 0.5 * (it.from + it.to)}, true
	}
	return piece{half, it.span, shape, it.to}, true
}

// The ends of straight lines that stay within an error of a curve; the curve's start is the first.
type lines struct {
	curve *curve
	limit float64
	place int
	begun bool
	piece piece
	// The share of the piece that is done.
	share float64
	// The share of the last line: the first guess for the next.
	last float64
}

func linesOf(of *curve, limit float64) lines {
	if !(limit > leastError) {
		limit = leastError
	}
	return lines{curve: of, limit: limit, last: 1}
}

func (it *lines) next() (point Key, is bool) {
	if !it.begun {
		it.begun = true
		if it.piece, is = it.curve.piece(0); !is {
			return Key{}, false
		}
		return Key{it.piece.start, it.piece.value(0)}, true
	}
	if it.share >= 1 {
		it.place++
		if it.piece, is = it.curve.piece(it.place); !is {
			return Key{}, false
		}
		it.share = 0
	}
	share := it.piece.reach(it.share, it.limit, it.last)
	it.last, it.share = share-it.share, share
	at := it.piece.end
	if share < 1 {
		at = it.piece.start + nanos(float64(it.piece.end-it.piece.start)*share)
	}
	return Key{at, it.piece.value(share)}, true
}
