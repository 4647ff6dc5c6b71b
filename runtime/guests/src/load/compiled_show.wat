;; A show that is only commands and their instants, as a score: what `compiled_show.rs` makes of a list of them.
;; The memory begins with the records, 16 bytes each, in the order in which they are sent: the actuator's place in the
;; upper 16 bits and ns after the beginning in the lower 48, then the value. Then come the actuators, 24 bytes each:
;; address and length of the name, the instant of the key that was sent last, the handle, and of an alias how many
;; members it has; then the letters. Words in capitals are filled in.
;;
;; A line begins when its command is there: so a key is sent two seconds before the key *before* it has passed, however
;; far away it is itself. An actuator's first key is sent at once: its line begins where the body stands.
(module
  (import "dcm:choreography/body@0.1.0" "find-actuator" (func $find (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-length" (func $members (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-member" (func $member (param i32 i32 i32) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "set" (func $set (param i32 f64 i64) (result i32)))
  (import "dcm:choreography/clock@0.1.0" "now" (func $now (result i64)))
  (import "dcm:choreography/clock@0.1.0" "sleep-until" (func $sleep (param i64) (result i64)))
  (import "dcm:choreography/log@0.1.0" "write" (func $log (param i32 i32 i32) (result i32)))
  (memory (export "memory") PAGES)

  ;; Each name becomes a handle, or an alias of several.
  (func $resolve
    (local $at i32)
    (local.set $at (i32.const NAMES))
    (loop $more
      (if (i32.lt_u (local.get $at) (i32.const LETTERS))
        (then
          (call $keep (local.get $at)
            (call $find (i32.load (local.get $at)) (i32.load offset=4 (local.get $at))))
          (local.set $at (i32.add (local.get $at) (i32.const 24)))
          (br $more)))))

  ;; Nothing has been sent to anybody.
  (func $forget
    (local $at i32)
    (local.set $at (i32.const NAMES))
    (loop $more
      (if (i32.lt_u (local.get $at) (i32.const LETTERS))
        (then
          (i64.store offset=8 (local.get $at) (i64.const 0))
          (local.set $at (i32.add (local.get $at) (i32.const 24)))
          (br $more)))))

  ;; A name that this robot does not have is told, and the show ends.
  (func $keep (param $at i32) (param $handle i32)
    (local $members i32)
    (if (i32.eq (local.get $handle) (i32.const -1))
      (then
        (local.set $members (call $members (i32.load (local.get $at)) (i32.load offset=4 (local.get $at))))
        (if (i32.eqz (local.get $members))
          (then
            (drop (call $log (i32.const 4) (i32.load (local.get $at)) (i32.load offset=4 (local.get $at))))
            unreachable))))
    (i32.store offset=16 (local.get $at) (local.get $handle))
    (i32.store offset=20 (local.get $at) (local.get $members)))

  ;; One key, for one actuator or for all members of an alias.
  (func $send (param $to i32) (param $value f64) (param $at i64)
    (local $place i32)
    (if (i32.eqz (i32.load offset=20 (local.get $to)))
      (then
        (call $put (i32.load offset=16 (local.get $to)) (local.get $value) (local.get $at))
        (return)))
    (loop $more
      (call $put
        (call $member (i32.load (local.get $to)) (i32.load offset=4 (local.get $to)) (local.get $place))
        (local.get $value) (local.get $at))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $place) (i32.load offset=20 (local.get $to))))))

  ;; Where there is no room, there will be some later.
  (func $put (param $handle i32) (param $value f64) (param $at i64)
    (loop $full
      (if (i32.eq (i32.const 3) (call $set (local.get $handle) (local.get $value) (local.get $at)))
        (then
          (drop (call $sleep (i64.add (call $now) (i64.const 20000000))))
          (br $full)))))

  ;; Sleeps until the actuator's last key is two seconds away; not at all if it has none yet.
  (func $wait (param $begin i64) (param $before i64)
    (local $until i64)
    (if (i64.eqz (local.get $before)) (then (return)))
    (local.set $until (i64.add (local.get $begin) (local.get $before)))
    (if (i64.gt_u (local.get $until) (i64.add (call $now) (i64.const 2000000000)))
      (then (drop (call $sleep (i64.sub (local.get $until) (i64.const 2000000000)))))))

  (func (export "run")
    (local $at i32) (local $actuator i32) (local $word i64) (local $key i64) (local $begin i64) (local $last i64)
    (call $resolve)
    (loop $again
      (call $forget)
      (local.set $begin (i64.add (call $now) (i64.const LEAD)))
      (local.set $at (i32.const 0))
      (loop $more
        (if (i32.lt_u (local.get $at) (i32.const RECORDS))
          (then
            (local.set $word (i64.load (local.get $at)))
            (local.set $key (i64.and (local.get $word) (i64.const 0xffffffffffff)))
            (local.set $actuator (i32.add (i32.const NAMES)
              (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $word) (i64.const 48))) (i32.const 24))))
            (call $wait (local.get $begin) (i64.load offset=8 (local.get $actuator)))
            (call $send (local.get $actuator) (f64.load offset=8 (local.get $at))
              (i64.add (local.get $begin) (local.get $key)))
            (i64.store offset=8 (local.get $actuator) (local.get $key))
            (if (i64.gt_u (local.get $key) (local.get $last))
              (then (local.set $last (local.get $key))))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br $more))))
      (drop (call $sleep (i64.add (local.get $begin) (local.get $last))))
      (br_if $again (i32.const LOOPS)))))
