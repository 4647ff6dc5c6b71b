;; What is compiled into guests: `sensors.read` and `commands.set` as a few checked loads and stores on
;; the desk (desk.rs), which lies at the beginning of the store's data. Words in capitals are filled in
;; by inplace.rs. Whatever a guest's number reaches is checked twice: by a comparison that answers as the
;; contract says, and by the checked load, which holds also where a processor guesses.
(module
  (import "SECRET" "store-data-address" (func $desk (result i64)))
  (import "SECRET" "u64-native-load" (func $load (param i64) (result i64)))
  (import "SECRET" "u64-native-store" (func $store (param i64 i64)))
  (import "SECRET" "u64-checked-native-load" (func $checked (param i64 i64 i64) (result i64)))
  (import "dcm:choreography/sensors@0.1.0" "age" (func $age (param i32) (result i64)))
  (import "dcm:choreography/sensors@0.1.0" "acknowledged" (func $acknowledged (param i32) (result f64)))
  (import "dcm:choreography/commands@0.1.0" "put" (func $put (param i32 f64 i64 i32) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "clear" (func $clear (param i32) (result i32)))
  (import "dcm:choreography/commands@0.1.0" "waiting" (func $waiting (param i32) (result i32)))

  (func (export "dcm:choreography/sensors@0.1.0#read") (param $of i32) (result f64)
    (local $desk i64) (local $offset i64) (local $length i64)
    (local.set $desk (call $desk))
    (local.set $offset (i64.shl (i64.extend_i32_u (local.get $of)) (i64.const 3)))
    (local.set $length (call $load (i64.add (local.get $desk) (i64.const SENSOR_BYTES))))
    (if (i64.ge_u (local.get $offset) (local.get $length))
      (then (return (f64.const nan))))
    (f64.reinterpret_i64 (call $checked
      (call $load (i64.add (local.get $desk) (i64.const SENSORS)))
      (local.get $offset) (local.get $length))))

  (func (export "dcm:choreography/commands@0.1.0#set")
    (param $to i32) (param $value f64) (param $at i64) (result i32)
    (local $desk i64) (local $offset i64) (local $length i64) (local $word i64) (local $place i64)
    (local.set $desk (call $desk))
    ;; What stands against driving it.
    (local.set $offset (i64.shl (i64.extend_i32_u (local.get $to)) (i64.const 3)))
    (local.set $length (call $load (i64.add (local.get $desk) (i64.const VERDICT_BYTES))))
    (if (i64.ge_u (local.get $offset) (local.get $length))
      (then (return (i32.const UNKNOWN))))
    (local.set $word (call $checked
      (call $load (i64.add (local.get $desk) (i64.const VERDICTS)))
      (local.get $offset) (local.get $length)))
    (if (i64.ne (local.get $word) (i64.const 0))
      (then (return (i32.wrap_i64 (local.get $word)))))
    ;; Not a number says nothing; infinite is refused.
    (if (f64.ne (local.get $value) (local.get $value))
      (then (return (i32.const 0))))
    (if (f64.eq (f64.abs (local.get $value)) (f64.const inf))
      (then (return (i32.const NOT_FINITE))))
    ;; Instants are believed within a window around now.
    (local.set $word (call $load (i64.add (local.get $desk) (i64.const NOW))))
    (if (i64.gt_u
          (select
            (i64.sub (local.get $at) (local.get $word))
            (i64.sub (local.get $word) (local.get $at))
            (i64.gt_u (local.get $at) (local.get $word)))
          (i64.const REACH))
      (then (return (i32.const OUT_OF_REACH))))
    ;; The place on the tray.
    (local.set $place (call $load (i64.add (local.get $desk) (i64.const CURSOR))))
    (if (i64.ge_u (local.get $place) (call $load (i64.add (local.get $desk) (i64.const END))))
      (then (return (i32.wrap_i64 (call $load (i64.add (local.get $desk) (i64.const FULL)))))))
    (call $store (local.get $place) (i64.shl (i64.extend_i32_u (local.get $to)) (i64.const 32)))
    (call $store (i64.add (local.get $place) (i64.const 8)) (i64.reinterpret_f64 (local.get $value)))
    (call $store (i64.add (local.get $place) (i64.const 16)) (local.get $at))
    ;; Last: who runs dry in between has laid down nothing.
    (call $store (i64.add (local.get $desk) (i64.const CURSOR))
      (i64.add (local.get $place) (i64.const ITEM_BYTES)))
    (i32.const 0))

  ;; The rest of both interfaces is the host's.
  (func (export "dcm:choreography/sensors@0.1.0#age") (param i32) (result i64)
    (call $age (local.get 0)))
  (func (export "dcm:choreography/sensors@0.1.0#acknowledged") (param i32) (result f64)
    (call $acknowledged (local.get 0)))
  (func (export "dcm:choreography/commands@0.1.0#put") (param i32 f64 i64 i32) (result i32)
    (call $put (local.get 0) (local.get 1) (local.get 2) (local.get 3)))
  (func (export "dcm:choreography/commands@0.1.0#clear") (param i32) (result i32)
    (call $clear (local.get 0)))
  (func (export "dcm:choreography/commands@0.1.0#waiting") (param i32) (result i32)
    (call $waiting (local.get 0))))
