;; The functions of WASI preview 1, for core modules whose standard library expects them (Go, C++, C). Put into a
;; component by `load::componentize`, if the module imports any of them.
;; The law: they reach nothing but what every choreography has. What is written to standard output and standard error
;; goes to the log: the host gathers the bytes of each into lines. Time is the robot's time; sleeping is that of a score;
;; random numbers are the same in each run. There are no arguments, variables, files or sockets.
(module
  (import "env" "memory" (memory 0))
  (import "dcm:choreography/stdio@0.1.0" "write" (func $put (param i32 i32 i32)))
  (import "dcm:choreography/clock@0.1.0" "now" (func $now (result i64)))
  (import "dcm:choreography/clock@0.1.0" "sleep-until" (func $sleep_until (param i64) (result i64)))

  ;; Errors by their numbers.
  (global $badf i32 (i32.const 8))
  (global $inval i32 (i32.const 28))

  (global $random (mut i64) (i64.const 0x9e3779b97f4a7c15))

  ;; Two counts of nothing: arguments, variables.
  (func $nothing (param $count i32) (param $size i32) (result i32)
    (i32.store (local.get $count) (i32.const 0))
    (i32.store (local.get $size) (i32.const 0))
    i32.const 0)
  (export "args_sizes_get" (func $nothing))
  (export "environ_sizes_get" (func $nothing))
  (func $none (param i32 i32) (result i32) i32.const 0)
  (export "args_get" (func $none))
  (export "environ_get" (func $none))

  ;; The robot's time, on all four clocks. Some libraries take 0 for a clock that does not run.
  (func $time (result i64)
    (i64.add (call $now) (i64.const 1)))
  (func (export "clock_time_get") (param $clock i32) (param i64) (param $to i32) (result i32)
    (if (i32.gt_u (local.get $clock) (i32.const 3)) (then (return (global.get $inval))))
    (i64.store (local.get $to) (call $time))
    i32.const 0)
  (func (export "clock_res_get") (param $clock i32) (param $to i32) (result i32)
    (if (i32.gt_u (local.get $clock) (i32.const 3)) (then (return (global.get $inval))))
    (i64.store (local.get $to) (i64.const 1000))
    i32.const 0)

  ;; Numbers of Marsaglia's xorshift64.
  (func (export "random_get") (param $at i32) (param $length i32) (result i32)
    (local $x i64)
    (local.set $x (global.get $random))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $length)))
        (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
        (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
        (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
        (i64.store8 (local.get $at) (local.get $x))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $length (i32.sub (local.get $length) (i32.const 1)))
        (br $next)))
    (global.set $random (local.get $x))
    i32.const 0)

  ;; The three standard streams are terminals, to which lines are written one by one.
  (func (export "fd_fdstat_get") (param $fd i32) (param $to i32) (result i32)
    (if (i32.gt_u (local.get $fd) (i32.const 2)) (then (return (global.get $badf))))
    ;; A character device without flags; it may be read (bit 1) or written (bit 6).
    (i64.store (local.get $to) (i64.const 2))
    (i64.store offset=8 (local.get $to)
      (select (i64.const 64) (i64.const 2) (local.get $fd)))
    (i64.store offset=16 (local.get $to) (i64.const 0))
    i32.const 0)

  ;; The input is at its end.
  (func (export "fd_read") (param $fd i32) (param i32 i32) (param $read i32) (result i32)
    (if (local.get $fd) (then (return (global.get $badf))))
    (i32.store (local.get $read) (i32.const 0))
    i32.const 0)

  (func (export "fd_write") (param $fd i32) (param $parts i32) (param $count i32) (param $written i32) (result i32)
    (local $total i32) (local $length i32)
    (if (i32.or (i32.eqz (local.get $fd)) (i32.gt_u (local.get $fd) (i32.const 2)))
      (then (return (global.get $badf))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $length (i32.load offset=4 (local.get $parts)))
        (call $put_all (local.get $fd) (i32.load (local.get $parts)) (local.get $length))
        (local.set $total (i32.add (local.get $total) (local.get $length)))
        (local.set $parts (i32.add (local.get $parts) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))
    (i32.store (local.get $written) (local.get $total))
    i32.const 0)

  ;; Hands bytes to the host, no more at once than it takes.
  (func $put_all (param $fd i32) (param $at i32) (param $length i32)
    (local $size i32)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $length)))
        (local.set $size
          (select (local.get $length) (i32.const 4096) (i32.lt_u (local.get $length) (i32.const 4096))))
        (call $put (local.get $fd) (local.get $at) (local.get $size))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (local.set $length (i32.sub (local.get $length) (local.get $size)))
        (br $next))))

  ;; Sleeps until the earliest of the subscriptions has come; a stream is always ready. Inside a turn nobody sleeps:
  ;; the earliest is told as if it had come.
  (func (export "poll_oneoff") (param $in i32) (param $out i32) (param $count i32) (param $told i32) (result i32)
    (local $base i64) (local $until i64) (local $deadline i64) (local $at i32) (local $end i32) (local $events i32)
    (if (i32.eqz (local.get $count)) (then (return (global.get $inval))))
    (local.set $base (call $time))
    (local.set $until (i64.const -1))
    (local.set $end (i32.add (local.get $in) (i32.mul (local.get $count) (i32.const 48))))
    (local.set $at (local.get $in))
    (loop $next
      (local.set $deadline (call $deadline (local.get $at) (local.get $base)))
      (if (i64.lt_u (local.get $deadline) (local.get $until)) (then (local.set $until (local.get $deadline))))
      (local.set $at (i32.add (local.get $at) (i32.const 48)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    ;; All that has come by now is told.
    (if (i64.lt_u (local.get $until) (local.get $base)) (then (local.set $until (local.get $base))))
    (if (i64.gt_u (local.get $until) (local.get $base))
      (then (drop (call $sleep_until (i64.sub (local.get $until) (i64.const 1))))))
    (local.set $at (local.get $in))
    (loop $next
      (if (i64.le_u (call $deadline (local.get $at) (local.get $base)) (local.get $until))
        (then
          ;; The caller's mark; no error, and the kind of the subscription; nothing to read or write is counted.
          (i64.store (local.get $out) (i64.load (local.get $at)))
          (i64.store offset=8 (local.get $out) (i64.shl (i64.load8_u offset=8 (local.get $at)) (i64.const 16)))
          (i64.store offset=16 (local.get $out) (i64.const 0))
          (i64.store offset=24 (local.get $out) (i64.const 0))
          (local.set $out (i32.add (local.get $out) (i32.const 32)))
          (local.set $events (i32.add (local.get $events) (i32.const 1)))))
      (local.set $at (i32.add (local.get $at) (i32.const 48)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (i32.store (local.get $told) (local.get $events))
    i32.const 0)

  ;; When the subscription at this address has come: a stream is ready now; a clock has a duration or an instant.
  (func $deadline (param $at i32) (param $base i64) (result i64)
    (local $end i64)
    (if (i32.load8_u offset=8 (local.get $at)) (then (return (local.get $base))))
    (local.set $end (i64.load offset=24 (local.get $at)))
    (if (i32.and (i32.load16_u offset=40 (local.get $at)) (i32.const 1)) (then (return (local.get $end))))
    (local.set $end (i64.add (local.get $base) (local.get $end)))
    ;; A duration without end.
    (select (i64.const -2) (local.get $end) (i64.lt_u (local.get $end) (local.get $base))))

  (func (export "sched_yield") (result i32) i32.const 0)
  (func (export "proc_exit") (param i32) unreachable)

  ;; There is no file, folder or socket with any number.
  (func (export "fd_advise") (param i32 i64 i64 i32) (result i32) global.get $badf)
  (func (export "fd_allocate") (param i32 i64 i64) (result i32) global.get $badf)
  (func (export "fd_close") (param i32) (result i32) global.get $badf)
  (func (export "fd_datasync") (param i32) (result i32) global.get $badf)
  (func (export "fd_fdstat_set_flags") (param i32 i32) (result i32) global.get $badf)
  (func (export "fd_fdstat_set_rights") (param i32 i64 i64) (result i32) global.get $badf)
  (func (export "fd_filestat_get") (param i32 i32) (result i32) global.get $badf)
  (func (export "fd_filestat_set_size") (param i32 i64) (result i32) global.get $badf)
  (func (export "fd_filestat_set_times") (param i32 i64 i64 i32) (result i32) global.get $badf)
  (func (export "fd_pread") (param i32 i32 i32 i64 i32) (result i32) global.get $badf)
  (func (export "fd_prestat_dir_name") (param i32 i32 i32) (result i32) global.get $badf)
  (func (export "fd_prestat_get") (param i32 i32) (result i32) global.get $badf)
  (func (export "fd_pwrite") (param i32 i32 i32 i64 i32) (result i32) global.get $badf)
  (func (export "fd_readdir") (param i32 i32 i32 i64 i32) (result i32) global.get $badf)
  (func (export "fd_renumber") (param i32 i32) (result i32) global.get $badf)
  (func (export "fd_seek") (param i32 i64 i32 i32) (result i32) global.get $badf)
  (func (export "fd_sync") (param i32) (result i32) global.get $badf)
  (func (export "fd_tell") (param i32 i32) (result i32) global.get $badf)
  (func (export "path_create_directory") (param i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_filestat_get") (param i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_filestat_set_times") (param i32 i32 i32 i32 i64 i64 i32) (result i32) global.get $badf)
  (func (export "path_link") (param i32 i32 i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_open") (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32) global.get $badf)
  (func (export "path_readlink") (param i32 i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_remove_directory") (param i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_rename") (param i32 i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_symlink") (param i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "path_unlink_file") (param i32 i32 i32) (result i32) global.get $badf)
  (func (export "proc_raise") (param i32) (result i32) global.get $badf)
  (func (export "sock_accept") (param i32 i32 i32) (result i32) global.get $badf)
  (func (export "sock_recv") (param i32 i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "sock_send") (param i32 i32 i32 i32 i32) (result i32) global.get $badf)
  (func (export "sock_shutdown") (param i32 i32) (result i32) global.get $badf))
