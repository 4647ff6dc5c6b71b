;; Blinks now and then, sometimes twice.
;;
;; A hook that does nothing in most turns: it looks at the clock, and sends a few commands when it is time. All lights
;; of one colour get theirs in one call. It has a random generator of its own, because the contract has none.
(module
  (import "dcm:choreography/body@0.1.0" "alias-length"
    (func $body.alias-length (param $name i32) (param $name-length i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-member"
    (func $body.alias-member (param $name i32) (param $name-length i32) (param $place i32) (result i32)))
  (import "dcm:choreography/bulk@0.1.0" "set-all"
    (func $bulk.set-all (param $words i32) (param $words-length i32) (result i32)))
  (import "dcm:choreography/clock@0.1.0" "now"
    (func $clock.now (result i64)))
  (import "dcm:choreography/params@0.1.0" "declare"
    (func $params.declare
      (param $name i32) (param $name-length i32) (param $lowest f64) (param $usual f64) (param $highest f64)
      (result i32)))
  (import "dcm:choreography/params@0.1.0" "get"
    (func $params.get (param $param i32) (result f64)))
  (import "dcm:choreography/log@0.1.0" "write"
    (func $log.write (param $level i32) (param $text i32) (param $text-length i32) (result i32)))

  (memory (export "memory") 1)

  ;; The colours. A row has 160 bytes: its share of the light, the length of its name, how many lights have it, its
  ;; name, and the lights' numbers, at most 32, which `start` finds.
  (data (i32.const 0)   (f64 0.6) (i32 11 0) "FaceLedsRed")
  (data (i32.const 160) (f64 0.8) (i32 13 0) "FaceLedsGreen")
  (data (i32.const 320) (f64 1)   (i32 12 0) "FaceLedsBlue")
  (global $rows i32 (i32.const 480)) ;; the end of the last row

  (data (i32.const 480) "there is no alias ") ;; and behind it, room for a name
  (data (i32.const 528) "pauselight")
  ;; From 1024 on: the commands of a call. Each is three words: the light, the bits of its value, the instant.

  (global $pause (mut i32) (i32.const -1)) ;; seconds, on average
  (global $light (mut i32) (i32.const -1))
  (global $next (mut i64) (i64.const 0)) ;; the time of the next blink
  (global $dice (mut i32) (i32.const 0x9e3779b9)) ;; the state of the random generator, never 0

  ;; Finds all names, once; what this body does not have is logged, and it goes on without.
  (func (export "start")
    (local $row i32) (local $name i32) (local $length i32) (local $count i32) (local $place i32)
    (global.set $pause
      (call $params.declare (i32.const 528) (i32.const 5) (f64.const 0.5) (f64.const 4) (f64.const 20)))
    (global.set $light
      (call $params.declare (i32.const 533) (i32.const 5) (f64.const 0) (f64.const 0.7) (f64.const 1)))
    (loop $colour
      (local.set $name (i32.add (local.get $row) (i32.const 16)))
      (local.set $length (i32.load offset=8 (local.get $row)))
      (local.set $count (call $body.alias-length (local.get $name) (local.get $length)))
      (if (i32.eqz (local.get $count))
        (then
          (memory.copy (i32.const 498) (local.get $name) (i32.const 16))
          (call $log.write (i32.const 2) (i32.const 480) (i32.add (i32.const 18) (local.get $length)))
          (drop)))
      (if (i32.gt_u (local.get $count) (i32.const 32)) (then (local.set $count (i32.const 32))))
      (i32.store offset=12 (local.get $row) (local.get $count))
      (local.set $place (i32.const 0))
      (block $all
        (loop $member
          (br_if $all (i32.ge_u (local.get $place) (local.get $count)))
          (i32.store offset=32
            (i32.add (local.get $row) (i32.mul (local.get $place) (i32.const 4)))
            (call $body.alias-member (local.get $name) (local.get $length) (local.get $place)))
          (local.set $place (i32.add (local.get $place) (i32.const 1)))
          (br $member)))
      (br_if $colour
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 160))) (global.get $rows)))))

  (func (export "pre-process")
    (local $now i64) (local $rest f64)
    (local.set $now (call $clock.now))
    (if (i64.lt_u (local.get $now) (global.get $next)) (then (return)))
    (call $blink (local.get $now))
    (local.set $rest
      (f64.mul
        (call $params.get (global.get $pause))
        (f64.add (f64.const 0.4) (f64.mul (f64.const 1.2) (call $roll)))))
    (if (f64.lt (call $roll) (f64.const 0.2))
      (then
        (call $blink (i64.add (local.get $now) (i64.const 280_000_000)))
        (local.set $rest (f64.add (local.get $rest) (f64.const 0.28)))))
    (global.set $next
      (i64.add
        (local.get $now)
        (i64.trunc_sat_f64_u
          (f64.add (f64.mul (f64.max (local.get $rest) (f64.const 0.3)) (f64.const 1e9)) (f64.const 0.5))))))

  ;; Closes the eyes and opens them: they close faster than they open.
  (func $blink (param $at i64)
    (local $row i32) (local $full f64)
    (loop $colour
      (local.set $full (f64.mul (call $params.get (global.get $light)) (f64.load (local.get $row))))
      (call $set (local.get $row) (local.get $full) (local.get $at))
      (call $set (local.get $row) (f64.const 0) (i64.add (local.get $at) (i64.const 60_000_000)))
      (call $set (local.get $row) (f64.const 0) (i64.add (local.get $at) (i64.const 110_000_000)))
      (call $set (local.get $row) (local.get $full) (i64.add (local.get $at) (i64.const 230_000_000)))
      (br_if $colour
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 160))) (global.get $rows)))))

  ;; All lights of a colour reach a value at this instant.
  (func $set (param $row i32) (param $value f64) (param $at i64)
    (local $place i32) (local $words i32)
    (local.set $words (i32.const 1024))
    (block $all
      (loop $member
        (br_if $all (i32.ge_u (local.get $place) (i32.load offset=12 (local.get $row))))
        (i64.store
          (local.get $words)
          (i64.load32_u offset=32 (i32.add (local.get $row) (i32.mul (local.get $place) (i32.const 4)))))
        (f64.store offset=8 (local.get $words) (local.get $value))
        (i64.store offset=16 (local.get $words) (local.get $at))
        (local.set $words (i32.add (local.get $words) (i32.const 24)))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br $member)))
    ;; The list: its address, and how many words it has.
    (call $bulk.set-all (i32.const 1024) (i32.mul (local.get $place) (i32.const 3)))
    (drop))

  ;; A random number from 0 to 1: Marsaglia's xorshift.
  (func $roll (result f64)
    (global.set $dice (i32.xor (global.get $dice) (i32.shl (global.get $dice) (i32.const 13))))
    (global.set $dice (i32.xor (global.get $dice) (i32.shr_u (global.get $dice) (i32.const 17))))
    (global.set $dice (i32.xor (global.get $dice) (i32.shl (global.get $dice) (i32.const 5))))
    (f64.div (f64.convert_i32_u (global.get $dice)) (f64.const 4294967295)))
)
