//go:build wasm

package choreography

import (
	"math"
	"unsafe"
)

// An Actuator is a joint, a light, a hand, a wheel. The zero value is one that the body does not have: commands to it
// are answered AnswerUnknown.
type Actuator struct{ handle }

// NewActuator is the actuator of this name: any name of the body's description.
func NewActuator(name string) Actuator {
	number := bodyFindActuator(name)
	found(number != none, "actuator", name)
	return Actuator{handleOf(number)}
}

// NewJoint is NewActuator.
func NewJoint(name string) Actuator {
	return NewActuator(name)
}

// NewLight is NewActuator.
func NewLight(name string) Actuator {
	return NewActuator(name)
}

// To is a command to this value; At, Over or Now sends it.
func (of Actuator) To(value float64) Move {
	return Move{to: of.number(), value: value}
}

// Through is a movement through keys, whose times must increase. It begins at the current value, unless the first key
// is at time 0. At or Now sends it.
func (of Actuator) Through(keys ...Key) Phrase {
	return Phrase{to: of.number(), curve: curve{keys: keys, through: Flows}, limit: usualError}
}

// Clear drops all waiting commands: the actuator stops where it is.
func (of Actuator) Clear() Answer {
	return commandsClear(of.number())
}

// Waiting is the number of commands of this guest that waited when this call of a hook began, without those cleared
// since. In a score it is 0.
func (of Actuator) Waiting() int {
	return int(commandsWaiting(of.number()))
}

// Sent is the value that was last sent to it, by any guest or client.
func (of Actuator) Sent() float64 {
	return laneSent(of.number())
}

// Acknowledged is the value that its board has acknowledged.
func (of Actuator) Acknowledged() float64 {
	return sensorsAcknowledged(of.number())
}

// Limits of an actuator. They are NaN if this body does not have it.
type Limits struct {
	Lowest, Highest float64
	// Units per second; infinite if there is no limit.
	Velocity, Acceleration float64
	Rest                   float64
}

// Limits are its range, what it can do, and where it rests.
func (of Actuator) Limits() Limits {
	it := of.number()
	return Limits{bodyLowest(it), bodyHighest(it), bodyVelocity(it), bodyAcceleration(it), bodyRest(it)}
}

// TimeTo is the time to this value, at a share of its maximum velocity on average. The peak velocity of an easing is
// up to 1.9 times its average. Zero if its velocity has no limit.
func (of Actuator) TimeTo(value, share float64) Span {
	return S(math.Abs(value-of.Sent()) / (bodyVelocity(of.number()) * share))
}

// Drive drives it to this value in this turn only, beside its timeline.
func (of Actuator) Drive(value float64) Answer {
	return of.DriveBy(value, 1)
}

// DriveBy drives it in this turn only, with a weight of 0 to 1,000.
func (of Actuator) DriveBy(value, share float64) Answer {
	return laneDrive(of.number(), value, share)
}

// Gains requests these gains in this turn, with a weight of 0 to 1,000. Zero gains make it limp.
func (of Actuator) Gains(p, i, d, share float64) Answer {
	return laneSetGains(of.number(), p, i, d, share)
}

// SetWeight sets this guest's weight on this actuator alone, 0 to 1,000.
func (of Actuator) SetWeight(weight float64) Answer {
	return laneSetWeightOn(of.number(), weight)
}

// A Target is an actuator, and a value for it.
type Target struct {
	Actuator
	Value float64
}

// Target is this value for it.
func (of Actuator) Target(value float64) Target {
	return Target{of, value}
}

// Strike moves to a pose: all actuators move smoothly, and arrive together. It takes the time of the longest movement
// at this share of its actuator's maximum velocity, and at least this long. It returns the instant of arrival.
func Strike(pose []Target, share float64, atLeast Span) Instant {
	longest := atLeast
	for _, target := range pose {
		longest = max(longest, target.TimeTo(target.Value, share))
	}
	there := Now().Add(longest)
	for _, target := range pose {
		target.To(target.Value).Eased(Jerkless).At(there)
	}
	return there
}

// A Move is a command that is being built: a movement at constant speed from the current value.
type Move struct {
	to    uint32
	merge Merge
	value float64
}

// At sends it: the value is reached at this instant. A past instant counts as now.
func (move Move) At(at Instant) Answer {
	if move.merge == MergeMerge {
		return commandsSet(move.to, move.value, uint64(at))
	}
	return commandsPut(move.to, move.value, uint64(at), move.merge)
}

// Over sends it: the value is reached after this span.
func (move Move) Over(span Span) Answer {
	return move.At(Now().Add(span))
}

// Now sends it for now: in pre-process the value is sent in the same turn.
func (move Move) Now() Answer {
	return move.At(Now())
}

// Replacing replaces all waiting commands of the actuator.
func (move Move) Replacing() Move {
	return move.Merging(MergeClearAll)
}

// Merging says what happens to waiting commands.
func (move Move) Merging(merge Merge) Move {
	move.merge = merge
	return move
}

// Eased uses an easing in place of constant speed. Commands that wait for its start or later are dropped.
func (move Move) Eased(ease Ease) EasedMove {
	return EasedMove{to: move.to, value: move.value, from: math.NaN(), ease: ease, limit: usualError}
}

// An EasedMove is being built.
type EasedMove struct {
	to     uint32
	ease   Ease
	starts bool
	value  float64
	// NaN: the current value.
	from  float64
	start Instant
	limit float64
}

// From begins at this value, in place of the current one.
func (move EasedMove) From(value float64) EasedMove {
	move.from = value
	return move
}

// Starting begins at this instant, in place of now.
func (move EasedMove) Starting(at Instant) EasedMove {
	move.start, move.starts = at, true
	return move
}

// Within sets the largest error of the lines against the curve; default: 0.004.
func (move EasedMove) Within(limit float64) EasedMove {
	move.limit = limit
	return move
}

// At sends it: it ends at this instant.
func (move EasedMove) At(end Instant) Answer {
	start := move.beginning()
	return move.between(start, end.Sub(start))
}

// Over sends it: it takes this long.
func (move EasedMove) Over(span Span) Answer {
	return move.between(move.beginning(), max(span, 0))
}

func (move EasedMove) beginning() Instant {
	if move.starts {
		return move.start
	}
	return Now()
}

func (move EasedMove) between(start Instant, span Span) Answer {
	if move.from != move.from {
		move.from = laneSent(move.to)
	}
	eased := curve{isEased: true, ease: move.ease, from: move.from, to: move.value, span: span}
	return follow(move.to, &eased, start, move.limit)
}

// A Phrase is a movement through keys that is being built. Commands that wait for its start or later are dropped.
type Phrase struct {
	to    uint32
	curve curve
	limit float64
}

// Going says how it passes its keys; default: Flows.
func (phrase Phrase) Going(through Through) Phrase {
	phrase.curve.through = through
	return phrase
}

// From begins at this value, in place of the current one.
func (phrase Phrase) From(value float64) Phrase {
	phrase.curve.beginning(value)
	return phrase
}

// Within sets the largest error of the lines against the curve; default: 0.004.
func (phrase Phrase) Within(limit float64) Phrase {
	phrase.limit = limit
	return phrase
}

// At sends it: it starts at this instant.
func (phrase Phrase) At(start Instant) Answer {
	if !phrase.curve.begins() {
		phrase.curve.beginning(laneSent(phrase.to))
	}
	return follow(phrase.to, &phrase.curve, start, phrase.limit)
}

// Now sends it: it starts now.
func (phrase Phrase) Now() Answer {
	return phrase.At(Now())
}

// Sends a curve. The first command drops those that wait for its instant or later; a refusal ends it.
func follow(to uint32, of *curve, start Instant, limit float64) Answer {
	lines, merge := linesOf(of, limit), MergeClearAfter
	for {
		point, is := lines.next()
		if !is {
			return AnswerDone
		}
		answer := Move{to, merge, point.Value}.At(start.Add(point.At))
		if answer != AnswerDone {
			return answer
		}
		merge = MergeMerge
	}
}

// The most members of a group.
const membersMax = 32

// A Group is an alias of the description: all its members get the same command in one request, all or none.
type Group struct {
	// For each member three words of a request; only the first is known before it is sent.
	words []uint64
}

// NewGroup is the alias of this name.
func NewGroup(name string) Group {
	length := bodyAliasLength(name)
	found(0 < length && length <= membersMax, "alias of 1 to 32 actuators", name)
	words := make([]uint64, 3*min(length, membersMax))
	for place := 0; place < len(words); place += 3 {
		words[place] = uint64(bodyAliasMember(name, uint32(place/3)))
	}
	return Group{words}
}

// Len is the number of its members; 0 if this body has no such alias.
func (of Group) Len() int {
	return len(of.words) / 3
}

// To is a command to all members; At, Over or Now sends it.
func (of Group) To(value float64) GroupMove {
	return GroupMove{of, value}
}

// A GroupMove is a command to a group that is being built.
type GroupMove struct {
	to    Group
	value float64
}

// At sends it: all reach the value at this instant.
func (move GroupMove) At(at Instant) Answer {
	words := move.to.words
	if len(words) == 0 {
		return AnswerUnknown
	}
	for place := 0; place+2 < len(words); place += 3 {
		words[place+1], words[place+2] = math.Float64bits(move.value), uint64(at)
	}
	return bulkSetAll(unsafe.Pointer(&words[0]), uint32(len(words)))
}

// Over sends it: all reach the value after this span.
func (move GroupMove) Over(span Span) Answer {
	return move.At(Now().Add(span))
}

// Now sends it for now.
func (move GroupMove) Now() Answer {
	return move.At(Now())
}
