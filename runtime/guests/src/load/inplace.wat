;; What is compiled into guests: `sensors.read`, `commands.set` and the clock as a few checked loads and stores
;; in the words of `GuestShared` (guest_shared.rs), which are at the beginning of the store's data. Words in capitals are filled in by
;; inplace.rs. No branch stands between a guest's number and what it reaches, so that no processor guesses past
;; it: a sensor is checked again by the checked load, an actuator that is none is made the one behind the last.
;; The functions are copied into the guest's (splice/bodies.rs): they set each local before they read it, have no
;; globals, and call what is imported here alone.
(module
  (import "shared" "store-data-address" (func $shared (result i64)))
  (import "shared" "u64-native-load" (func $load (param i64) (result i64)))
  (import "shared" "u64-native-store" (func $store (param i64 i64)))
  (import "shared" "u64-checked-native-load" (func $checked (param i64 i64 i64) (result i64)))

  (func (export "sensors.read") (param $of i32) (result f64)
    (local $row i64) (local $offset i64) (local $length i64)
    (local.set $row (call $load (i64.add (call $shared) (i64.const SENSORS))))
    (local.set $offset (i64.shl (i64.extend_i32_u (local.get $of)) (i64.const 3)))
    (local.set $length (i64.shl (i64.and (local.get $row) (i64.const COUNT)) (i64.const 3)))
    (if (i64.ge_u (local.get $offset) (local.get $length))
      (then (return (f64.const nan))))
    (f64.reinterpret_i64 (call $checked
      (i64.shr_u (local.get $row) (i64.const COUNTED)) (local.get $offset) (local.get $length))))

  (func (export "commands.set")
    (param $to i32) (param $value f64) (param $at i64) (result i32)
    (local $shared i64) (local $row i64) (local $place i64) (local $word i64)
    (local.set $shared (call $shared))
    ;; What stands against driving it. Behind the last verdict stands one for every number that is none.
    (local.set $place (i64.extend_i32_u (local.get $to)))
    (local.set $row (call $load (i64.add (local.get $shared) (i64.const VERDICTS))))
    (local.set $word (i64.and (local.get $row) (i64.const COUNT)))
    (local.set $word (call $load (i64.add
      (i64.shr_u (local.get $row) (i64.const COUNTED))
      (i64.shl
        (select (local.get $place) (local.get $word) (i64.lt_u (local.get $place) (local.get $word)))
        (i64.const 3)))))
    (if (i64.ne (local.get $word) (i64.const 0))
      (then (return (i32.wrap_i64 (local.get $word)))))
    ;; Not a number says nothing; infinite is refused.
    (local.set $word (i64.reinterpret_f64 (local.get $value)))
    (if (i64.ge_u (i64.shl (local.get $word) (i64.const 1)) (i64.const 0xffe0000000000000))
      (then (return (select (i32.const 0) (i32.const NOT_FINITE) (f64.ne (local.get $value) (local.get $value))))))
    ;; Instants are believed within a window around now.
    (if (i64.ge_u
          (i64.sub
            (local.get $at)
            (call $load (i64.add (local.get $shared) (i64.const EARLIEST))))
          (call $load (i64.add (local.get $shared) (i64.const WINDOW))))
      (then (return (i32.const OUT_OF_REACH))))
    ;; The place in the command buffer.
    (local.set $row (call $load (i64.add (local.get $shared) (i64.const FREE))))
    (if (i64.eqz (i64.and (local.get $row) (i64.const COUNT)))
      (then (return (i32.wrap_i64 (call $load (i64.add (local.get $shared) (i64.const FULL)))))))
    (local.set $place (i64.shr_u (local.get $row) (i64.const COUNTED)))
    (call $store (local.get $place) (i64.shl (i64.extend_i32_u (local.get $to)) (i64.const 32)))
    (call $store (i64.add (local.get $place) (i64.const 8)) (local.get $word))
    (call $store (i64.add (local.get $place) (i64.const 16)) (local.get $at))
    ;; Last: a guest whose fuel runs out in between has queued nothing.
    (call $store (i64.add (local.get $shared) (i64.const FREE))
      (i64.add (local.get $row) (i64.const ONE_LESS)))
    (i32.const 0))

  (func (export "clock.now") (result i64)
    (call $load (i64.add (call $shared) (i64.const NOW))))
  (func (export "clock.turn") (result i64)
    (call $load (i64.add (call $shared) (i64.const TURN)))))
