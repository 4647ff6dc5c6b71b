;; {{Name}}: looks to the left and to the right, and back. A score: one long run, which may sleep.
;; All imports that there are: sdk/imports.wat. Actuators and parameters are numbers, times nanoseconds, angles radians.
(module
  (import "dcm:choreography/body@0.1.0" "find-actuator"
    (func $body.find-actuator (param $name i32) (param $name-length i32) (result i32)))
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

  ;; Texts, each with its address and its length in UTF-8.
  (data (i32.const 0) "HeadYaw")
  (data (i32.const 16) "far")
  (data (i32.const 32) "there is no HeadYaw here: it goes on without")

  (global $yaw (mut i32) (i32.const -1)) ;; the joint's number
  (global $far (mut i32) (i32.const -1)) ;; a parameter: a person can change it while this plays

  ;; Called once. Commands that still wait when it returns are dropped.
  (func (export "run")
    (local $times i32) (local $far f64)
    (global.set $yaw (call $body.find-actuator (i32.const 0) (i32.const 7)))
    (if (i32.eq (global.get $yaw) (i32.const -1))
      (then (drop (call $log.write (i32.const 2) (i32.const 32) (i32.const 44)))))
    (global.set $far ;; lowest, usual, highest; radians
      (call $params.declare (i32.const 16) (i32.const 3) (f64.const 0.1) (f64.const 0.5) (f64.const 1)))
    (local.set $times (i32.const 2))
    (loop $again
      (local.set $far (call $params.get (global.get $far)))
      (call $look (local.get $far) (i64.const 900_000_000))
      (call $sleep (i64.const 1_100_000_000))
      (call $look (f64.neg (local.get $far)) (i64.const 1_200_000_000))
      (call $sleep (i64.const 1_400_000_000))
      (br_if $again (local.tee $times (i32.sub (local.get $times) (i32.const 1)))))
    (call $look (f64.const 0) (i64.const 900_000_000))
    (call $sleep (i64.const 900_000_000)))

  ;; Turns the head to a value, along half a wave (1), from where it is (nan).
  (func $look (param $value f64) (param $span i64)
    (call $ease
      (global.get $yaw) (i32.const 1) (f64.const nan) (local.get $value)
      (call $clock.now) (local.get $span)))

  (func $sleep (param $span i64)
    (drop (call $clock.sleep-until (i64.add (call $clock.now) (local.get $span)))))

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
