;; The engine of JavaScript: what stands between QuickJS, as its package has it, and the contract. The back end
;; `guest-sdk/bindings/src/javascript.rs` writes `score.wat` and `motion.wat` from this text: it fills in the imports,
;; the calls and the hooks. `build.mjs` puts QuickJS and `link.bin` behind a component of one of them.
;;
;; QuickJS is instantiated after this module, whose memory and functions it imports (by the names `a` to `u`, which
;; its package gave them). It is called back through the table `functions`, which `link.bin` fills. The law: the numbers
;; of that table are those in `link.wat`.
(module
  (type $do (func))
  (type $do1 (func (param i32)))
  (type $do2 (func (param i32 i32)))
  (type $do4 (func (param i32 i32 i32 i32)))
  (type $get (func (result i32)))
  (type $get1 (func (param i32) (result i32)))
  (type $get2 (func (param i32 i32) (result i32)))
  (type $get3 (func (param i32 i32 i32) (result i32)))
  (type $get5 (func (param i32 i32 i32 i32 i32) (result i32)))
  (type $get6 (func (param i32 i32 i32 i32 i32 i32) (result i32)))
  (type $box (func (param i32 f64) (result i32)))
  (type $unbox (func (param i32 i32) (result f64)))
  ;; IMPORTS
  (import "dcm:choreography/script@0.1.0" "length" (func $script.length (result i32)))
  (import "dcm:choreography/script@0.1.0" "word" (func $script.word (param i32) (result i64)))
  (import "dcm:choreography/script@0.1.0" "follow" (func $script.follow
    (param i32 i32 f64 f64 f64 f64 f64 i64 i64 f64 i32) (result i32)))
  (import "dcm:choreography/script@0.1.0" "fail" (func $script.fail (param i32 i32)))

  ;; Five of these seven MiB are QuickJS's stack, and are never touched.
  (memory (export "memory") (export "a") 112 32768)
  (table (export "functions") 27 funcref)

  (global $runtime (mut i32) (i32.const 0))
  (global $context (mut i32) (i32.const 0))
  ;; The array `dcm`: the contract's functions, then what the script puts there.
  (global $dcm (mut i32) (i32.const 0))
  (global $undefined (mut i32) (i32.const 0))
  ;; 32 bytes: six hooks, and eight bytes to write into.
  (global $hooks (mut i32) (i32.const 0))
  ;; A bit for each hook that the script has.
  (global $has (mut i32) (i32.const 0))

  ;; QuickJS's functions, in the order of `link.wat`.
  (func $malloc (param i32) (result i32) (call_indirect (type $get1) (local.get 0) (i32.const 0)))
  (func $free (param i32) (call_indirect (type $do1) (local.get 0) (i32.const 1)))
  (func $new_string (param i32) (result i32)
    (call_indirect (type $get2) (global.get $context) (local.get 0) (i32.const 2)))
  (func $get_string (param i32) (result i32)
    (call_indirect (type $get2) (global.get $context) (local.get 0) (i32.const 3)))
  (func $free_string (param i32)
    (call_indirect (type $do2) (global.get $context) (local.get 0) (i32.const 4)))
  (func $get_number (param i32) (result f64)
    (call_indirect (type $unbox) (global.get $context) (local.get 0) (i32.const 5)))
  (func $new_number (param f64) (result i32)
    (call_indirect (type $box) (global.get $context) (local.get 0) (i32.const 6)))
  (func $argument (param i32 i32) (result i32)
    (call_indirect (type $get2) (local.get 0) (local.get 1) (i32.const 7)))
  (func $get_buffer (param i32) (result i32)
    (call_indirect (type $get2) (global.get $context) (local.get 0) (i32.const 8)))
  (func $get_size (param i32) (result i32)
    (call_indirect (type $get2) (global.get $context) (local.get 0) (i32.const 9)))
  (func $drop (param i32) (call_indirect (type $do2) (global.get $context) (local.get 0) (i32.const 10)))
  (func $set (param i32 i32 i32)
    (call_indirect (type $do4) (global.get $context) (local.get 0) (local.get 1) (local.get 2) (i32.const 11)))
  (func $at (param i32 i32) (result i32)
    (call_indirect (type $get3) (global.get $context) (local.get 0) (local.get 1) (i32.const 12)))

  ;; What QuickJS calls. A function of the contract, by its number:
  (func (export "t") (param $c i32) (param $this i32) (param $count i32) (param $with i32) (param $which i32)
      (result i32) (local $text i32) (local $size i32) (local $r f64)
    ;; CALLS
    unreachable)
  ;; `assert` and `abort` of C.
  (func (export "b") (param i32 i32 i32 i32) unreachable)
  (func (export "r") unreachable)
  (func (export "s") (param i32) unreachable)
  ;; No files, no environment, no timers, no modules, no interruption: fuel interrupts it.
  (func (export "c") (param i32 i32 i32 i32) (result i32) (i32.store (local.get 3) (i32.const 0)) (i32.const 8))
  (func (export "d") (param i32) (result i32) (i32.const 8))
  (func (export "o") (param i32 i64 i32 i32) (result i32) (i32.const 8))
  (func (export "e") (param i32 i32) (result i32) (i32.const 0))
  (func (export "f") (param i32 i32) (result i32)
    (i32.store (local.get 0) (i32.const 0))
    (i32.store (local.get 1) (i32.const 0))
    (i32.const 0))
  (func (export "g") (param i32 i32 i32 i32) (result i32) (i32.const 0))
  (func (export "h") (param i32 i32 i32) (result i32) (i32.const 0))
  (func (export "i") (param i32) (result i32) (i32.const 0))
  (func (export "j") (param i32 f64) (result i32) (i32.const 0))
  (func (export "l"))
  (func (export "u") (param i32 i32))
  ;; Memory of so many bytes: a little more than that, if there is so much.
  (func (export "k") (param $bytes i32) (result i32) (local $pages i32)
    (local.set $pages (i32.sub
      (i32.shr_u (i32.add (local.get $bytes) (i32.const 65535)) (i32.const 16))
      (memory.size)))
    (if (i32.le_s (local.get $pages) (i32.const 0)) (then (return (i32.const 1))))
    (if (i32.ne (memory.grow (i32.add (local.get $pages) (i32.const 15))) (i32.const -1))
      (then (return (i32.const 1))))
    (i32.ne (memory.grow (local.get $pages)) (i32.const -1)))
  ;; `localtime` and `tzset`: the robot has no time zone. `Date.now` and `clock_gettime`: the robot's time.
  (func (export "m") (param i64 i32)
    (i32.store offset=32 (local.get 1) (i32.const 0))
    (i32.store offset=36 (local.get 1) (i32.const 0)))
  (func (export "n") (param i32 i32 i32 i32)
    (i32.store (local.get 0) (i32.const 0))
    (i32.store (local.get 1) (i32.const 0)))
  (func (export "p") (result f64) (f64.div (f64.convert_i64_u (call $clock.now)) (f64.const 1e6)))
  (func (export "q") (param i32 i64 i32) (result i32)
    (i64.store (local.get 2) (call $clock.now))
    (i32.const 0))

  ;; Arguments of a function of the contract.
  (func $number (param $with i32) (param $place i32) (result f64)
    (call $get_number (call $argument (local.get $with) (local.get $place))))
  (func $u32 (param $with i32) (param $place i32) (result i32)
    (i32.trunc_sat_f64_u (f64.nearest (call $number (local.get $with) (local.get $place)))))
  (func $u64 (param $with i32) (param $place i32) (result i64)
    (i64.trunc_sat_f64_u (f64.nearest (call $number (local.get $with) (local.get $place)))))
  (func $text (param $with i32) (param $place i32) (result i32)
    (call $get_string (call $argument (local.get $with) (local.get $place))))
  (func $words (param $with i32) (param $place i32) (result i32)
    (call $get_buffer (call $argument (local.get $with) (local.get $place))))
  (func $count (param $with i32) (param $place i32) (result i32)
    (i32.shr_u (call $get_size (call $argument (local.get $with) (local.get $place))) (i32.const 3)))
  (func $length (param $text i32) (result i32) (local $end i32)
    (local.set $end (local.get $text))
    (block $done (loop $more
      (br_if $done (i32.eqz (i32.load8_u (local.get $end))))
      (local.set $end (i32.add (local.get $end) (i32.const 1)))
      (br $more)))
    (i32.sub (local.get $end) (local.get $text)))

  ;; Sends a piece of a curve; the arguments are those of the host.
  (func $follow (param $with i32) (result i32)
    (call $script.follow
      (call $u32 (local.get $with) (i32.const 0))
      (call $u32 (local.get $with) (i32.const 1))
      (call $number (local.get $with) (i32.const 2))
      (call $number (local.get $with) (i32.const 3))
      (call $number (local.get $with) (i32.const 4))
      (call $number (local.get $with) (i32.const 5))
      (call $number (local.get $with) (i32.const 6))
      (call $u64 (local.get $with) (i32.const 7))
      (call $u64 (local.get $with) (i32.const 8))
      (call $number (local.get $with) (i32.const 9))
      (call $u32 (local.get $with) (i32.const 10))))

  ;; Sends a group's commands: a buffer of three words for each, an instant, and a value for all; if it is none, the buffer
  ;; has one for each.
  (func $group (param $with i32) (result i32)
    (local $words i32) (local $count i32) (local $at i64) (local $value f64) (local $place i32) (local $answer i32)
    (local.set $words (call $words (local.get $with) (i32.const 0)))
    (local.set $count (call $count (local.get $with) (i32.const 0)))
    (local.set $at (call $u64 (local.get $with) (i32.const 1)))
    (local.set $value (call $number (local.get $with) (i32.const 2)))
    (local.set $place (local.get $words))
    (block $done (loop $more
      (br_if $done (i32.ge_u
        (local.get $place) (i32.add (local.get $words) (i32.shl (local.get $count) (i32.const 3)))))
      (if (f64.eq (local.get $value) (local.get $value))
        (then (f64.store offset=8 (local.get $place) (local.get $value))))
      (i64.store offset=16 (local.get $place) (local.get $at))
      (local.set $place (i32.add (local.get $place) (i32.const 24)))
      (br $more)))
    (local.set $answer (call $bulk.set-all (local.get $words) (local.get $count)))
    (call $free (local.get $words))
    (local.get $answer))

  ;; Ends the guest if this value is an exception.
  (func $check (param $value i32) (local $text i32)
    (local.set $value (call_indirect (type $get2) (global.get $context) (local.get $value) (i32.const 13)))
    (if (i32.eqz (local.get $value)) (then (return)))
    (local.set $text (call_indirect (type $get2) (global.get $context) (local.get $value) (i32.const 14)))
    (call $script.fail (local.get $text) (call $length (local.get $text)))
    unreachable)

  ;; `dcm`, and the name of the script in traces.
  (data $names "dcm\00script.js\00")

  (func $boot (local $names i32) (local $place i32) (local $value i32) (local $function i32) (local $text i32)
    (call_indirect (type $do) (i32.const 15))
    (global.set $runtime (call_indirect (type $get) (i32.const 16)))
    ;; It throws a RangeError before the stack of WebAssembly is full.
    (call_indirect (type $do2) (global.get $runtime) (i32.const 32768) (i32.const 17))
    (global.set $context (call_indirect (type $get2) (global.get $runtime) (i32.const 0) (i32.const 18)))
    (global.set $dcm (call_indirect (type $get1) (global.get $context) (i32.const 19)))
    (global.set $undefined (call_indirect (type $get) (i32.const 20)))
    (local.set $names (call $malloc (i32.const 16)))
    (memory.init $names (local.get $names) (i32.const 0) (i32.const 14))
    ;; The contract's functions.
    (loop $more
      (local.set $function (call_indirect (type $get5)
        (global.get $context) (i32.add (local.get $names) (i32.const 3)) (i32.const 0) (i32.const 0)
        (local.get $place) (i32.const 21)))
      (local.set $value (call $new_number (f64.convert_i32_u (local.get $place))))
      (call $set (global.get $dcm) (local.get $value) (local.get $function))
      (call $drop (local.get $value))
      (call $drop (local.get $function))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $place) (i32.const FUNCTIONS))))
    (local.set $function (call_indirect (type $get1) (global.get $context) (i32.const 22)))
    (local.set $value (call $new_string (local.get $names)))
    (call $set (local.get $function) (local.get $value) (global.get $dcm))
    (call $drop (local.get $value))
    (call $drop (local.get $function))
    ;; The script: its text, with a zero behind it.
    (local.set $text (call $malloc (i32.add (call $script.length) (i32.const 16))))
    (local.set $place (i32.const 0))
    (loop $more
      (i64.store
        (i32.add (local.get $text) (i32.shl (local.get $place) (i32.const 3)))
        (call $script.word (local.get $place)))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $more (i32.le_u (i32.shl (local.get $place) (i32.const 3)) (call $script.length))))
    (local.set $value (call_indirect (type $get6)
      (global.get $context) (local.get $text) (call $script.length) (i32.add (local.get $names) (i32.const 4))
      (i32.const 0) (i32.const 0) (i32.const 23)))
    (call $check (local.get $value))
    (call $drop (local.get $value))
    (call $free (local.get $text))
    ;; Its hooks, behind the contract's functions.
    (global.set $hooks (call $malloc (i32.const 32)))
    (local.set $place (i32.const 0))
    (loop $more
      (local.set $value (call $at (global.get $dcm) (i32.add (local.get $place) (i32.const FUNCTIONS))))
      (i32.store
        (i32.add (global.get $hooks) (i32.shl (local.get $place) (i32.const 2)))
        (local.get $value))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $place) (i32.const 6))))
    (global.set $has (i32.trunc_sat_f64_u
      (call $get_number (call $at (global.get $dcm) (i32.const HAS)))))
    ;; Memory does not grow inside a turn: some is left from here on.
    (call $free (call $malloc (i32.const 1048576))))

  (func $has_hook (param $place i32) (result i32)
    (i32.and (i32.shr_u (global.get $has) (local.get $place)) (i32.const 1)))

  ;; Calls a hook and what it has promised; its result as a number.
  (func $hook (param $place i32) (result f64) (local $value i32) (local $result f64)
    (local.set $value (call_indirect (type $get5)
      (global.get $context)
      (i32.load (i32.add (global.get $hooks) (i32.shl (local.get $place) (i32.const 2))))
      (global.get $undefined) (i32.const 0) (i32.const 0) (i32.const 24)))
    (call $check (local.get $value))
    (local.set $result (call $get_number (local.get $value)))
    (call $drop (local.get $value))
    (block $done (loop $more
      (br_if $done (i32.eqz (call_indirect (type $get1) (global.get $runtime) (i32.const 25))))
      (local.set $value (call_indirect (type $get3)
        (global.get $runtime) (i32.const -1) (i32.add (global.get $hooks) (i32.const 24)) (i32.const 26)))
      (call $check (local.get $value))
      (call $drop (local.get $value))
      (br $more)))
    (local.get $result))

  ;; HOOKS
)
