;; A motion of the first published contract: every function of every interface, each in its place.
;; Never edited: see README.md.
(module
  ;; body
  (import "dcm:choreography/body@0.1.0" "find-actuator"
    (func $body.find-actuator (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "find-sensor"
    (func $body.find-sensor (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-length"
    (func $body.alias-length (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-member"
    (func $body.alias-member (param i32 i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "lowest"
    (func $body.lowest (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "highest"
    (func $body.highest (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "velocity"
    (func $body.velocity (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "acceleration"
    (func $body.acceleration (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "rest"
    (func $body.rest (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "period"
    (func $body.period (result i64)))

  ;; commands
  (import "dcm:choreography/commands@0.1.0" "set"
    (func $commands.set (param i32 f64 i64) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "put"
    (func $commands.put (param i32 f64 i64 i32) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "clear"
    (func $commands.clear (param i32) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "waiting"
    (func $commands.waiting (param i32) (result i32)))

  ;; bulk
  (import "dcm:choreography/bulk@0.1.0" "set-all"
    (func $bulk.set-all (param i32 i32) (result i32)))

  ;; lane
  (import "dcm:choreography/lane@0.1.0" "set-priority"
    (func $lane.set-priority (param f64) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "set-weight"
    (func $lane.set-weight (param f64) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "set-weight-on"
    (func $lane.set-weight-on (param i32 f64) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "drive"
    (func $lane.drive (param i32 f64 f64) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "set-gains"
    (func $lane.set-gains (param i32 f64 f64 f64 f64) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "sent"
    (func $lane.sent (param i32) (result f64)))
  (import "dcm:choreography/lane@0.1.0" "body-state"
    (func $lane.body-state (result i32)))
  (import "dcm:choreography/lane@0.1.0" "is-hidden"
    (func $lane.is-hidden (result i32)))
  (import "dcm:choreography/lane@0.1.0" "finish"
    (func $lane.finish (result i32)))

  ;; sensors
  (import "dcm:choreography/sensors@0.1.0" "read"
    (func $sensors.read (param i32) (result f64)))
  (import "dcm:choreography/sensors@0.1.0" "age"
    (func $sensors.age (param i32) (result i64)))
  (import "dcm:choreography/sensors@0.1.0" "acknowledged"
    (func $sensors.acknowledged (param i32) (result f64)))

  ;; clock
  (import "dcm:choreography/clock@0.1.0" "now"
    (func $clock.now (result i64)))
  (import "dcm:choreography/clock@0.1.0" "turn"
    (func $clock.turn (result i64)))
  (import "dcm:choreography/clock@0.1.0" "sleep-until"
    (func $clock.sleep-until (param i64) (result i64)))

  ;; events
  (import "dcm:choreography/events@0.1.0" "topic"
    (func $events.topic (param i32 i32) (result i32)))
  (import "dcm:choreography/events@0.1.0" "post"
    (func $events.post (param i32 f64) (result i32)))
  (import "dcm:choreography/events@0.1.0" "next"
    (func $events.next (result i32)))
  (import "dcm:choreography/events@0.1.0" "current-topic"
    (func $events.current-topic (result i32)))
  (import "dcm:choreography/events@0.1.0" "current-value"
    (func $events.current-value (result f64)))

  ;; params
  (import "dcm:choreography/params@0.1.0" "declare"
    (func $params.declare (param i32 i32 f64 f64 f64) (result i32)))
  (import "dcm:choreography/params@0.1.0" "get"
    (func $params.get (param i32) (result f64)))

  ;; state
  (import "dcm:choreography/state@0.1.0" "keep"
    (func $state.keep (param i32 f64) (result i32)))
  (import "dcm:choreography/state@0.1.0" "kept"
    (func $state.kept (param i32) (result f64)))

  ;; log
  (import "dcm:choreography/log@0.1.0" "write"
    (func $log.write (param i32 i32 i32) (result i32)))

  ;; Addresses and lengths of texts.
  (memory (export "memory") 1)
  (data (i32.const 0) "J1")            ;; 0, 2
  (data (i32.const 16) "S1")           ;; 16, 2
  (data (i32.const 32) "Both")         ;; 32, 4
  (data (i32.const 48) "drum")         ;; 48, 4
  (data (i32.const 64) "height")       ;; 64, 6
  (data (i32.const 80) "here I am")    ;; 80, 9

  ;; Counts what is as the contract says, and remembers the first that is not.
  (global $checks (mut i32) (i32.const 0))
  (global $sound (mut i32) (i32.const 0))
  (global $wrong (mut i32) (i32.const 0))
  (func $check (param $is i32)
    (global.set $checks (i32.add (global.get $checks) (i32.const 1)))
    (if (local.get $is)
      (then (global.set $sound (i32.add (global.get $sound) (i32.const 1))))
      (else (if (i32.eqz (global.get $wrong)) (then (global.set $wrong (global.get $checks)))))))
  ;; Whether an answer is `done`.
  (func $done (param $answer i32) (call $check (i32.eqz (local.get $answer))))
  ;; Shows at the third joint how many checks went well; less than nothing is the first that did not.
  (func $result (result f64)
    (if (result f64) (global.get $wrong)
      (then (f64.neg (f64.convert_i32_u (global.get $wrong))))
      (else (f64.convert_i32_u (global.get $sound)))))

  (global $joint (mut i32) (i32.const 0))
  (global $sensor (mut i32) (i32.const 0))
  (global $topic (mut i32) (i32.const 0))
  (global $param (mut i32) (i32.const 0))
  (global $turns (mut i32) (i32.const 0))
  (global $heard (mut f64) (f64.const 0))

  (func (export "start")
    (global.set $joint (call $body.find-actuator (i32.const 0) (i32.const 2)))
    (call $check (i32.eq (global.get $joint) (i32.const 1)))
    (global.set $sensor (call $body.find-sensor (i32.const 16) (i32.const 2)))
    (call $check (i32.eq (global.get $sensor) (i32.const 1)))
    (call $check (i32.eq (call $body.alias-length (i32.const 32) (i32.const 4)) (i32.const 2)))
    (call $check (i32.eq (call $body.alias-member (i32.const 32) (i32.const 4) (i32.const 1)) (i32.const 1)))
    (call $check (f64.eq (call $body.lowest (global.get $joint)) (f64.const -1000)))
    (call $check (f64.eq (call $body.highest (global.get $joint)) (f64.const 1000)))
    (call $check (f64.gt (call $body.velocity (global.get $joint)) (f64.const 0)))
    (call $check (f64.gt (call $body.acceleration (global.get $joint)) (f64.const 0)))
    (call $check (f64.eq (call $body.rest (global.get $joint)) (f64.const 0)))
    (call $check (i64.eq (call $body.period) (i64.const 1000000)))
    (global.set $topic (call $events.topic (i32.const 48) (i32.const 4)))
    (call $check (i32.ne (global.get $topic) (i32.const -1)))
    (global.set $param (call $params.declare (i32.const 64) (i32.const 6)
      (f64.const 0) (f64.const 4) (f64.const 8)))
    (call $check (i32.eqz (global.get $param)))
    (call $done (call $log.write (i32.const 1) (i32.const 80) (i32.const 9))))

  (func $once
    ;; Everything else, once.
    (call $check (f64.eq (call $params.get (global.get $param)) (f64.const 4)))
    (call $check (f64.ne (call $state.kept (i32.const 5)) (call $state.kept (i32.const 5))))
    (call $done (call $state.keep (i32.const 5) (f64.const 2.5)))
    (call $check (f64.eq (call $state.kept (i32.const 5)) (f64.const 2.5)))
    (call $check (f64.eq (call $sensors.read (global.get $sensor)) (f64.const 0.5)))
    (call $check (i64.lt_u (call $sensors.age (global.get $sensor)) (i64.const 1000000000)))
    (drop (call $sensors.acknowledged (global.get $joint)))
    (call $check (i32.eq (call $lane.body-state) (i32.const 3)))
    (call $check (i32.eqz (call $lane.is-hidden)))
    (call $check (f64.eq (call $lane.sent (global.get $joint)) (f64.const 0)))
    (call $done (call $lane.set-priority (f64.const 10)))
    (call $done (call $lane.set-weight (f64.const 1)))
    (call $done (call $lane.set-weight-on (global.get $joint) (f64.const 1)))
    ;; No joint of this body has gains: `wrong-kind`.
    (call $check (i32.eq (call $lane.set-gains (global.get $joint)
      (f64.const 1) (f64.const 0) (f64.const 0) (f64.const 1)) (i32.const 8)))
    (call $done (call $commands.set (global.get $joint) (f64.const 900)
      (i64.add (call $clock.now) (i64.const 900000000))))
    (call $done (call $commands.clear (global.get $joint)))
    (call $check (i32.eqz (call $commands.waiting (i32.const 0))))
    (call $done (call $events.post (global.get $topic) (f64.const 6)))
    ;; A hook cannot sleep: it is answered at once.
    (call $check (i64.eq (call $clock.sleep-until (i64.const -1)) (call $clock.now))))

  (func (export "pre-process")
    (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
    (if (i32.eq (global.get $turns) (i32.const 1)) (then (call $once)))
    ;; What was said in the turn before.
    (loop $all
      (if (call $events.next) (then
        (call $check (i32.eq (call $events.current-topic) (global.get $topic)))
        (global.set $heard (call $events.current-value))
        (br $all))))
    ;; J0: the turn, by one command.
    (drop (call $commands.set (i32.const 0)
      (f64.convert_i64_u (call $clock.turn)) (call $clock.now)))
    ;; J1: four times what was heard, by a command that clears what waits.
    (drop (call $commands.put (global.get $joint)
      (f64.mul (call $params.get (global.get $param)) (global.get $heard)) (call $clock.now) (i32.const 1)))
    ;; J2: how many checks went well, by a list.
    (i64.store (i32.const 256) (i64.const 2))
    (f64.store (i32.const 264) (call $result))
    (i64.store (i32.const 272) (call $clock.now))
    (drop (call $bulk.set-all (i32.const 256) (i32.const 3)))
    ;; J3: driven past its timeline, in each turn anew.
    (drop (call $lane.drive (i32.const 3) (f64.const 33) (f64.const 1)))
    ;; After fifty turns it has done what it came for.
    (if (i32.eq (global.get $turns) (i32.const 50)) (then (drop (call $lane.finish)))))

  (func (export "post-process")
    ;; Of this very turn.
    (if (i32.eq (global.get $turns) (i32.const 1)) (then
      (call $check (f64.eq (call $sensors.read (global.get $sensor)) (f64.const 0.5))))))

  (func (export "is-alive") (result i32) (i32.const 1))

  (func (export "stop") (drop (call $log.write (i32.const 2) (i32.const 48) (i32.const 4)))))
