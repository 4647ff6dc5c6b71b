//go:build wasm

// Package choreography is the SDK for choreographies of dcm-run in Go: import dcm "choreography/sdk".
//
// Names are looked up when the program's variables are set, and hooks are exported functions:
//
//	var HeadYaw = dcm.NewJoint("HeadYaw")
//
//	//go:wasmexport start
//	func start() {
//		HeadYaw.To(dcm.Deg(30)).Over(300 * time.Millisecond)
//	}
//
//	func main() {} // never called
//
// The law: nothing here allocates, but for what looks up a name. What is not in this layer is in contract.go.
package choreography

import "math"

// The number of what this body does not have.
const none uint32 = math.MaxUint32

// Deg is an angle in degrees, as radians.
func Deg(degrees float64) float64 {
	return degrees * (math.Pi / 180)
}

// found logs a name that this body does not have.
func found(is bool, kind, name string) {
	if !is {
		Warn("there is no ", kind, " `", name, "` here: it goes on without")
	}
}

// A Sensor of the body. The zero value is one that the body does not have.
type Sensor struct{ handle }

// NewSensor is the sensor of this name.
func NewSensor(name string) Sensor {
	number := bodyFindSensor(name)
	found(number != none, "sensor", name)
	return Sensor{handleOf(number)}
}

// Read is its value: in pre-process that of the previous turn, in post-process that of this turn. NaN if this body
// does not have it.
func (of Sensor) Read() float64 {
	return sensorsRead(of.number())
}

// IsOn tells whether its value is above 0.5: a pressed button, a touched head.
func (of Sensor) IsOn() bool {
	return of.Read() > 0.5
}

// Age is the time since its board last answered; zero in this turn.
func (of Sensor) Age() Span {
	return spanOf(sensorsAge(of.number()))
}

// A Param is a live parameter: a figure that a person changes while the choreography plays.
type Param struct {
	handle
	usual float64
}

// NewParam declares a parameter. The name has at most 64 bytes; the figures must increase.
func NewParam(name string, lowest, usual, highest float64) Param {
	number := paramsDeclare(name, lowest, usual, highest)
	found(number != none, "room for the parameter", name)
	return Param{handleOf(number), usual}
}

// Get is its value, always within its range. It changes between turns only.
func (of Param) Get() float64 {
	value := paramsGet(of.number())
	if value != value {
		return of.usual
	}
	return value
}

// A Topic of events. All guests that use the same name share it.
type Topic struct{ handle }

// NewTopic is the topic of this name.
func NewTopic(name string) Topic {
	number := eventsTopic(name)
	found(number != none, "room for the topic", name)
	return Topic{handleOf(number)}
}

// Post posts an event. Guests receive it from the next turn on.
func (to Topic) Post(value float64) Answer {
	return eventsPost(to.number(), value)
}

// An Event that was posted.
type Event struct {
	topic uint32
	Value float64
}

// Is tells whether it was posted under this topic.
func (event Event) Is(topic Topic) bool {
	return event.topic == topic.number()
}

// Events are those that this guest has not received: for event := range dcm.Events.
func Events(yield func(Event) bool) {
	for eventsNext() && yield(Event{eventsCurrentTopic(), eventsCurrentValue()}) {
	}
}

// Keep keeps a figure at a place for the version that takes over.
func Keep(place uint8, value float64) Answer {
	return stateKeep(uint32(place), value)
}

// Kept is the figure that the previous version has kept, if there is one: from the first turn on, not yet in start.
func Kept(place uint8) (value float64, is bool) {
	value = stateKept(uint32(place))
	return value, value == value
}

// Priorities; any finite number between them is one too.
const (
	Silent     = -1.0
	Background = 0.0
	Low        = 5.0
	Standard   = 10.0
	High       = 50.0
	Emergency  = 100.0
)

// SetPriority sets this guest's priority, at most what its grant allows.
func SetPriority(priority float64) Answer {
	return laneSetPriority(priority)
}

// SetWeight sets this guest's weight among guests of the same priority, 0 to 1,000.
func SetWeight(weight float64) Answer {
	return laneSetWeight(weight)
}

// BodyState is what the whole body is doing.
func BodyState() State {
	return laneBodyState()
}

// IsHidden tells whether a guest of higher priority hides this one on any actuator.
func IsHidden() bool {
	return laneIsHidden()
}

// Finish ends the guest: its lane fades out, stop is called, and it is gone.
func Finish() Answer {
	return laneFinish()
}

// IsDone tells whether the request was accepted. Any other answer has changed nothing.
func (answer Answer) IsDone() bool {
	return answer == AnswerDone
}

// A handle is a number of the body's, plus one, so that the zero value is none.
type handle struct{ after uint32 }

func handleOf(number uint32) handle {
	return handle{number + 1}
}

func (it handle) number() uint32 {
	return it.after - 1
}

// IsPresent tells whether this body has it.
func (it handle) IsPresent() bool {
	return it.after != 0
}
