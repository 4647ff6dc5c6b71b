;; Waves with the right arm, from any position of the arm, and puts it back: as a score, which sends everything, and
;; then sleeps until it is over.
(module
  (import "dcm:choreography/body@0.1.0" "find-actuator"
    (func $body.find-actuator (param $name i32) (param $name-length i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-length"
    (func $body.alias-length (param $name i32) (param $name-length i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-member"
    (func $body.alias-member (param $name i32) (param $name-length i32) (param $place i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "velocity"
    (func $body.velocity (param $of i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "rest"
    (func $body.rest (param $of i32) (result f64)))
  (import "dcm:choreography/commands@0.1.0" "set"
    (func $commands.set (param $to i32) (param $value f64) (param $at i64) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "put"
    (func $commands.put (param $to i32) (param $value f64) (param $at i64) (param $merge i32) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "sent"
    (func $lane.sent (param $to i32) (result f64)))
  (import "dcm:choreography/clock@0.1.0" "now"
    (func $clock.now (result i64)))
  (import "dcm:choreography/clock@0.1.0" "sleep-until"
    (func $clock.sleep-until (param $at i64) (result i64)))
  (import "dcm:choreography/params@0.1.0" "declare"
    (func $params.declare
      (param $name i32) (param $name-length i32) (param $lowest f64) (param $usual f64) (param $highest f64)
      (result i32)))
  (import "dcm:choreography/params@0.1.0" "get"
    (func $params.get (param $param i32) (result f64)))
  (import "dcm:choreography/log@0.1.0" "write"
    (func $log.write (param $level i32) (param $text i32) (param $text-length i32) (result i32)))

  (memory (export "memory") 1)

  ;; The pose of the arm for waving: up, and a little out. A row has 32 bytes: the value, the joint's number, which is
  ;; found at the start, the length of its name, and its name.
  (data (i32.const 0)
    (f64 -1.3)  (i32 -1 14) "RShoulderPitch\00\00"
    (f64 -0.35) (i32 -1 13) "RShoulderRoll\00\00\00"
    (f64 0.35)  (i32 -1 9)  "RElbowYaw\00\00\00\00\00\00\00"
    (f64 0.7)   (i32 -1 10) "RElbowRoll\00\00\00\00\00\00"
    (f64 0)     (i32 -1 9)  "RWristYaw\00\00\00\00\00\00\00"
    (f64 -0.25) (i32 -1 7)  "HeadYaw\00\00\00\00\00\00\00\00\00")
  (global $rows i32 (i32.const 192)) ;; the end of the last row
  (global $forearm i32 (i32.const 96)) ;; the row of RElbowRoll

  (data (i32.const 256) "there is no actuator ") ;; and behind it, room for a name
  (data (i32.const 320) "ChestLedsspeedtimes")
  (data (i32.const 352) "there is no alias ChestLeds")
  ;; From 384 on: the members of ChestLeds, an i32 each.

  (global $speed (mut i32) (i32.const -1))
  (global $times (mut i32) (i32.const -1))
  (global $chest (mut i32) (i32.const 0)) ;; the number of its members

  ;; Finds all names, once; what this body does not have is logged, and it goes on without.
  (func $learn
    (local $row i32) (local $place i32)
    (loop $next
      (i32.store offset=8
        (local.get $row)
        (call $body.find-actuator
          (i32.add (local.get $row) (i32.const 16))
          (i32.load offset=12 (local.get $row))))
      (if (i32.eq (i32.load offset=8 (local.get $row)) (i32.const -1))
        (then
          (memory.copy (i32.const 277) (i32.add (local.get $row) (i32.const 16)) (i32.const 16))
          (call $log.write (i32.const 2) (i32.const 256)
            (i32.add (i32.const 21) (i32.load offset=12 (local.get $row))))
          (drop)))
      (br_if $next
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 32))) (global.get $rows))))
    (global.set $speed
      (call $params.declare (i32.const 329) (i32.const 5) (f64.const 0.5) (f64.const 1) (f64.const 1.5)))
    (global.set $times
      (call $params.declare (i32.const 334) (i32.const 5) (f64.const 1) (f64.const 3) (f64.const 10)))
    (global.set $chest (call $body.alias-length (i32.const 320) (i32.const 9)))
    (if (i32.eqz (global.get $chest))
      (then (drop (call $log.write (i32.const 2) (i32.const 352) (i32.const 27)))))
    (loop $next
      (i32.store offset=384
        (i32.mul (local.get $place) (i32.const 4))
        (call $body.alias-member (i32.const 320) (i32.const 9) (local.get $place)))
      (br_if $next
        (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 1))) (global.get $chest)))))

  (func (export "run")
    (call $learn)
    (call $clock.sleep-until (call $wave))
    (drop))

  ;; Sends a whole wave. Returns when it ends.
  (func $wave (result i64)
    (local $row i32) (local $joint i32) (local $times i32)
    (local $beat i64) (local $now i64) (local $at i64) (local $longest i64) (local $home i64)
    (local.set $beat (call $nanos (f64.div (f64.const 400e6) (call $params.get (global.get $speed)))))

    ;; The arm goes up smoothly, from any position: all joints arrive together, at 0.4 of the speed of the slowest.
    (local.set $longest (i64.mul (i64.const 2) (local.get $beat)))
    (loop $next
      (local.set $joint (i32.load offset=8 (local.get $row)))
      (local.set $at
        (call $nanos
          (f64.mul
            (f64.div
              (f64.abs (f64.sub (f64.load (local.get $row)) (call $lane.sent (local.get $joint))))
              (f64.mul (call $body.velocity (local.get $joint)) (f64.const 0.4)))
            (f64.const 1e9))))
      (if (i64.gt_u (local.get $at) (local.get $longest)) (then (local.set $longest (local.get $at))))
      (br_if $next
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 32))) (global.get $rows))))
    (local.set $now (call $clock.now))
    (local.set $row (i32.const 0))
    (loop $next
      (call $ease
        (i32.load offset=8 (local.get $row)) (i32.const 0)
        (f64.const nan) (f64.load (local.get $row))
        (local.get $now) (local.get $longest))
      (br_if $next
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 32))) (global.get $rows))))
    (local.set $at (i64.add (local.get $now) (local.get $longest)))
    (call $light (f64.const 1) (local.get $at))

    ;; The forearm goes out and in, as often as it waves.
    (local.set $joint (i32.load offset=8 (global.get $forearm)))
    (local.set $times (i32.trunc_sat_f64_u (call $params.get (global.get $times))))
    (loop $again
      (call $ease
        (local.get $joint) (i32.const 1) (f64.const 0.7) (f64.const 0.2)
        (local.get $at) (local.get $beat))
      (local.set $at (i64.add (local.get $at) (local.get $beat)))
      (call $ease
        (local.get $joint) (i32.const 1) (f64.const 0.2) (f64.const 0.7)
        (local.get $at) (local.get $beat))
      (local.set $at (i64.add (local.get $at) (local.get $beat)))
      (br_if $again
        (i32.gt_s (local.tee $times (i32.sub (local.get $times) (i32.const 1))) (i32.const 0))))

    ;; The arm returns to rest.
    (local.set $home (i64.mul (i64.const 3) (local.get $beat)))
    (local.set $row (i32.const 0))
    (loop $next
      (local.set $joint (i32.load offset=8 (local.get $row)))
      (call $ease
        (local.get $joint) (i32.const 0)
        (f64.load (local.get $row)) (call $body.rest (local.get $joint))
        (local.get $at) (local.get $home))
      (br_if $next
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 32))) (global.get $rows))))
    (local.set $home (i64.add (local.get $at) (local.get $home)))
    (call $light (f64.const 0) (local.get $home))
    (local.get $home))

  ;; All lights of the chest reach a value at this instant.
  (func $light (param $value f64) (param $at i64)
    (local $place i32)
    (if (i32.eqz (global.get $chest)) (then (return)))
    (loop $next
      (call $commands.set
        (i32.load offset=384 (i32.mul (local.get $place) (i32.const 4)))
        (local.get $value)
        (local.get $at))
      (drop)
      (br_if $next
        (i32.lt_u (local.tee $place (i32.add (local.get $place) (i32.const 1))) (global.get $chest)))))

  ;; To the nearest nanosecond; a negative number and NaN become 0.
  (func $nanos (param $count f64) (result i64)
    (i64.trunc_sat_f64_u (f64.add (local.get $count) (f64.const 0.5))))

  ;; curve: begin

  ;; The piece of a curve that is being sent, over the share x of its time from 0 to 1. Shape 0, minimum jerk, is
  ;; base + rise (10 x³ - 15 x⁴ + 6 x⁵); shape 1, half a wave, is base + rise cos(π x).
  (global $shape (mut i32) (i32.const 0))
  (global $base (mut f64) (f64.const 0))
  (global $rise (mut f64) (f64.const 0))
  (global $last (mut f64) (f64.const 0)) ;; its exact value at its end

  ;; cos(π x), by the series of the sine of the complement.
  (func $cosine (param $x f64) (result f64)
    (local $angle f64) (local $z f64)
    (local.set $angle (f64.mul (f64.const 3.141592653589793) (f64.sub (f64.const 0.5) (local.get $x))))
    (local.set $z (f64.mul (local.get $angle) (local.get $angle)))
    (f64.div (f64.const -1) (f64.const 1307674368000)) ;; then, from the inside out: z · sum + coefficient
    (f64.add (f64.mul (local.get $z)) (f64.div (f64.const 1) (f64.const 6227020800)))
    (f64.add (f64.mul (local.get $z)) (f64.div (f64.const -1) (f64.const 39916800)))
    (f64.add (f64.mul (local.get $z)) (f64.div (f64.const 1) (f64.const 362880)))
    (f64.add (f64.mul (local.get $z)) (f64.div (f64.const -1) (f64.const 5040)))
    (f64.add (f64.mul (local.get $z)) (f64.div (f64.const 1) (f64.const 120)))
    (f64.add (f64.mul (local.get $z)) (f64.div (f64.const -1) (f64.const 6)))
    (f64.add (f64.mul (local.get $z)) (f64.const 1))
    (f64.mul (local.get $angle)))

  (func $value (param $x f64) (result f64)
    (if (f64.ge (local.get $x) (f64.const 1)) (then (return (global.get $last))))
    (if (global.get $shape)
      (then (return (f64.add (global.get $base) (f64.mul (global.get $rise) (call $cosine (local.get $x)))))))
    (f64.mul (f64.mul (f64.mul (global.get $rise) (local.get $x)) (local.get $x)) (local.get $x))
    (f64.sub (f64.mul (f64.const 6) (local.get $x)) (f64.const 15))
    (f64.add (f64.mul (local.get $x)) (f64.const 10))
    (f64.add (f64.mul) (global.get $base)))

  ;; The curvature: the absolute second derivative by x.
  (func $bend (param $x f64) (result f64)
    (if (global.get $shape)
      (then
        (f64.mul (f64.mul (global.get $rise) (f64.const 3.141592653589793)) (f64.const 3.141592653589793))
        (return (f64.abs (f64.mul (call $cosine (local.get $x)))))))
    (f64.mul (global.get $rise) (local.get $x))
    (f64.sub (f64.mul (f64.const 120) (local.get $x)) (f64.const 180))
    (f64.add (f64.mul (local.get $x)) (f64.const 60))
    (f64.abs (f64.mul)))

  ;; The share at which a line from `from` may end, for an error of 0.004. A line of length h is off by at most
  ;; h² · bend / 8, where bend is the largest curvature under it. `guess` is its approximate length.
  (func $reach (param $from f64) (param $guess f64) (result f64)
    (local $end f64) (local $longest f64) (local $here f64) (local $length f64) (local $best f64) (local $off f64)
    (local $trials i32)
    ;; Up to its end, the curvature is largest at one of both ends: that of minimum jerk turns at (3 ± √3) / 6.
    (local.set $end (f64.const 1))
    (if (i32.eqz (global.get $shape))
      (then
        (if (f64.lt (local.get $from) (f64.const 0.7886751345948129))
          (then (local.set $end (f64.const 0.7886751345948129))))
        (if (f64.lt (local.get $from) (f64.const 0.2113248654051871))
          (then (local.set $end (f64.const 0.2113248654051871))))))
    (local.set $longest (f64.sub (local.get $end) (local.get $from)))
    (local.set $here (call $bend (local.get $from)))
    (local.set $length (f64.min (local.get $guess) (local.get $longest)))
    (local.set $trials (i32.const 40))
    (block $done
      (loop $trial
        (f64.mul (local.get $length) (local.get $length))
        (f64.max (local.get $here) (call $bend (f64.add (local.get $from) (local.get $length))))
        (local.set $off (f64.mul (f64.mul (f64.const 0.125))))
        (if (f64.le (local.get $off) (f64.const 0.004))
          (then
            (local.set $best (local.get $length))
            (if (f64.ge (local.get $length) (local.get $longest)) (then (return (local.get $end))))
            ;; The line is close enough to the longest.
            (br_if $done (f64.gt (local.get $off) (f64.mul (f64.const 0.9) (f64.const 0.004)))))
          (else
            (br_if $done
              (i32.and
                (f64.gt (local.get $best) (f64.const 0))
                (f64.lt (local.get $length) (f64.mul (f64.const 1.02) (local.get $best)))))))
        ;; The error grows with the square of the length: a step of Heron's method.
        (f64.div (f64.mul (f64.const 0.97) (f64.const 0.004)) (local.get $off))
        (f64.mul (f64.add (f64.const 1)) (f64.const 0.5))
        (f64.min (f64.max (f64.const 0.1)) (f64.const 2))
        (local.set $length (f64.min (f64.mul (local.get $length)) (local.get $longest)))
        (br_if $trial (local.tee $trials (i32.sub (local.get $trials) (i32.const 1))))))
    ;; A NaN never fits: it is one line.
    (local.set $best (f64.add (local.get $from) (local.get $best)))
    (select (local.get $best) (local.get $end) (f64.gt (local.get $best) (local.get $from))))

  ;; Moves an actuator along a curve, from `from` (NaN: from where it is) to `value`. It begins at `start`, and takes
  ;; `span` nanoseconds. Commands that wait for its start or later are dropped.
  (func $ease (param $to i32) (param $how i32) (param $from f64) (param $value f64) (param $start i64) (param $span i64)
    (local $way f64) (local $share f64) (local $before f64) (local $guess f64)
    (if (f64.ne (local.get $from) (local.get $from)) (then (local.set $from (call $lane.sent (local.get $to)))))
    (local.set $way (f64.sub (local.get $value) (local.get $from)))
    (global.set $shape (local.get $how))
    (global.set $last (local.get $value))
    (if (local.get $how)
      (then
        (global.set $base (f64.add (local.get $from) (f64.mul (f64.const 0.5) (local.get $way))))
        (global.set $rise (f64.mul (f64.const -0.5) (local.get $way))))
      (else
        (global.set $base (local.get $from))
        (global.set $rise (local.get $way))))
    (call $commands.put (local.get $to) (call $value (f64.const 0)) (local.get $start) (i32.const 2)) ;; clear-after
    (if (then (return))) ;; it was refused
    (local.set $guess (f64.const 1))
    (loop $line
      (local.set $before (local.get $share))
      (local.set $share (call $reach (local.get $share) (local.get $guess)))
      (local.set $guess (f64.sub (local.get $share) (local.get $before)))
      (local.get $to)
      (call $value (local.get $share))
      (f64.mul (f64.convert_i64_u (local.get $span)) (local.get $share))
      (i64.add (i64.trunc_sat_f64_u (f64.add (f64.const 0.5))) (local.get $start))
      (if (call $commands.set) (then (return)))
      (br_if $line (f64.lt (local.get $share) (f64.const 1)))))
  ;; curve: end
)
