// Code generated from wit/ by guest-sdk/bindings; DO NOT EDIT.

//go:build wasm

package choreography

import "unsafe"

// The answer to a request. A request with another answer than `done` has changed nothing.
type Answer uint32

const (
	// The request was carried out.
	AnswerDone Answer = 0
	// There is no such actuator, sensor, parameter or alias.
	AnswerUnknown Answer = 1
	// The guest's grant or mask forbids it.
	AnswerForbidden Answer = 2
	// There is no room for so many commands, events or lines.
	AnswerFull Answer = 3
	// The value is infinite, or not a number where one is needed.
	AnswerNotFinite Answer = 4
	// The instant is more than 24.8 days from now.
	AnswerOutOfReach Answer = 5
	// This may not be called inside a turn.
	AnswerInsideATurn Answer = 6
	// Another lane holds the exclusive group.
	AnswerTaken Answer = 7
	// It is not possible with an actuator of this kind.
	AnswerWrongKind Answer = 8
	// This call of a hook has reached a limit.
	AnswerTooMuch Answer = 9
	// The guest is ending, and no longer moves anything.
	AnswerEnding Answer = 10
)

// The state of the whole body.
type State uint32

const (
	// Only sensors are read, until all positions are known.
	StateBoot State = 0
	// Limp: targets follow the sensors.
	StateDisarmed State = 1
	// Powered: the gains fade in.
	StateArmed State = 2
	// Lanes move the body.
	StateRunning State = 3
	// The body slows down, and holds its position.
	StateHolding State = 4
	// The body moves to its safe pose, then goes limp.
	StateSafe State = 5
	// A fault has stopped the body.
	StateFault State = 6
	// The emergency stop is pressed.
	StateEstop State = 7
)

// Returns the number of the actuator with this name: its short name (`HeadYaw`), its long name
// (`HeadYaw/Position/Actuator/Value`), also with the NAO's prefix, or another name from the description.
// Returns 4294967295 if there is no such actuator, or if the name has more than 255 bytes.
// Inside a turn: no; it returns 4294967295.
//
//go:wasmimport dcm:choreography/body@0.1.0 find-actuator
func bodyFindActuator(name string) uint32

// Returns the number of the sensor with this name, as `find-actuator` does for actuators.
// Inside a turn: no; it returns 4294967295.
//
//go:wasmimport dcm:choreography/body@0.1.0 find-sensor
func bodyFindSensor(name string) uint32

// Returns the number of actuators of an alias in the description, or 0 if there is no such alias.
// Inside a turn: no; it returns 0.
//
//go:wasmimport dcm:choreography/body@0.1.0 alias-length
func bodyAliasLength(name string) uint32

// Returns the actuator at this place of an alias, counted from 0, or 4294967295 if there is none.
// Inside a turn: no; it returns 4294967295.
//
//go:wasmimport dcm:choreography/body@0.1.0 alias-member
func bodyAliasMember(name string, place uint32) uint32

// Returns the lowest value of the actuator's range, in its unit (rad, m, rad/s, or 0 to 1), or NaN if there
// is no such actuator. Inside a turn: yes. Both sentences hold for all functions below.
//
//go:wasmimport dcm:choreography/body@0.1.0 lowest
func bodyLowest(of uint32) float64

// Returns the highest value of its range.
//
//go:wasmimport dcm:choreography/body@0.1.0 highest
func bodyHighest(of uint32) float64

// Returns its maximum velocity, in units per second; infinity if it has no limit.
//
//go:wasmimport dcm:choreography/body@0.1.0 velocity
func bodyVelocity(of uint32) float64

// Returns its maximum acceleration, in units per second squared; infinity if it has no limit.
//
//go:wasmimport dcm:choreography/body@0.1.0 acceleration
func bodyAcceleration(of uint32) float64

// Returns its rest value.
//
//go:wasmimport dcm:choreography/body@0.1.0 rest
func bodyRest(of uint32) float64

// Returns the period of the loop: the time from one turn to the next, ns.
//
//go:wasmimport dcm:choreography/body@0.1.0 period
func bodyPeriod() uint64

// What happens to commands of this guest that are already waiting for the actuator.
type Merge uint32

const (
	// They are kept.
	MergeMerge Merge = 0
	// They are dropped.
	MergeClearAll Merge = 1
	// Those after the first new one are dropped.
	MergeClearAfter Merge = 2
	// Those before the last new one are dropped.
	MergeClearBefore Merge = 3
)

// Sends one command, and keeps those that are waiting. `value` is in the actuator's unit. NaN does nothing.
// A value outside the range is clipped to it, and counted. An instant in the past means now. A command of
// `pre-process` for now or earlier reaches the board in the same turn.
// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`.
//
//go:wasmimport dcm:choreography/commands@0.1.0 set
func commandsSet(to uint32, value float64, at uint64) Answer

// Sends one command like `set`; `merge` says what happens to those that are waiting. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/commands@0.1.0 put
func commandsPut(to uint32, value float64, at uint64, merge Merge) Answer

// Drops all commands of this guest that are waiting for the actuator: it stops where it is. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/commands@0.1.0 clear
func commandsClear(of uint32) Answer

// Returns how many commands of this guest were waiting for the actuator when this call of a hook began,
// without those that it has cleared since. For a score it returns 0. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/commands@0.1.0 waiting
func commandsWaiting(on uint32) uint32

// Sends many commands: all are accepted, or none. Each command is three words: the actuator, the bits of
// its value as f64, the instant. Each is merged as by `commands.set`. A list whose length is no multiple of
// three is answered with `unknown`.
// Inside a turn: yes; more than 4,096 commands are answered with `too-much`, and a list of more than 65,536
// bytes ends the guest. A score may send as many commands as its lane has room for.
//
//go:wasmimport dcm:choreography/bulk@0.1.0 set-all
func bulkSetAll(words unsafe.Pointer, wordsLength uint32) Answer

// Sets the lane's priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency. Below 0 the lane has no
// effect, and of the guest's hooks only `is-alive` is called. A priority above that of the guest's grant is
// answered with `forbidden`. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 set-priority
func laneSetPriority(priority float64) Answer

// Sets the lane's weight among lanes of the same priority: up to 1 it is the share that it covers, above that it
// has more votes than others. It lies between 0 and 1,000; another is answered with `not-finite`. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 set-weight
func laneSetWeight(weight float64) Answer

// Sets the lane's weight for one actuator. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 set-weight-on
func laneSetWeightOn(of uint32, weight float64) Answer

// Drives the actuator to this value in this turn only, in place of its timeline.
// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`. Outside a turn, it
// applies to the next turn.
//
//go:wasmimport dcm:choreography/lane@0.1.0 drive
func laneDrive(to uint32, value float64, weight float64) Answer

// Requests these gains in this turn, weighted by `weight`. If all are zero, the joint is limp. It counts as two
// commands. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 set-gains
func laneSetGains(of uint32, p float64, i float64, d float64, weight float64) Answer

// Returns the value that was last sent to the actuator, whichever lanes it came from; NaN if there is no such
// actuator. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 sent
func laneSent(to uint32) float64

// Returns the state of the whole body. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 body-state
func laneBodyState() State

// Returns whether a lane of higher priority hides this one on any actuator. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 is-hidden
func laneIsHidden() bool

// Ends this guest: its lane fades out, `stop` is called, and the guest is unloaded.
// Inside a turn: yes.
//
//go:wasmimport dcm:choreography/lane@0.1.0 finish
func laneFinish() Answer

// Returns the sensor's value in its unit; NaN if there is no such sensor. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/sensors@0.1.0 read
func sensorsRead(of uint32) float64

// Returns how long ago the sensor's board last answered, ns; 0 if it was in this turn, and
// 18446744073709551615 if there is no such sensor. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/sensors@0.1.0 age
func sensorsAge(of uint32) uint64

// Returns the value that the actuator's board has acknowledged; NaN if there is no such actuator.
// Inside a turn: yes.
//
//go:wasmimport dcm:choreography/sensors@0.1.0 acknowledged
func sensorsAcknowledged(by uint32) float64

// Returns the instant of this turn, or outside a turn that of the last turn. It does not change within a turn.
// A guest has a time of its own, which stands still while the body does not follow the guest: while the body
// is held, stopped, limp or in a fault, while the guest is paused, and until the body has returned to where
// it left the guest's motion. Then both continue from there. Instants of commands are in the same time.
// Inside a turn: yes.
//
//go:wasmimport dcm:choreography/clock@0.1.0 now
func clockNow() uint64

// Returns the number of this turn, counted from 1. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/clock@0.1.0 turn
func clockTurn() uint64

// Sleeps until this instant, in a `score` only. Returns the instant at which it woke up.
// Inside a turn: no; it returns at once.
//
//go:wasmimport dcm:choreography/clock@0.1.0 sleep-until
func clockSleepUntil(at uint64) uint64

// Subscribes this guest to a topic, and returns the topic's number, which is the same for all guests. Returns
// 4294967295 if 1,024 topics have subscribers already, if this guest has subscribed to 64, or if the name has
// more than 255 bytes. Inside a turn: no; it returns 4294967295.
//
//go:wasmimport dcm:choreography/events@0.1.0 topic
func eventsTopic(name string) uint32

// Posts an event. Guests receive it from the next turn on. A guest with more than 4,096 events that it has not
// read misses the oldest ones; its report counts them. Inside a turn: yes; after 64 events in one call of a
// hook the answer is `too-much`.
//
//go:wasmimport dcm:choreography/events@0.1.0 post
func eventsPost(topic uint32, value float64) Answer

// Goes to the next event that this guest has not read, of a topic that it has subscribed to. Returns whether
// there is one. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/events@0.1.0 next
func eventsNext() bool

// Returns the topic of the event that `next` went to; 4294967295 before the first. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/events@0.1.0 current-topic
func eventsCurrentTopic() uint32

// Returns the value of that event; NaN before the first. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/events@0.1.0 current-value
func eventsCurrentValue() float64

// Declares a parameter, and returns its number. Returns 4294967295 if this guest has declared 64 already, if
// the name is empty, has more than 64 bytes or is declared already, or unless
// `lowest` ≤ `usual` ≤ `highest` and all are finite. Call it in `start`, so that the parameter can be set
// before the first turn. Inside a turn: no; it returns 4294967295.
//
//go:wasmimport dcm:choreography/params@0.1.0 declare
func paramsDeclare(name string, lowest float64, usual float64, highest float64) uint32

// Returns the parameter's value, which always lies within its range; NaN if there is no such parameter. It
// changes between turns only. One that is named `at` is a place to go to: set again to the value that it has, it
// changes by the least that a number can. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/params@0.1.0 get
func paramsGet(param uint32) float64

// Stores a number at this place, 0 to 255; any other place is answered with `unknown`. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/state@0.1.0 keep
func stateKeep(place uint32, value float64) Answer

// Returns the number that is stored at this place; NaN if there is none. A version that takes over finds the
// numbers in its first turn, not yet in `start`. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/state@0.1.0 kept
func stateKept(place uint32) float64

// The log level of a line.
type Level uint32

const (
	// Details.
	LevelDebug Level = 0
	// The usual course of things.
	LevelInfo Level = 1
	// Something is wrong.
	LevelWarning Level = 2
)

// Writes a line; the text is cut after 256 bytes. Inside a turn: yes; after 4 lines in one call of a hook the
// answer is `too-much`. The answer is `full` while 64 lines wait to be written. Lines that are refused are
// counted, and the log tells how many before the next line. A text of more than 65,536 bytes ends the guest.
//
//go:wasmimport dcm:choreography/log@0.1.0 write
func logWrite(level Level, text string) Answer

// What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them.
type Outcome uint32

const (
	// Some of its commands still wait.
	OutcomeWaiting Outcome = 0
	// All of its commands were executed.
	OutcomeArrived Outcome = 1
	// All were executed, and some of them clipped to the range of their actuator.
	OutcomeClipped Outcome = 2
	// Some were executed while the body did not follow them: it did not run, or the joint was limp.
	OutcomeMissed Outcome = 3
	// Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
	OutcomeCleared Outcome = 4
	// Some were deleted by `cancel`.
	OutcomeCancelled Outcome = 5
	// Some were dropped because their joint was made limp.
	OutcomeDropped Outcome = 6
	// This number is none of the last 16 that were begun, or the robot follows too many others.
	OutcomeUnknown Outcome = 7
)

// Begins a request: commands that this guest sends from now on belong to it, until it begins another one. Returns
// its number, which counts up from 1; 0 for a score, and after four in one call of a hook. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/requests@0.1.0 begin
func requestsBegin() uint32

// Returns how many commands of a request were waiting when this call of a hook began. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/requests@0.1.0 left
func requestsLeft(request uint32) uint32

// Returns what had become of a request when this call of a hook began. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/requests@0.1.0 outcome-of
func requestsOutcomeOf(request uint32) Outcome

// Drops the commands of a request that wait; those of others stay. Its actuators stop. Inside a turn: yes.
//
//go:wasmimport dcm:choreography/requests@0.1.0 cancel
func requestsCancel(request uint32) Answer
