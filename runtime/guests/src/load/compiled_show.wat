;; A show that is only keys, as a motion: what `compiled_show.rs` makes of a list of them. A player: its parameters are
;; the speed, also backwards, the place, the pause, the loop and the mirror.
;; The memory begins with the keys of each actuator in order, 16 bytes each: the instant, ns as a number, and the value.
;; Then come the actuators, 40 bytes each: address and length of its name, and of that of the other side, the first key
;; and the end of its keys, the sign of the other side, and when it begins to go to its first key, ns. Then the
;; letters, and the parameters' names. Behind them `start` puts the outputs, 40 bytes each: the handle, the actuator's
;; address, where it was when the place was last chosen, the sign, and its range; first those of the show, then those of its mirror image.
;; Last comes what was commanded, 16 bytes for each handle: the value, and the instant of that turn and one more.
;; Words in capitals are filled in.
;;
;; A key outside the range counts as the end of the range, and is sent as it is when it is passed, so that it is told.
;; An actuator comes from where it is to its first key, from the lead or a later instant on, and to a place that is
;; chosen while it plays in the lead's time.
;; That takes the lead's time at any speed. Backwards it begins at its end. Each round sends its last values, for one turn
;; at least; the next one begins in the turn after, with the time that was left. At its end it waits until the outputs
;; are there, for a second at most. A pause stops it wherever it is; a place that is chosen meanwhile is gone to.
(module
  (import "dcm:choreography/body@0.1.0" "find-actuator" (func $find (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-length" (func $members (param i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "alias-member" (func $member (param i32 i32 i32) (result i32)))
  (import "dcm:choreography/body@0.1.0" "lowest" (func $lowest (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "highest" (func $highest (param i32) (result f64)))
  (import "dcm:choreography/body@0.1.0" "velocity" (func $velocity (param i32) (result f64)))
  (import "dcm:choreography/commands@0.1.0" "set" (func $set (param i32 f64 i64) (result i32)))
  (import "dcm:choreography/lane@0.1.0" "sent" (func $sent (param i32) (result f64)))
  (import "dcm:choreography/clock@0.1.0" "now" (func $now (result i64)))
  (import "dcm:choreography/params@0.1.0" "declare" (func $declare (param i32 i32 f64 f64 f64) (result i32)))
  (import "dcm:choreography/params@0.1.0" "get" (func $get (param i32) (result f64)))
  (import "dcm:choreography/log@0.1.0" "write" (func $log (param i32 i32 i32) (result i32)))
  (memory (export "memory") PAGES)

  (global $end (mut i32) (i32.const OUTPUTS))      ;; of all outputs
  (global $mirrored (mut i32) (i32.const OUTPUTS)) ;; the first output of the mirror image
  (global $speed (mut i32) (i32.const 0))          ;; the parameters
  (global $at (mut i32) (i32.const 0))
  (global $pause (mut i32) (i32.const 0))
  (global $loop (mut i32) (i32.const 0))
  (global $mirror (mut i32) (i32.const 0))
  (global $chosen (mut f64) (f64.const 0))         ;; the place and the side that were chosen last
  (global $side (mut i32) (i32.const 0))
  (global $place (mut f64) (f64.const 0))          ;; ns; before 0 in the lead
  (global $way (mut f64) (f64.const -1))           ;; how long it is on its way to the place, ns; below 0: it is there
  (global $scrubs (mut i32) (i32.const 0))         ;; that way was begun during a pause
  (global $rest (mut f64) (f64.const -1))          ;; the time left of the turn that ended a round, ns; below 0: it did not
  (global $before (mut i64) (i64.const -1))        ;; the instant of the turn before; none yet
  (global $since (mut i64) (i64.const 0))          ;; the instant since which it has played without a break
  (global $own (mut i32) (i32.const 0))            ;; what was commanded
  (global $most (mut i32) (i32.const 0))           ;; the greatest handle
  (global $over (mut i32) (i32.const 0))           ;; it is at its end
  (global $far (mut i32) (i32.const 0))            ;; and an output is not yet where it was sent
  (global $waited (mut f64) (f64.const 0))         ;; so long, ns
  (global $done (mut i32) (i32.const 0))
  (global $passed (mut f64) (f64.const 0))         ;; the place in the turn before

  ;; One output more.
  (func $add (param $actuator i32) (param $handle i32) (param $sign f64)
    (if (i32.gt_u (i32.add (global.get $end) (i32.const 40)) (i32.mul (memory.size) (i32.const 65536)))
      (then (drop (memory.grow (i32.const 1)))))
    (i32.store (global.get $end) (local.get $handle))
    (i32.store offset=4 (global.get $end) (local.get $actuator))
    (f64.store offset=16 (global.get $end) (local.get $sign))
    (f64.store offset=24 (global.get $end) (call $lowest (local.get $handle)))
    (f64.store offset=32 (global.get $end) (call $highest (local.get $handle)))
    (global.set $end (i32.add (global.get $end) (i32.const 40)))
    (if (i32.gt_u (local.get $handle) (global.get $most))
      (then (global.set $most (local.get $handle)))))

  ;; The outputs of a name: one, or the members of an alias. How many there are.
  (func $resolve (param $actuator i32) (param $name i32) (param $length i32) (param $sign f64) (result i32)
    (local $handle i32) (local $members i32) (local $place i32)
    (local.set $handle (call $find (local.get $name) (local.get $length)))
    (if (i32.ne (local.get $handle) (i32.const -1))
      (then
        (call $add (local.get $actuator) (local.get $handle) (local.get $sign))
        (return (i32.const 1))))
    (local.set $members (call $members (local.get $name) (local.get $length)))
    (loop $more
      (if (i32.lt_u (local.get $place) (local.get $members))
        (then
          (call $add (local.get $actuator)
            (call $member (local.get $name) (local.get $length) (local.get $place)) (local.get $sign))
          (local.set $place (i32.add (local.get $place) (i32.const 1)))
          (br $more))))
    (local.get $members))

  (func (export "start")
    (local $it i32)
    (global.set $speed (call $declare (i32.const PARAMS) (i32.const 5) (f64.const -4) (f64.const 1) (f64.const 4)))
    (global.set $at (call $declare (i32.const PARAMS_AT) (i32.const 2) (f64.const 0) (f64.const 0)
      (f64.div (f64.const LAST) (f64.const 1e9))))
    (global.set $pause (call $declare (i32.const PARAMS_PAUSE) (i32.const 5) (f64.const 0) (f64.const 0) (f64.const 1)))
    (global.set $loop (call $declare (i32.const PARAMS_LOOP) (i32.const 4) (f64.const 0) (f64.const LOOPS) (f64.const 1)))
    (global.set $mirror
      (call $declare (i32.const PARAMS_MIRROR) (i32.const 6) (f64.const 0) (f64.const 0) (f64.const 1)))
    ;; A name that this robot does not have is told, and the show ends.
    (local.set $it (i32.const ACTUATORS))
    (loop $more
      (if (i32.lt_u (local.get $it) (i32.const LETTERS))
        (then
          (if (i32.eqz (call $resolve (local.get $it)
                (i32.load (local.get $it)) (i32.load offset=4 (local.get $it)) (f64.const 1)))
            (then
              (drop (call $log (i32.const 2) (i32.load (local.get $it)) (i32.load offset=4 (local.get $it))))
              unreachable))
          (local.set $it (i32.add (local.get $it) (i32.const 40)))
          (br $more))))
    ;; What has no other side stays as it is.
    (global.set $mirrored (global.get $end))
    (local.set $it (i32.const ACTUATORS))
    (loop $more
      (if (i32.lt_u (local.get $it) (i32.const LETTERS))
        (then
          (if (i32.eqz (call $resolve (local.get $it)
                (i32.load offset=8 (local.get $it)) (i32.load offset=12 (local.get $it))
                (f64.load offset=24 (local.get $it))))
            (then
              (drop (call $resolve (local.get $it)
                (i32.load (local.get $it)) (i32.load offset=4 (local.get $it)) (f64.const 1)))))
          (local.set $it (i32.add (local.get $it) (i32.const 40)))
          (br $more))))
    (global.set $own (i32.and (i32.add (global.get $end) (i32.const 15)) (i32.const -16)))
    (local.set $it (i32.add (global.get $own) (i32.shl (i32.add (global.get $most) (i32.const 1)) (i32.const 4))))
    (local.set $it (i32.shr_u (i32.add (local.get $it) (i32.const 65535)) (i32.const 16)))
    (if (i32.gt_u (local.get $it) (memory.size))
      (then (drop (memory.grow (i32.sub (local.get $it) (memory.size)))))))

  ;; Where an output is: what this show has commanded and holds, which others may blend with theirs, or what was sent.
  (func $where (param $handle i32) (result f64)
    (local $own i32)
    (local.set $own (i32.add (global.get $own) (i32.shl (local.get $handle) (i32.const 4))))
    (if (i64.gt_u (i64.load offset=8 (local.get $own)) (global.get $since))
      (then (return (f64.load (local.get $own)))))
    (call $sent (local.get $handle)))

  ;; Notes where every output is, to come from there.
  (func $leave
    (local $it i32)
    (local.set $it (i32.const OUTPUTS))
    (loop $more
      (if (i32.lt_u (local.get $it) (global.get $end))
        (then
          (f64.store offset=8 (local.get $it) (call $where (i32.load (local.get $it))))
          (local.set $it (i32.add (local.get $it) (i32.const 40)))
          (br $more)))))

  ;; What an output is to take of a key's value, within its range.
  (func $take (param $it i32) (param $value f64) (result f64)
    (f64.max (f64.load offset=24 (local.get $it)) (f64.min (f64.load offset=32 (local.get $it))
      (f64.mul (f64.load offset=16 (local.get $it)) (local.get $value)))))

  ;; The value of an output at the place.
  (func $value (param $it i32) (result f64)
    (local $low i32) (local $high i32) (local $end i32) (local $middle i32)
    (local $first f64) (local $from f64) (local $begin f64) (local $value f64) (local $asked f64)
    (local.set $low (i32.load offset=16 (i32.load offset=4 (local.get $it))))
    (local.set $end (i32.load offset=20 (i32.load offset=4 (local.get $it))))
    (local.set $high (local.get $end))
    (local.set $first (f64.load (local.get $low)))
    (if (f64.lt (global.get $place) (local.get $first))
      (then
        (local.set $value (call $take (local.get $it) (f64.load offset=8 (local.get $low))))
        (local.set $from (f64.load offset=8 (local.get $it)))
        ;; Nobody knows where it is.
        (if (f64.ne (local.get $from) (local.get $from)) (then (return (local.get $value))))
        (local.set $begin (f64.load offset=32 (i32.load offset=4 (local.get $it))))
        (return (f64.add (local.get $from)
          (f64.mul (f64.sub (local.get $value) (local.get $from))
            (f64.div (f64.max (f64.const 0) (f64.sub (global.get $place) (local.get $begin)))
              (f64.sub (local.get $first) (local.get $begin))))))))
    ;; The last key that is not after the place.
    (loop $more
      (if (i32.gt_u (i32.sub (local.get $high) (local.get $low)) (i32.const 16))
        (then
          (local.set $middle (i32.add (local.get $low)
            (i32.shl (i32.shr_u (i32.sub (local.get $high) (local.get $low)) (i32.const 5)) (i32.const 4))))
          (if (f64.le (f64.load (local.get $middle)) (global.get $place))
            (then (local.set $low (local.get $middle)))
            (else (local.set $high (local.get $middle))))
          (br $more))))
    (local.set $value (call $take (local.get $it) (f64.load offset=8 (local.get $low))))
    ;; It has just been passed: the loop clips it, and counts that.
    (local.set $asked (f64.mul (f64.load offset=16 (local.get $it)) (f64.load offset=8 (local.get $low))))
    (if (i32.and (f64.gt (f64.load (local.get $low)) (global.get $passed)) (f64.ne (local.get $asked) (local.get $value)))
      (then (drop (call $set (i32.load (local.get $it)) (local.get $asked) (call $now)))))
    (if (i32.lt_u (local.get $high) (local.get $end))
      (then
        (local.set $value (f64.add (local.get $value)
          (f64.mul (f64.sub (call $take (local.get $it) (f64.load offset=8 (local.get $high))) (local.get $value))
            (f64.div (f64.sub (global.get $place) (f64.load (local.get $low)))
              (f64.sub (f64.load (local.get $high)) (f64.load (local.get $low)))))))))
    (local.get $value))

  ;; Sends every output of this side to its value; on the way to the place, to this share of the way.
  (func $send (param $share f64)
    (local $it i32) (local $end i32) (local $now i64) (local $from f64) (local $value f64) (local $own i32)
    (local.set $now (call $now))
    (local.set $it (select (global.get $mirrored) (i32.const OUTPUTS) (global.get $side)))
    (local.set $end (select (global.get $end) (global.get $mirrored) (global.get $side)))
    (loop $more
      (if (i32.lt_u (local.get $it) (local.get $end))
        (then
          (local.set $from (f64.load offset=8 (local.get $it)))
          (local.set $value (call $value (local.get $it)))
          (if (i32.and (f64.lt (local.get $share) (f64.const 1)) (f64.eq (local.get $from) (local.get $from)))
            (then
              (local.set $value (f64.add (local.get $from)
                (f64.mul (f64.sub (local.get $value) (local.get $from)) (local.get $share))))))
          (drop (call $set (i32.load (local.get $it)) (local.get $value) (local.get $now)))
          (local.set $own (i32.add (global.get $own) (i32.shl (i32.load (local.get $it)) (i32.const 4))))
          (f64.store (local.get $own) (local.get $value))
          (i64.store offset=8 (local.get $own) (i64.add (local.get $now) (i64.const 1)))
          (if (global.get $over)
            (then
              ;; What has no velocity, as a light, is there at once, but for its steps.
              (if (i32.and
                    (f64.lt (call $velocity (i32.load (local.get $it))) (f64.const inf))
                    (f64.gt (f64.abs (f64.sub (call $sent (i32.load (local.get $it))) (local.get $value)))
                      (f64.mul (f64.const 0.005)
                        (f64.sub (f64.load offset=32 (local.get $it)) (f64.load offset=24 (local.get $it))))))
                (then (global.set $far (i32.const 1))))))
          (local.set $it (i32.add (local.get $it) (i32.const 40)))
          (br $more)))))

  ;; Begins the way to the place.
  (func $go
    (call $leave)
    (global.set $scrubs (call $paused))
    (global.set $rest (f64.const -1))
    (global.set $way (f64.const 0)))

  (func $paused (result i32)
    (f64.ge (call $get (global.get $pause)) (f64.const 0.5)))

  ;; The share of the way that is done, without a jerk at its ends.
  (func $share (result f64)
    (local $it f64)
    (if (f64.lt (global.get $way) (f64.const 0)) (then (return (f64.const 1))))
    (local.set $it (f64.min (f64.const 1) (f64.div (global.get $way) (f64.const WAY))))
    (f64.mul (f64.mul (local.get $it) (local.get $it))
      (f64.sub (f64.const 3) (f64.mul (f64.const 2) (local.get $it)))))

  ;; The first turn: the lead, or the way to a place that was chosen.
  (func $begin
    (call $leave)
    (global.set $scrubs (call $paused))
    (global.set $chosen (call $get (global.get $at)))
    (global.set $place (f64.mul (global.get $chosen) (f64.const 1e9)))
    (if (i32.and (f64.eq (global.get $place) (f64.const 0)) (f64.lt (call $get (global.get $speed)) (f64.const 0)))
      (then (global.set $place (f64.const LAST))))
    (if (f64.gt (global.get $place) (f64.const 0))
      (then (global.set $way (f64.const 0)))
      (else (global.set $place (f64.const -LEAD))))
    (global.set $passed (f64.sub (global.get $place) (f64.const 1))))

  ;; Goes on forward by this time of the body: the lead passes as it is, the rest at the speed.
  (func $advance (param $elapsed f64) (param $speed f64)
    (if (f64.lt (global.get $place) (f64.const 0))
      (then
        (global.set $place (f64.add (global.get $place) (local.get $elapsed)))
        (if (f64.gt (global.get $place) (f64.const 0))
          (then (global.set $place (f64.mul (global.get $place) (local.get $speed))))))
      (else
        (global.set $place (f64.add (global.get $place) (f64.mul (local.get $elapsed) (local.get $speed)))))))

  ;; Plays on by this time, and again from the other end where it loops.
  (func $play (param $elapsed f64) (param $speed f64)
    (local $loops i32) (local $by f64) (local $rest f64)
    (local.set $loops (f64.ge (call $get (global.get $loop)) (f64.const 0.5)))
    (global.set $over (i32.const 0))
    ;; A round has ended in the turn before.
    (local.set $rest (global.get $rest))
    (global.set $rest (f64.const -1))
    (if (i32.and (local.get $loops) (f64.ge (local.get $rest) (f64.const 0)))
      (then
        (local.set $rest (f64.add (local.get $rest) (local.get $elapsed)))
        (if (i32.and (f64.gt (local.get $speed) (f64.const 0)) (f64.ge (global.get $place) (f64.const LAST)))
          (then
            (call $leave)
            (global.set $place (f64.const -LEAD))
            (local.set $elapsed (local.get $rest))))
        (if (i32.and (f64.lt (local.get $speed) (f64.const 0)) (f64.le (global.get $place) (f64.const 0)))
          (then
            (global.set $place (f64.const LAST))
            (call $go)
            (global.set $way (local.get $rest))
            (return)))))
    (local.set $by (f64.mul (local.get $elapsed) (local.get $speed)))
    ;; In the lead it has not begun yet: backwards it does so at its end.
    (if (i32.and (f64.lt (local.get $by) (f64.const 0)) (f64.lt (global.get $place) (f64.const 0)))
      (then
        (global.set $place (f64.const LAST))
        (call $go)
        (return)))
    (if (f64.gt (local.get $speed) (f64.const 0))
      (then (call $advance (local.get $elapsed) (local.get $speed)))
      (else (global.set $place (f64.add (global.get $place) (local.get $by)))))
    (if (i32.and (f64.gt (local.get $by) (f64.const 0)) (f64.ge (global.get $place) (f64.const LAST)))
      (then
        (if (local.get $loops)
          (then (global.set $rest (f64.div (f64.sub (global.get $place) (f64.const LAST)) (local.get $speed))))
          (else (global.set $over (i32.const 1))))
        (global.set $place (f64.const LAST))))
    (if (i32.and (f64.lt (local.get $by) (f64.const 0)) (f64.le (global.get $place) (f64.const 0)))
      (then
        (if (local.get $loops)
          (then (global.set $rest (f64.div (global.get $place) (local.get $speed))))
          (else (global.set $over (i32.const 1))))
        (global.set $place (f64.const 0)))))

  (func (export "pre-process")
    (local $elapsed f64) (local $turn f64) (local $side i32) (local $at f64) (local $now i64)
    (local.set $now (call $now))
    (local.set $side (f64.ge (call $get (global.get $mirror)) (f64.const 0.5)))
    (if (i64.eq (global.get $before) (i64.const -1))
      (then
        (global.set $side (local.get $side))
        (global.set $since (local.get $now))
        (call $begin))
      (else
        (local.set $elapsed (f64.convert_i64_s (i64.sub (local.get $now) (global.get $before))))))
    ;; After a break the outputs may be anywhere.
    (if (f64.ge (local.get $elapsed) (f64.const 1e8))
      (then (global.set $since (local.get $now))))
    (global.set $before (local.get $now))
    (local.set $turn (local.get $elapsed))
    (local.set $at (call $get (global.get $at)))
    (if (i32.or (f64.ne (local.get $at) (global.get $chosen)) (i32.ne (local.get $side) (global.get $side)))
      (then
        (if (f64.ne (local.get $at) (global.get $chosen))
          (then
            (global.set $chosen (local.get $at))
            (global.set $over (i32.const 0))
            (global.set $place (f64.mul (local.get $at) (f64.const 1e9)))))
        (global.set $side (local.get $side))
        (call $go)))
    (if (i32.eqz (call $paused)) (then (global.set $scrubs (i32.const 0))))
    (if (i32.and (f64.ge (global.get $way) (f64.const 0)) (i32.or (i32.eqz (call $paused)) (global.get $scrubs)))
      (then
        (global.set $way (f64.add (global.get $way) (local.get $elapsed)))
        (local.set $elapsed (f64.const 0))
        (if (f64.ge (global.get $way) (f64.const WAY))
          (then
            (local.set $elapsed (f64.sub (global.get $way) (f64.const WAY)))
            (global.set $way (f64.const -1))))))
    (if (i32.and (f64.lt (global.get $way) (f64.const 0)) (i32.eqz (call $paused)))
      (then (call $play (local.get $elapsed) (call $get (global.get $speed)))))
    (global.set $far (i32.const 0))
    (call $send (call $share))
    (global.set $waited (select (f64.add (global.get $waited) (local.get $turn)) (f64.const 0) (global.get $over)))
    (global.set $done (i32.and (global.get $over)
      (i32.or (i32.eqz (global.get $far)) (f64.ge (global.get $waited) (f64.const 1e9)))))
    (global.set $passed (global.get $place)))

  (func (export "is-alive") (result i32)
    (i32.eqz (global.get $done))))
