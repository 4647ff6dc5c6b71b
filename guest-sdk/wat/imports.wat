;; Generated from wit/ by guest-sdk/bindings; do not edit.
;; Copy the imports that you use to the top of your module. An enum is an i32: the number of its case.
;; A text is the address and the length of its UTF-8 in the memory that you export as "memory".

;; dcm:choreography/types@0.1.0
;; Types that all interfaces share. Only scalars go into a guest, so that a guest needs no allocator, and every
;; compiler can make one.

;; actuator: i32
;; The number of an actuator of this body. `body` finds it by name. It does not change while the guest runs.

;; sensor: i32
;; The number of a sensor of this body.

;; instant: i64
;; Nanoseconds of the robot's clock, which is 0 when the robot starts and never jumps.

;; span: i64
;; Nanoseconds.

;; answer: i32
;; The answer to a request. A request with another answer than `done` has changed nothing.
;;    0 done: The request was carried out.
;;    1 unknown: There is no such actuator, sensor, parameter or alias.
;;    2 forbidden: The guest's grant or mask forbids it.
;;    3 full: There is no room for so many commands, events or lines.
;;    4 not-finite: The value is infinite, or not a number where one is needed.
;;    5 out-of-reach: The instant is more than 24.8 days from now.
;;    6 inside-a-turn: This may not be called inside a turn.
;;    7 taken: Another lane holds the exclusive group.
;;    8 wrong-kind: It is not possible with an actuator of this kind.
;;    9 too-much: This call of a hook has reached a limit.
;;   10 ending: The guest is ending, and no longer moves anything.

;; state: i32
;; The state of the whole body.
;;    0 boot: Only sensors are read, until all positions are known.
;;    1 disarmed: Limp: targets follow the sensors.
;;    2 armed: Powered: the gains fade in.
;;    3 running: Lanes move the body.
;;    4 holding: The body slows down, and holds its position.
;;    5 safe: The body moves to its safe pose, then goes limp.
;;    6 fault: A fault has stopped the body.
;;    7 estop: The emergency stop is pressed.

;; dcm:choreography/body@0.1.0
;; The actuators, sensors and limits of the body. Look names up here once, outside the turn, and keep the
;; numbers.

;; Returns the number of the actuator with this name: its short name (`HeadYaw`), its long name
;; (`HeadYaw/Position/Actuator/Value`), also with the NAO's prefix, or another name from the description.
;; Returns 4294967295 if there is no such actuator, or if the name has more than 255 bytes.
;; Inside a turn: no; it returns 4294967295.
(import "dcm:choreography/body@0.1.0" "find-actuator"
  (func $body.find-actuator (param $name i32) (param $name-length i32) (result i32))) ;; actuator

;; Returns the number of the sensor with this name, as `find-actuator` does for actuators.
;; Inside a turn: no; it returns 4294967295.
(import "dcm:choreography/body@0.1.0" "find-sensor"
  (func $body.find-sensor (param $name i32) (param $name-length i32) (result i32))) ;; sensor

;; Returns the number of actuators of an alias in the description, or 0 if there is no such alias.
;; Inside a turn: no; it returns 0.
(import "dcm:choreography/body@0.1.0" "alias-length"
  (func $body.alias-length (param $name i32) (param $name-length i32) (result i32)))

;; Returns the actuator at this place of an alias, counted from 0, or 4294967295 if there is none.
;; Inside a turn: no; it returns 4294967295.
(import "dcm:choreography/body@0.1.0" "alias-member"
  (func $body.alias-member (param $name i32) (param $name-length i32) (param $place i32) (result i32))) ;; actuator

;; Returns the lowest value of the actuator's range, in its unit (rad, m, rad/s, or 0 to 1), or NaN if there
;; is no such actuator. Inside a turn: yes. Both sentences hold for all functions below.
(import "dcm:choreography/body@0.1.0" "lowest"
  (func $body.lowest (param $of i32) (result f64)))

;; Returns the highest value of its range.
(import "dcm:choreography/body@0.1.0" "highest"
  (func $body.highest (param $of i32) (result f64)))

;; Returns its maximum velocity, in units per second; infinity if it has no limit.
(import "dcm:choreography/body@0.1.0" "velocity"
  (func $body.velocity (param $of i32) (result f64)))

;; Returns its maximum acceleration, in units per second squared; infinity if it has no limit.
(import "dcm:choreography/body@0.1.0" "acceleration"
  (func $body.acceleration (param $of i32) (result f64)))

;; Returns its rest value.
(import "dcm:choreography/body@0.1.0" "rest"
  (func $body.rest (param $of i32) (result f64)))

;; Returns the period of the loop: the time from one turn to the next, ns.
(import "dcm:choreography/body@0.1.0" "period"
  (func $body.period (result i64))) ;; span

;; dcm:choreography/commands@0.1.0
;; Timed commands: this actuator, this value, at this instant. The runtime interpolates.
;; The robot's description says how many waiting commands a lane has room for (default: 4,096). There is room
;; for at most 4,096 on each actuator.

;; merge: i32
;; What happens to commands of this guest that are already waiting for the actuator.
;;    0 merge: They are kept.
;;    1 clear-all: They are dropped.
;;    2 clear-after: Those after the first new one are dropped.
;;    3 clear-before: Those before the last new one are dropped.

;; Sends one command, and keeps those that are waiting. `value` is in the actuator's unit. NaN does nothing.
;; A value outside the range is clipped to it, and counted. An instant in the past means now. A command of
;; `pre-process` for now or earlier reaches the board in the same turn.
;; Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`.
(import "dcm:choreography/commands@0.1.0" "set"
  (func $commands.set (param $to i32) (param $value f64) (param $at i64) (result i32))) ;; answer

;; Sends one command like `set`; `merge` says what happens to those that are waiting. Inside a turn: yes.
(import "dcm:choreography/commands@0.1.0" "put"
  (func $commands.put (param $to i32) (param $value f64) (param $at i64) (param $merge i32) (result i32))) ;; answer

;; Drops all commands of this guest that are waiting for the actuator: it stops where it is. Inside a turn: yes.
(import "dcm:choreography/commands@0.1.0" "clear"
  (func $commands.clear (param $of i32) (result i32))) ;; answer

;; Returns how many commands of this guest were waiting for the actuator when this call of a hook began,
;; without those that it has cleared since. For a score it returns 0. Inside a turn: yes.
(import "dcm:choreography/commands@0.1.0" "waiting"
  (func $commands.waiting (param $on i32) (result i32)))

;; dcm:choreography/bulk@0.1.0
;; Many commands in one call, for languages in which a call is expensive.

;; Sends many commands: all are accepted, or none. Each command is three words: the actuator, the bits of
;; its value as f64, the instant. Each is merged as by `commands.set`. A list whose length is no multiple of
;; three is answered with `unknown`.
;; Inside a turn: yes; more than 4,096 commands are answered with `too-much`, and a list of more than 65,536
;; bytes ends the guest. A score may send as many commands as its lane has room for.
(import "dcm:choreography/bulk@0.1.0" "set-all"
  (func $bulk.set-all (param $words i32) (param $words-length i32) (result i32))) ;; answer

;; dcm:choreography/lane@0.1.0
;; The guest's own lane: its priority and weight among all lanes, and what it drives directly.

;; Sets the lane's priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency. Below 0 the lane has no
;; effect, and of the guest's hooks only `is-alive` is called. A priority above that of the guest's grant is
;; answered with `forbidden`. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "set-priority"
  (func $lane.set-priority (param $priority f64) (result i32))) ;; answer

;; Sets the lane's weight among lanes of the same priority: up to 1 it is the share that it covers, above that it
;; has more votes than others. It lies between 0 and 1,000; another is answered with `not-finite`. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "set-weight"
  (func $lane.set-weight (param $weight f64) (result i32))) ;; answer

;; Sets the lane's weight for one actuator. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "set-weight-on"
  (func $lane.set-weight-on (param $of i32) (param $weight f64) (result i32))) ;; answer

;; Drives the actuator to this value in this turn only, in place of its timeline.
;; Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`. Outside a turn, it
;; applies to the next turn.
(import "dcm:choreography/lane@0.1.0" "drive"
  (func $lane.drive (param $to i32) (param $value f64) (param $weight f64) (result i32))) ;; answer

;; Requests these gains in this turn, weighted by `weight`. If all are zero, the joint is limp. It counts as two
;; commands. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "set-gains"
  (func $lane.set-gains
    (param $of i32) (param $p f64) (param $i f64) (param $d f64) (param $weight f64)
    (result i32))) ;; answer

;; Returns the value that was last sent to the actuator, whichever lanes it came from; NaN if there is no such
;; actuator. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "sent"
  (func $lane.sent (param $to i32) (result f64)))

;; Returns the state of the whole body. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "body-state"
  (func $lane.body-state (result i32))) ;; state

;; Returns whether a lane of higher priority hides this one on any actuator. Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "is-hidden"
  (func $lane.is-hidden (result i32))) ;; 0 or 1

;; Ends this guest: its lane fades out, `stop` is called, and the guest is unloaded.
;; Inside a turn: yes.
(import "dcm:choreography/lane@0.1.0" "finish"
  (func $lane.finish (result i32))) ;; answer

;; dcm:choreography/sensors@0.1.0
;; The sensors, as they were last read: in `pre-process` the values of the previous turn, in `post-process`
;; those of this turn.

;; Returns the sensor's value in its unit; NaN if there is no such sensor. Inside a turn: yes.
(import "dcm:choreography/sensors@0.1.0" "read"
  (func $sensors.read (param $of i32) (result f64)))

;; Returns how long ago the sensor's board last answered, ns; 0 if it was in this turn, and
;; 18446744073709551615 if there is no such sensor. Inside a turn: yes.
(import "dcm:choreography/sensors@0.1.0" "age"
  (func $sensors.age (param $of i32) (result i64))) ;; span

;; Returns the value that the actuator's board has acknowledged; NaN if there is no such actuator.
;; Inside a turn: yes.
(import "dcm:choreography/sensors@0.1.0" "acknowledged"
  (func $sensors.acknowledged (param $by i32) (result f64)))

;; dcm:choreography/clock@0.1.0
;; The robot's time.

;; Returns the instant of this turn, or outside a turn that of the last turn. It does not change within a turn.
;; A guest has a time of its own, which stands still while the body does not follow the guest: while the body
;; is held, stopped, limp or in a fault, while the guest is paused, and until the body has returned to where
;; it left the guest's motion. Then both continue from there. Instants of commands are in the same time.
;; Inside a turn: yes.
(import "dcm:choreography/clock@0.1.0" "now"
  (func $clock.now (result i64))) ;; instant

;; Returns the number of this turn, counted from 1. Inside a turn: yes.
(import "dcm:choreography/clock@0.1.0" "turn"
  (func $clock.turn (result i64)))

;; Sleeps until this instant, in a `score` only. Returns the instant at which it woke up.
;; Inside a turn: no; it returns at once.
(import "dcm:choreography/clock@0.1.0" "sleep-until"
  (func $clock.sleep-until (param $at i64) (result i64))) ;; instant

;; dcm:choreography/events@0.1.0
;; Small messages between guests, and to listeners outside. An event is a topic and a value. The robot posts some itself,
;; of the guest whose name follows:
;; - `started/NAME`: its lane is open; 0.
;; - `arrived/NAME`: the last command that waited for its joints is executed, and the values sent have stopped changing;
;;   or values that it sets in every turn have stayed the same for 100 ms; 0. Not if somebody has stopped it, nor while
;;   it is paused. A show without code, which has an end, arrives there alone.
;; - `settled/NAME`, after `arrived`: the sensors of the joints that it moved have shown for 100 ms what was sent, within
;;   0.035 rad or 2 % of the range, whichever is less; s since `arrived`. Joints that others move by now do not count;
;;   if none is left, it has settled. A joint without force does not settle.
;; - `unsettled/NAME`, instead of that: they do not after 2 s; the largest distance.
;; - `ended/NAME`: it has ended, and its lane is gone; 0 if it ended itself, 1 if somebody has stopped it, 2 if it has
;;   failed. Also if that was before it started. It may settle afterwards. Another version that takes over, of the same
;;   name, is no end and no start; a guest of another name that is swapped in is both: 1, and its own `started`.
;; And of the emergency stop: `estop/pressed`, 0; `estop/released`, s since it was pressed.
;; Guests do not post to these topics: the answer is `forbidden`.

;; Subscribes this guest to a topic, and returns the topic's number, which is the same for all guests. Returns
;; 4294967295 if 1,024 topics have subscribers already, if this guest has subscribed to 64, or if the name has
;; more than 255 bytes. Inside a turn: no; it returns 4294967295.
(import "dcm:choreography/events@0.1.0" "topic"
  (func $events.topic (param $name i32) (param $name-length i32) (result i32)))

;; Posts an event. Guests receive it from the next turn on. A guest with more than 4,096 events that it has not
;; read misses the oldest ones; its report counts them. Inside a turn: yes; after 64 events in one call of a
;; hook the answer is `too-much`.
(import "dcm:choreography/events@0.1.0" "post"
  (func $events.post (param $topic i32) (param $value f64) (result i32))) ;; answer

;; Goes to the next event that this guest has not read, of a topic that it has subscribed to. Returns whether
;; there is one. Inside a turn: yes.
(import "dcm:choreography/events@0.1.0" "next"
  (func $events.next (result i32))) ;; 0 or 1

;; Returns the topic of the event that `next` went to; 4294967295 before the first. Inside a turn: yes.
(import "dcm:choreography/events@0.1.0" "current-topic"
  (func $events.current-topic (result i32)))

;; Returns the value of that event; NaN before the first. Inside a turn: yes.
(import "dcm:choreography/events@0.1.0" "current-value"
  (func $events.current-value (result f64)))

;; dcm:choreography/params@0.1.0
;; Live parameters: numbers that a person can change while the guest runs.

;; Declares a parameter, and returns its number. Returns 4294967295 if this guest has declared 64 already, if
;; the name is empty, has more than 64 bytes or is declared already, or unless
;; `lowest` ≤ `usual` ≤ `highest` and all are finite. Call it in `start`, so that the parameter can be set
;; before the first turn. Inside a turn: no; it returns 4294967295.
(import "dcm:choreography/params@0.1.0" "declare"
  (func $params.declare
    (param $name i32) (param $name-length i32) (param $lowest f64) (param $usual f64) (param $highest f64)
    (result i32)))

;; Returns the parameter's value, which always lies within its range; NaN if there is no such parameter. It
;; changes between turns only. One that is named `at` is a place to go to: set again to the value that it has, it
;; changes by the least that a number can. Inside a turn: yes.
(import "dcm:choreography/params@0.1.0" "get"
  (func $params.get (param $param i32) (result f64)))

;; dcm:choreography/state@0.1.0
;; Numbers that outlive a version of a guest: when another version takes over, it finds the numbers that this
;; one has stored.

;; Stores a number at this place, 0 to 255; any other place is answered with `unknown`. Inside a turn: yes.
(import "dcm:choreography/state@0.1.0" "keep"
  (func $state.keep (param $place i32) (param $value f64) (result i32))) ;; answer

;; Returns the number that is stored at this place; NaN if there is none. A version that takes over finds the
;; numbers in its first turn, not yet in `start`. Inside a turn: yes.
(import "dcm:choreography/state@0.1.0" "kept"
  (func $state.kept (param $place i32) (result f64)))

;; dcm:choreography/log@0.1.0
;; Log lines for people.

;; level: i32
;; The log level of a line.
;;    0 debug: Details.
;;    1 info: The usual course of things.
;;    2 warning: Something is wrong.

;; Writes a line; the text is cut after 256 bytes. Inside a turn: yes; after 4 lines in one call of a hook the
;; answer is `too-much`. The answer is `full` while 64 lines wait to be written. Lines that are refused are
;; counted, and the log tells how many before the next line. A text of more than 65,536 bytes ends the guest.
(import "dcm:choreography/log@0.1.0" "write"
  (func $log.write (param $level i32) (param $text i32) (param $text-length i32) (result i32))) ;; answer

;; dcm:choreography/requests@0.1.0
;; How far what a guest has sent is: requests of many commands, which can be followed and cancelled as one.

;; outcome: i32
;; What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them.
;;    0 waiting: Some of its commands still wait.
;;    1 arrived: All of its commands were executed.
;;    2 clipped: All were executed, and some of them clipped to the range of their actuator.
;;    3 missed: Some were executed while the body did not follow them: it did not run, or the joint was limp.
;;    4 cleared: Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
;;    5 cancelled: Some were deleted by `cancel`.
;;    6 dropped: Some were dropped because their joint was made limp.
;;    7 unknown: This number is none of the last 16 that were begun, or the robot follows too many others.

;; Begins a request: commands that this guest sends from now on belong to it, until it begins another one. Returns
;; its number, which counts up from 1; 0 for a score, and after four in one call of a hook. Inside a turn: yes.
(import "dcm:choreography/requests@0.1.0" "begin"
  (func $requests.begin (result i32)))

;; Returns how many commands of a request were waiting when this call of a hook began. Inside a turn: yes.
(import "dcm:choreography/requests@0.1.0" "left"
  (func $requests.left (param $request i32) (result i32)))

;; Returns what had become of a request when this call of a hook began. Inside a turn: yes.
(import "dcm:choreography/requests@0.1.0" "outcome-of"
  (func $requests.outcome-of (param $request i32) (result i32))) ;; outcome

;; Drops the commands of a request that wait; those of others stay. Its actuators stop. Inside a turn: yes.
(import "dcm:choreography/requests@0.1.0" "cancel"
  (func $requests.cancel (param $request i32) (result i32))) ;; answer

;; What a motion exports: those hooks that it has.

;; Called once before the first turn, outside the loop. A guest looks up names, declares parameters and
;; allocates memory here: memory does not grow inside a turn. Commands from here are submitted when the guest's
;; lane opens.
;; (func (export "start") ...)

;; Called in every turn, before the lanes are sampled.
;; (func (export "pre-process") ...)

;; Called in every turn, after the boards have answered.
;; (func (export "post-process") ...)

;; Called in every turn; `false` ends the guest, as `finish` does.
;; (func (export "is-alive") (result i32) ...)

;; Called once when the guest ends, outside the loop.
;; (func (export "stop") ...)

;; What a score exports.

;; Runs once; the guest ends when it returns.
;; (func (export "run") ...)
