// The SDK for choreographies of dcm-run, in C: this header is all of it. For clang with the target wasm32; it needs no
// library.
//
//     #include "choreography.h"
//
//     DCM_SCORE("nod", "Nods, twice.");
//     DCM_JOINT(HeadPitch);
//
//     void run(void) {
//         dcm_through(HeadPitch, DCM_KEYS({ms(300), 0.3}, {ms(600), 0}, {ms(900), 0.3}, {ms(1200), 0}));
//         dcm_sleep(ms(1200));
//     }
//
// First come the functions of the contract, which are generated; then the cast, time, movements, and log lines.
#ifndef DCM_CHOREOGRAPHY_H
#define DCM_CHOREOGRAPHY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DCM_IMPORT(module, name) __attribute__((import_module(module), import_name(name)))
#define DCM_EXPORT(name) __attribute__((export_name(name)))

// Long functions: one copy of each is enough.
#define DCM_ONCE __attribute__((noinline)) static inline

// ---- generated from wit/ by guest-sdk/bindings: begin ----

// Types that all interfaces share. Only scalars go into a guest, so that a guest needs no allocator, and every
// compiler can make one.

/// The number of an actuator of this body. `body` finds it by name. It does not change while the guest runs.
typedef uint32_t dcm_actuator;

/// The number of a sensor of this body.
typedef uint32_t dcm_sensor;

/// Nanoseconds of the robot's clock, which is 0 when the robot starts and never jumps.
typedef uint64_t dcm_instant;

/// Nanoseconds.
typedef uint64_t dcm_span;

/// The answer to a request. A request with another answer than `done` has changed nothing.
typedef enum dcm_answer {
    /// The request was carried out.
    DCM_ANSWER_DONE = 0,
    /// There is no such actuator, sensor, parameter or alias.
    DCM_ANSWER_UNKNOWN = 1,
    /// The guest's grant or mask forbids it.
    DCM_ANSWER_FORBIDDEN = 2,
    /// There is no room for so many commands, events or lines.
    DCM_ANSWER_FULL = 3,
    /// The value is infinite, or not a number where one is needed.
    DCM_ANSWER_NOT_FINITE = 4,
    /// The instant is more than 24.8 days from now.
    DCM_ANSWER_OUT_OF_REACH = 5,
    /// This may not be called inside a turn.
    DCM_ANSWER_INSIDE_A_TURN = 6,
    /// Another lane holds the exclusive group.
    DCM_ANSWER_TAKEN = 7,
    /// It is not possible with an actuator of this kind.
    DCM_ANSWER_WRONG_KIND = 8,
    /// This call of a hook has reached a limit.
    DCM_ANSWER_TOO_MUCH = 9,
    /// The guest is ending, and no longer moves anything.
    DCM_ANSWER_ENDING = 10,
} dcm_answer;

/// The state of the whole body.
typedef enum dcm_state {
    /// Only sensors are read, until all positions are known.
    DCM_STATE_BOOT = 0,
    /// Limp: targets follow the sensors.
    DCM_STATE_DISARMED = 1,
    /// Powered: the gains fade in.
    DCM_STATE_ARMED = 2,
    /// Lanes move the body.
    DCM_STATE_RUNNING = 3,
    /// The body slows down, and holds its position.
    DCM_STATE_HOLDING = 4,
    /// The body moves to its safe pose, then goes limp.
    DCM_STATE_SAFE = 5,
    /// A fault has stopped the body.
    DCM_STATE_FAULT = 6,
    /// The emergency stop is pressed.
    DCM_STATE_ESTOP = 7,
} dcm_state;

// The actuators, sensors and limits of the body. Look names up here once, outside the turn, and keep the
// numbers.

/// Returns the number of the actuator with this name: its short name (`HeadYaw`), its long name
/// (`HeadYaw/Position/Actuator/Value`), also with the NAO's prefix, or another name from the description.
/// Returns 4294967295 if there is no such actuator, or if the name has more than 255 bytes.
/// Inside a turn: no; it returns 4294967295.
DCM_IMPORT("dcm:choreography/body@0.1.0", "find-actuator")
dcm_actuator dcm_find_actuator(const char *name, size_t name_length);

/// Returns the number of the sensor with this name, as `find-actuator` does for actuators.
/// Inside a turn: no; it returns 4294967295.
DCM_IMPORT("dcm:choreography/body@0.1.0", "find-sensor")
dcm_sensor dcm_find_sensor(const char *name, size_t name_length);

/// Returns the number of actuators of an alias in the description, or 0 if there is no such alias.
/// Inside a turn: no; it returns 0.
DCM_IMPORT("dcm:choreography/body@0.1.0", "alias-length")
uint32_t dcm_alias_length(const char *name, size_t name_length);

/// Returns the actuator at this place of an alias, counted from 0, or 4294967295 if there is none.
/// Inside a turn: no; it returns 4294967295.
DCM_IMPORT("dcm:choreography/body@0.1.0", "alias-member")
dcm_actuator dcm_alias_member(const char *name, size_t name_length, uint32_t place);

/// Returns the lowest value of the actuator's range, in its unit (rad, m, rad/s, or 0 to 1), or NaN if there
/// is no such actuator. Inside a turn: yes. Both sentences hold for all functions below.
DCM_IMPORT("dcm:choreography/body@0.1.0", "lowest")
double dcm_lowest(dcm_actuator of);

/// Returns the highest value of its range.
DCM_IMPORT("dcm:choreography/body@0.1.0", "highest")
double dcm_highest(dcm_actuator of);

/// Returns its maximum velocity, in units per second; infinity if it has no limit.
DCM_IMPORT("dcm:choreography/body@0.1.0", "velocity")
double dcm_velocity(dcm_actuator of);

/// Returns its maximum acceleration, in units per second squared; infinity if it has no limit.
DCM_IMPORT("dcm:choreography/body@0.1.0", "acceleration")
double dcm_acceleration(dcm_actuator of);

/// Returns its rest value.
DCM_IMPORT("dcm:choreography/body@0.1.0", "rest")
double dcm_rest(dcm_actuator of);

/// Returns the period of the loop: the time from one turn to the next, ns.
DCM_IMPORT("dcm:choreography/body@0.1.0", "period")
dcm_span dcm_period(void);

// Timed commands: this actuator, this value, at this instant. The runtime interpolates.
// The robot's description says how many waiting commands a lane has room for (default: 4,096). There is room
// for at most 4,096 on each actuator.

/// What happens to commands of this guest that are already waiting for the actuator.
typedef enum dcm_merge {
    /// They are kept.
    DCM_MERGE_MERGE = 0,
    /// They are dropped.
    DCM_MERGE_CLEAR_ALL = 1,
    /// Those after the first new one are dropped.
    DCM_MERGE_CLEAR_AFTER = 2,
    /// Those before the last new one are dropped.
    DCM_MERGE_CLEAR_BEFORE = 3,
} dcm_merge;

/// Sends one command, and keeps those that are waiting. `value` is in the actuator's unit. NaN does nothing.
/// A value outside the range is clipped to it, and counted. An instant in the past means now. A command of
/// `pre-process` for now or earlier reaches the board in the same turn.
/// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`.
DCM_IMPORT("dcm:choreography/commands@0.1.0", "set")
dcm_answer dcm_set(dcm_actuator to, double value, dcm_instant at);

/// Sends one command like `set`; `merge` says what happens to those that are waiting. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/commands@0.1.0", "put")
dcm_answer dcm_put(dcm_actuator to, double value, dcm_instant at, dcm_merge merge);

/// Drops all commands of this guest that are waiting for the actuator: it stops where it is. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/commands@0.1.0", "clear")
dcm_answer dcm_clear(dcm_actuator of);

/// Returns how many commands of this guest were waiting for the actuator when this call of a hook began,
/// without those that it has cleared since. For a score it returns 0. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/commands@0.1.0", "waiting")
uint32_t dcm_waiting(dcm_actuator on);

// Many commands in one call, for languages in which a call is expensive.

/// Sends many commands: all are accepted, or none. Each command is three words: the actuator, the bits of
/// its value as f64, the instant. Each is merged as by `commands.set`. A list whose length is no multiple of
/// three is answered with `unknown`.
/// Inside a turn: yes; more than 4,096 commands are answered with `too-much`, and a list of more than 65,536
/// bytes ends the guest. A score may send as many commands as its lane has room for.
DCM_IMPORT("dcm:choreography/bulk@0.1.0", "set-all")
dcm_answer dcm_set_all(const uint64_t *words, size_t words_length);

// The guest's own lane: its priority and weight among all lanes, and what it drives directly.

/// Sets the lane's priority: 0 background, 5 low, 10 standard, 50 high, 100 emergency. Below 0 the lane has no
/// effect, and of the guest's hooks only `is-alive` is called. A priority above that of the guest's grant is
/// answered with `forbidden`. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "set-priority")
dcm_answer dcm_set_priority(double priority);

/// Sets the lane's weight among lanes of the same priority: up to 1 it is the share that it covers, above that it
/// has more votes than others. It lies between 0 and 1,000; another is answered with `not-finite`. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "set-weight")
dcm_answer dcm_set_weight(double weight);

/// Sets the lane's weight for one actuator. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "set-weight-on")
dcm_answer dcm_set_weight_on(dcm_actuator of, double weight);

/// Drives the actuator to this value in this turn only, in place of its timeline.
/// Inside a turn: yes; after 4,096 commands in one call of a hook the answer is `too-much`. Outside a turn, it
/// applies to the next turn.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "drive")
dcm_answer dcm_drive(dcm_actuator to, double value, double weight);

/// Requests these gains in this turn, weighted by `weight`. If all are zero, the joint is limp. It counts as two
/// commands. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "set-gains")
dcm_answer dcm_set_gains(dcm_actuator of, double p, double i, double d, double weight);

/// Returns the value that was last sent to the actuator, whichever lanes it came from; NaN if there is no such
/// actuator. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "sent")
double dcm_sent(dcm_actuator to);

/// Returns the state of the whole body. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "body-state")
dcm_state dcm_body_state(void);

/// Returns whether a lane of higher priority hides this one on any actuator. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "is-hidden")
bool dcm_is_hidden(void);

/// Ends this guest: its lane fades out, `stop` is called, and the guest is unloaded.
/// Inside a turn: yes.
DCM_IMPORT("dcm:choreography/lane@0.1.0", "finish")
dcm_answer dcm_finish(void);

// The sensors, as they were last read: in `pre-process` the values of the previous turn, in `post-process`
// those of this turn.

/// Returns the sensor's value in its unit; NaN if there is no such sensor. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/sensors@0.1.0", "read")
double dcm_read(dcm_sensor of);

/// Returns how long ago the sensor's board last answered, ns; 0 if it was in this turn, and
/// 18446744073709551615 if there is no such sensor. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/sensors@0.1.0", "age")
dcm_span dcm_age(dcm_sensor of);

/// Returns the value that the actuator's board has acknowledged; NaN if there is no such actuator.
/// Inside a turn: yes.
DCM_IMPORT("dcm:choreography/sensors@0.1.0", "acknowledged")
double dcm_acknowledged(dcm_actuator by);

// The robot's time.

/// Returns the instant of this turn, or outside a turn that of the last turn. It does not change within a turn.
/// A guest has a time of its own, which stands still while the body does not follow the guest: while the body
/// is held, stopped, limp or in a fault, while the guest is paused, and until the body has returned to where
/// it left the guest's motion. Then both continue from there. Instants of commands are in the same time.
/// Inside a turn: yes.
DCM_IMPORT("dcm:choreography/clock@0.1.0", "now")
dcm_instant dcm_now(void);

/// Returns the number of this turn, counted from 1. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/clock@0.1.0", "turn")
uint64_t dcm_turn(void);

/// Sleeps until this instant, in a `score` only. Returns the instant at which it woke up.
/// Inside a turn: no; it returns at once.
DCM_IMPORT("dcm:choreography/clock@0.1.0", "sleep-until")
dcm_instant dcm_sleep_until(dcm_instant at);

// Small messages between guests, and to listeners outside. An event is a topic and a value. The robot posts some itself,
// of the guest whose name follows:
// - `started/NAME`: its lane is open; 0.
// - `arrived/NAME`: the last command that waited for its joints is executed, and the values sent have stopped changing;
//   or values that it sets in every turn have stayed the same for 100 ms; 0. Not if somebody has stopped it, nor while
//   it is paused. A show without code, which has an end, arrives there alone.
// - `settled/NAME`, after `arrived`: the sensors of the joints that it moved have shown for 100 ms what was sent, within
//   0.035 rad or 2 % of the range, whichever is less; s since `arrived`. Joints that others move by now do not count;
//   if none is left, it has settled. A joint without force does not settle.
// - `unsettled/NAME`, instead of that: they do not after 2 s; the largest distance.
// - `ended/NAME`: it has ended, and its lane is gone; 0 if it ended itself, 1 if somebody has stopped it, 2 if it has
//   failed. Also if that was before it started. It may settle afterwards. Another version that takes over, of the same
//   name, is no end and no start; a guest of another name that is swapped in is both: 1, and its own `started`.
// And of the emergency stop: `estop/pressed`, 0; `estop/released`, s since it was pressed.
// Guests do not post to these topics: the answer is `forbidden`.

/// Subscribes this guest to a topic, and returns the topic's number, which is the same for all guests. Returns
/// 4294967295 if 1,024 topics have subscribers already, if this guest has subscribed to 64, or if the name has
/// more than 255 bytes. Inside a turn: no; it returns 4294967295.
DCM_IMPORT("dcm:choreography/events@0.1.0", "topic")
uint32_t dcm_topic(const char *name, size_t name_length);

/// Posts an event. Guests receive it from the next turn on. A guest with more than 4,096 events that it has not
/// read misses the oldest ones; its report counts them. Inside a turn: yes; after 64 events in one call of a
/// hook the answer is `too-much`.
DCM_IMPORT("dcm:choreography/events@0.1.0", "post")
dcm_answer dcm_post(uint32_t topic, double value);

/// Goes to the next event that this guest has not read, of a topic that it has subscribed to. Returns whether
/// there is one. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/events@0.1.0", "next")
bool dcm_next_event(void);

/// Returns the topic of the event that `next` went to; 4294967295 before the first. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/events@0.1.0", "current-topic")
uint32_t dcm_current_topic(void);

/// Returns the value of that event; NaN before the first. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/events@0.1.0", "current-value")
double dcm_current_value(void);

// Live parameters: numbers that a person can change while the guest runs.

/// Declares a parameter, and returns its number. Returns 4294967295 if this guest has declared 64 already, if
/// the name is empty, has more than 64 bytes or is declared already, or unless
/// `lowest` ≤ `usual` ≤ `highest` and all are finite. Call it in `start`, so that the parameter can be set
/// before the first turn. Inside a turn: no; it returns 4294967295.
DCM_IMPORT("dcm:choreography/params@0.1.0", "declare")
uint32_t dcm_declare_param(const char *name, size_t name_length, double lowest, double usual, double highest);

/// Returns the parameter's value, which always lies within its range; NaN if there is no such parameter. It
/// changes between turns only. One that is named `at` is a place to go to: set again to the value that it has, it
/// changes by the least that a number can. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/params@0.1.0", "get")
double dcm_get_param(uint32_t param);

// Numbers that outlive a version of a guest: when another version takes over, it finds the numbers that this
// one has stored.

/// Stores a number at this place, 0 to 255; any other place is answered with `unknown`. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/state@0.1.0", "keep")
dcm_answer dcm_keep(uint32_t place, double value);

/// Returns the number that is stored at this place; NaN if there is none. A version that takes over finds the
/// numbers in its first turn, not yet in `start`. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/state@0.1.0", "kept")
double dcm_kept(uint32_t place);

// Log lines for people.

/// The log level of a line.
typedef enum dcm_level {
    /// Details.
    DCM_LEVEL_DEBUG = 0,
    /// The usual course of things.
    DCM_LEVEL_INFO = 1,
    /// Something is wrong.
    DCM_LEVEL_WARNING = 2,
} dcm_level;

/// Writes a line; the text is cut after 256 bytes. Inside a turn: yes; after 4 lines in one call of a hook the
/// answer is `too-much`. The answer is `full` while 64 lines wait to be written. Lines that are refused are
/// counted, and the log tells how many before the next line. A text of more than 65,536 bytes ends the guest.
DCM_IMPORT("dcm:choreography/log@0.1.0", "write")
dcm_answer dcm_log(dcm_level level, const char *text, size_t text_length);

// How far what a guest has sent is: requests of many commands, which can be followed and cancelled as one.

/// What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them.
typedef enum dcm_outcome {
    /// Some of its commands still wait.
    DCM_OUTCOME_WAITING = 0,
    /// All of its commands were executed.
    DCM_OUTCOME_ARRIVED = 1,
    /// All were executed, and some of them clipped to the range of their actuator.
    DCM_OUTCOME_CLIPPED = 2,
    /// Some were executed while the body did not follow them: it did not run, or the joint was limp.
    DCM_OUTCOME_MISSED = 3,
    /// Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
    DCM_OUTCOME_CLEARED = 4,
    /// Some were deleted by `cancel`.
    DCM_OUTCOME_CANCELLED = 5,
    /// Some were dropped because their joint was made limp.
    DCM_OUTCOME_DROPPED = 6,
    /// This number is none of the last 16 that were begun, or the robot follows too many others.
    DCM_OUTCOME_UNKNOWN = 7,
} dcm_outcome;

/// Begins a request: commands that this guest sends from now on belong to it, until it begins another one. Returns
/// its number, which counts up from 1; 0 for a score, and after four in one call of a hook. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/requests@0.1.0", "begin")
uint32_t dcm_begin(void);

/// Returns how many commands of a request were waiting when this call of a hook began. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/requests@0.1.0", "left")
uint32_t dcm_left(uint32_t request);

/// Returns what had become of a request when this call of a hook began. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/requests@0.1.0", "outcome-of")
dcm_outcome dcm_outcome_of(uint32_t request);

/// Drops the commands of a request that wait; those of others stay. Its actuators stop. Inside a turn: yes.
DCM_IMPORT("dcm:choreography/requests@0.1.0", "cancel")
dcm_answer dcm_cancel(uint32_t request);

// Hooks: define those that you need. Their prototypes export them under the names of the contract.

/// Called once before the first turn, outside the loop. A guest looks up names, declares parameters and
/// allocates memory here: memory does not grow inside a turn. Commands from here are submitted when the guest's
/// lane opens.
void start(void);

/// Called in every turn, before the lanes are sampled.
DCM_EXPORT("pre-process") void pre_process(void);

/// Called in every turn, after the boards have answered.
DCM_EXPORT("post-process") void post_process(void);

/// Called in every turn; `false` ends the guest, as `finish` does.
DCM_EXPORT("is-alive") bool is_alive(void);

/// Called once when the guest ends, outside the loop.
DCM_EXPORT("stop") void stop(void);

/// Runs once; the guest ends when it returns.
void run(void);

// ---- generated from wit/ by guest-sdk/bindings: end ----

// ---- World and manifest ----

/// The number of a name that this body does not have.
#define DCM_NONE UINT32_MAX

/// A line of the manifest, in TOML, beside name and description: `DCM_MANIFEST("loops = true");`.
#define DCM_MANIFEST(line) \
    __asm__(".section \".custom_section.dcm:manifest\",\"\",@\n.ascii " #line "\n.ascii \"\\n\"\n")

/// A motion, whose hooks the loop calls: its name, and one line on what it does. Once in a project, as the next.
#define DCM_MOTION(name, about) DCM_WORLD(name, about, "start", dcm_call_start)

/// A score, which is one `run` on a thread of its own.
#define DCM_SCORE(name, about) DCM_WORLD(name, about, "run", run)

#define DCM_WORLD(name, about, export, call) \
    __asm__(".section \".custom_section.dcm:manifest\",\"\",@\n" \
            ".ascii \"name = '''\"\n.ascii " #name "\n.ascii \"'''\\n\"\n" \
            ".ascii \"about = '''\"\n.ascii " #about "\n.ascii \"'''\\n\"\n"); \
    DCM_EXTERN_C void DCM_MOTION_or_DCM_SCORE_is_missing(void) {} \
    DCM_EXTERN_C DCM_EXPORT(export) void dcm_enter(void) { \
        dcm_learn_all(); \
        call(); \
    } \
    DCM_EXTERN_C void dcm_enter(void)

#ifdef __cplusplus
#define DCM_EXTERN_C extern "C"
#else
#define DCM_EXTERN_C
#endif

/// If this is undefined: write `DCM_MOTION("name", "what it does")`, or `DCM_SCORE`, in one of the files.
void DCM_MOTION_or_DCM_SCORE_is_missing(void);

// A motion need not have it.
extern void start(void) __attribute__((weak));

// ---- The cast: the parts of the body that a choreography uses, by name ----

enum { DCM_MEMBERS = 32 };

/// An alias of the body: all members get the same command. Members after the 32nd are left out.
typedef struct dcm_group {
    uint32_t length;
    dcm_actuator members[DCM_MEMBERS];
} dcm_group;

/// A live parameter, which people change while the guest plays.
typedef struct dcm_param {
    uint32_t number;
    double usual;
} dcm_param;

/// A member of the cast: its name, and where its number goes. Each kind has a function of its own that looks it up, so
/// that a choreography imports only what it uses.
typedef struct dcm_role {
    struct dcm_role *next;
    const char *name;
    size_t length;
    const char *kind;
    bool (*learn)(const struct dcm_role *);
    void *into;
    double lowest, usual, highest;
} dcm_role;

static inline bool dcm_learn_actuator(const dcm_role *role) {
    return (*(dcm_actuator *)role->into = dcm_find_actuator(role->name, role->length)) != DCM_NONE;
}

static inline bool dcm_learn_sensor(const dcm_role *role) {
    return (*(dcm_sensor *)role->into = dcm_find_sensor(role->name, role->length)) != DCM_NONE;
}

static inline bool dcm_learn_group(const dcm_role *role) {
    dcm_group *group = (dcm_group *)role->into;
    uint32_t length = dcm_alias_length(role->name, role->length);
    group->length = length < DCM_MEMBERS ? length : DCM_MEMBERS;
    for (uint32_t place = 0; place < group->length; place++) {
        group->members[place] = dcm_alias_member(role->name, role->length, place);
    }
    return length > 0 && length <= DCM_MEMBERS;
}

static inline bool dcm_learn_param(const dcm_role *role) {
    dcm_param *param = (dcm_param *)role->into;
    param->number = dcm_declare_param(role->name, role->length, role->lowest, role->usual, role->highest);
    return param->number != DCM_NONE;
}

static inline bool dcm_learn_topic(const dcm_role *role) {
    return (*(uint32_t *)role->into = dcm_topic(role->name, role->length)) != DCM_NONE;
}

/// All members of the cast, of all files: each adds itself before `start`.
__attribute__((weak)) dcm_role *dcm_cast = NULL;
__attribute__((weak)) dcm_role **dcm_cast_end = &dcm_cast;

static inline void dcm_join(dcm_role *role) {
    *dcm_cast_end = role;
    dcm_cast_end = &role->next;
}

#define DCM_ROLE(id, name, kind, learn, lowest, usual, highest) \
    __attribute__((constructor)) static void dcm_join_##id(void) { \
        static dcm_role role = {NULL, name, sizeof(name) - 1, kind, learn, &id, lowest, usual, highest}; \
        dcm_join(&role); \
        DCM_MOTION_or_DCM_SCORE_is_missing(); \
    } \
    extern dcm_role *dcm_cast

/// A joint under its own name: `DCM_JOINT(HeadYaw);` defines a `dcm_actuator`.
#define DCM_JOINT(id) DCM_ACTUATOR(id, #id)
/// Any actuator: `DCM_ACTUATOR(Lamp, "ChestBoard/Led/Blue");`. One that the body does not have is logged at the start,
/// and commands to it are answered `DCM_ANSWER_UNKNOWN`.
#define DCM_ACTUATOR(id, name) \
    static dcm_actuator id = DCM_NONE; \
    DCM_ROLE(id, name, "actuator", dcm_learn_actuator, 0, 0, 0)
/// An alias of the description: `DCM_GROUP(Eyes, "FaceLedsBlue");`, then `dcm_move(Eyes, …)`.
#define DCM_GROUP(id, name) \
    static dcm_group id[1]; \
    DCM_ROLE(id, name, "alias of 1 to 32 actuators", dcm_learn_group, 0, 0, 0)
/// A sensor: `DCM_SENSOR(Touch, "Head/Touch/Front");`, then `dcm_read(Touch)`.
#define DCM_SENSOR(id, name) \
    static dcm_sensor id = DCM_NONE; \
    DCM_ROLE(id, name, "sensor", dcm_learn_sensor, 0, 0, 0)
/// A live parameter, its lowest, usual and highest value: `DCM_PARAM(Speed, "speed", 0.5, 1, 2);`, then
/// `dcm_get(Speed)`.
#define DCM_PARAM(id, name, lowest, usual, highest) \
    static dcm_param id = {DCM_NONE, usual}; \
    DCM_ROLE(id, name, "room for the parameter", dcm_learn_param, lowest, usual, highest)
/// A topic of events: `DCM_TOPIC(Greeted, "greeted");`, then `dcm_post(Greeted, 1)`.
#define DCM_TOPIC(id, name) \
    static uint32_t id = DCM_NONE; \
    DCM_ROLE(id, name, "room for the topic", dcm_learn_topic, 0, 0, 0)

/// The value of a parameter, always within its range.
static inline double dcm_get(dcm_param of) {
    double value = dcm_get_param(of.number);
    return value == value ? value : of.usual;
}

/// Whether a sensor's value is above 0.5: a pressed button, a touched head.
static inline bool dcm_is_on(dcm_sensor of) {
    return dcm_read(of) > 0.5;
}

// ---- Time and numbers: nanoseconds and radians; `ms(300)`, `s(1.5)`, `deg(30)` also in constants ----

/// A span of this many nanoseconds; a negative number becomes zero.
static inline dcm_span dcm_nanos(double nanos) {
    return nanos > 0 ? nanos < 0x1p64 ? (dcm_span)(nanos + 0.5) : UINT64_MAX : 0;
}

#ifndef __cplusplus
#define DCM_SPAN(nanos) \
    __builtin_choose_expr( \
        __builtin_constant_p(nanos), (dcm_span)((nanos) > 0 ? (nanos) + 0.5 : 0), dcm_nanos(nanos))
#define us(x) DCM_SPAN((x) * 1e3)
#define ms(x) DCM_SPAN((x) * 1e6)
#define s(x) DCM_SPAN((x) * 1e9)
#define deg(x) ((x) * (DCM_PI / 180))
#endif
#define DCM_PI 3.14159265358979323846

/// The span from one instant to a later one; zero if it is not later.
static inline dcm_span dcm_since(dcm_instant later, dcm_instant earlier) {
    return later > earlier ? later - earlier : 0;
}

/// The seconds of a span.
static inline double dcm_seconds(dcm_span span) {
    return (double)span / 1e9;
}

/// Sleeps for this span, in a score.
static inline dcm_instant dcm_sleep(dcm_span span) {
    return dcm_sleep_until(dcm_now() + span);
}

/// A value between two others.
static inline double dcm_mix(double from, double to, double share) {
    return from + (to - from) * share;
}

/// The value, brought into a range.
static inline double dcm_clamp(double value, double lowest, double highest) {
    return value < lowest ? lowest : value > highest ? highest : value;
}

// The sine of an angle from -π/2 to π/2, by Taylor's series: the error is below 1e-9.
static inline double dcm_sine(double x) {
    double z = x * x;
    double series = 1.0 / 362880 + z * (-1.0 / 39916800 + z * (1.0 / 6227020800));
    return x * (1 + z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * series))));
}

/// The sine of any angle that a body knows; without a library.
static inline double dcm_sin(double angle) {
    double turns = __builtin_nearbyint(angle / (2 * DCM_PI));
    double x = angle - turns * (2 * DCM_PI);
    return dcm_sine(x > DCM_PI / 2 ? DCM_PI - x : x < -DCM_PI / 2 ? -DCM_PI - x : x);
}

/// The cosine.
static inline double dcm_cos(double angle) {
    return dcm_sin(angle + DCM_PI / 2);
}

/// Names of priorities for `dcm_set_priority`; any finite number can be used.
#define DCM_PRIORITY_SILENT (-1.0)
#define DCM_PRIORITY_BACKGROUND 0.0
#define DCM_PRIORITY_LOW 5.0
#define DCM_PRIORITY_STANDARD 10.0
#define DCM_PRIORITY_HIGH 50.0
#define DCM_PRIORITY_EMERGENCY 100.0

// ---- Curves: cut into few straight lines, as the Rust SDK does it ----

/// How a movement goes from its start to its end.
typedef enum dcm_ease {
    /// One command: at constant speed from where it is.
    DCM_EASE_NONE,
    /// At constant speed from `.from`.
    DCM_EASE_LINEAR,
    /// Smooth start and smooth end: right for most movements.
    DCM_EASE_SINE,
    DCM_EASE_SINE_IN,
    DCM_EASE_SINE_OUT,
    /// As `SINE`, but slower at both ends.
    DCM_EASE_CUBIC,
    DCM_EASE_CUBIC_IN,
    DCM_EASE_CUBIC_OUT,
    /// Minimum jerk between two positions at rest: how the arms of animals move.
    DCM_EASE_JERKLESS,
    /// Swings back a little first.
    DCM_EASE_BACK_IN,
    /// Overshoots a little, and comes back. Consider the joint's range.
    DCM_EASE_BACK_OUT,
} dcm_ease;

/// How a curve passes its keys. It always begins and ends at rest.
typedef enum dcm_going {
    /// Smoothly, without overshoot.
    DCM_GOING_FLOWS,
    /// On straight lines.
    DCM_GOING_STRAIGHT,
    /// It stops at every key.
    DCM_GOING_STOPS,
    /// Smoothly; it may overshoot.
    DCM_GOING_SWINGS,
} dcm_going;

/// A key: a value, and its time after the start of the movement.
typedef struct dcm_key {
    dcm_span at;
    double value;
} dcm_key;

/// The default error of lines against their curve: a quarter of a degree.
#define DCM_ERROR 0.004

// A smooth part of a curve: a cubic (a, b, c, d: the constant first), `a + b (10 x³ - 15 x⁴ + 6 x⁵)`, or
// `a + b cos(π (c + d x))`, over the share x of its time.
typedef enum dcm_shape { DCM_SHAPE_CUBIC, DCM_SHAPE_JERKLESS, DCM_SHAPE_COSINE } dcm_shape;
typedef struct dcm_piece {
    dcm_span start, end;
    dcm_shape shape;
    double a, b, c, d;
    double last;
} dcm_piece;

// A curve: an easing, or keys. `first` is the value before the first key, NaN if there is none.
typedef struct dcm_curve {
    dcm_ease ease;
    double from, to;
    dcm_span span;
    const dcm_key *keys;
    size_t count;
    dcm_going going;
    double first;
} dcm_curve;

static inline dcm_piece dcm_make_piece(dcm_shape shape, double a, double b, double c, double d) {
    dcm_piece piece = {0, 0, shape, a, b, c, d, 0};
    return piece;
}

// An easing from 0 to 1; `CUBIC` has a second half, with its own share.
static inline dcm_piece dcm_unit(dcm_ease ease, bool second) {
    const double swing = 1.70158;
    switch (ease) {
    case DCM_EASE_SINE: return dcm_make_piece(DCM_SHAPE_COSINE, 0.5, -0.5, 0, 1);
    case DCM_EASE_SINE_IN: return dcm_make_piece(DCM_SHAPE_COSINE, 1, -1, 0, 0.5);
    case DCM_EASE_SINE_OUT: return dcm_make_piece(DCM_SHAPE_COSINE, 0, 1, 0.5, -0.5);
    case DCM_EASE_CUBIC:
        return second ? dcm_make_piece(DCM_SHAPE_CUBIC, 0.5, 1.5, -1.5, 0.5)
                      : dcm_make_piece(DCM_SHAPE_CUBIC, 0, 0, 0, 0.5);
    case DCM_EASE_CUBIC_IN: return dcm_make_piece(DCM_SHAPE_CUBIC, 0, 0, 0, 1);
    case DCM_EASE_CUBIC_OUT: return dcm_make_piece(DCM_SHAPE_CUBIC, 0, 3, -3, 1);
    case DCM_EASE_JERKLESS: return dcm_make_piece(DCM_SHAPE_JERKLESS, 0, 1, 0, 0);
    case DCM_EASE_BACK_IN: return dcm_make_piece(DCM_SHAPE_CUBIC, 0, 0, -swing, swing + 1);
    case DCM_EASE_BACK_OUT: return dcm_make_piece(DCM_SHAPE_CUBIC, 0, swing + 3, -2 * swing - 3, swing + 1);
    default: return dcm_make_piece(DCM_SHAPE_CUBIC, 0, 1, 0, 0);
    }
}

static inline bool dcm_ease_piece(const dcm_curve *of, size_t place, dcm_piece *into) {
    bool halves = of->ease == DCM_EASE_CUBIC;
    dcm_span half = of->span / 2;
    if (place > (halves ? 1u : 0u)) return false;
    double way = of->to - of->from;
    dcm_piece it = dcm_unit(of->ease, place == 1);
    it.a = of->from + it.a * way;
    it.b *= way;
    if (it.shape == DCM_SHAPE_CUBIC) {
        it.c *= way;
        it.d *= way;
    }
    it.start = halves && place == 1 ? half : 0;
    it.end = halves && place == 0 ? half : of->span;
    it.last = halves && place == 0 ? 0.5 * (of->from + of->to) : of->to;
    *into = it;
    return true;
}

static inline bool dcm_key_at(const dcm_curve *of, size_t place, dcm_key *into) {
    if (of->first == of->first) {
        if (place == 0) {
            into->at = 0;
            into->value = of->first;
            return true;
        }
        place--;
    }
    if (place >= of->count) return false;
    *into = of->keys[place];
    return true;
}

// The slope at a key, per second; 0 at both ends.
static inline double dcm_slope(const dcm_curve *of, size_t place) {
    dcm_key before, at, after;
    if (place == 0 || !dcm_key_at(of, place - 1, &before) || !dcm_key_at(of, place, &at)
        || !dcm_key_at(of, place + 1, &after)) {
        return 0;
    }
    double one = dcm_seconds(dcm_since(at.at, before.at)), two = dcm_seconds(dcm_since(after.at, at.at));
    double up = (at.value - before.value) / one, on = (after.value - at.value) / two, slope = 0;
    if (of->going == DCM_GOING_SWINGS) {
        slope = (up * two + on * one) / (one + two);
    } else if (of->going == DCM_GOING_FLOWS && up * on > 0) {
        double near = two + 2 * one, far = one + 2 * two;
        slope = (near + far) / (far / up + near / on);
    }
    // Two keys at one time have no slope between them.
    return slope - slope == 0 ? slope : 0;
}

static inline bool dcm_key_piece(const dcm_curve *of, size_t place, dcm_piece *into) {
    dcm_key from, to;
    if (!dcm_key_at(of, place, &from) || !dcm_key_at(of, place + 1, &to)) return false;
    double seconds = dcm_seconds(dcm_since(to.at, from.at)), rise = to.value - from.value;
    double first = rise, last = rise;
    if (of->going == DCM_GOING_STRAIGHT) {
        first = last = rise / seconds * seconds;
    } else {
        first = dcm_slope(of, place) * seconds;
        last = dcm_slope(of, place + 1) * seconds;
    }
    *into = dcm_make_piece(DCM_SHAPE_CUBIC, from.value, first, 3 * rise - 2 * first - last, first + last - 2 * rise);
    into->start = from.at;
    into->end = to.at;
    into->last = to.value;
    return true;
}

static inline bool dcm_piece_at(const dcm_curve *of, size_t place, dcm_piece *into) {
    return of->keys ? dcm_key_piece(of, place, into) : dcm_ease_piece(of, place, into);
}

static inline double dcm_piece_value(const dcm_piece *of, double x) {
    if (x >= 1) return of->last;
    switch (of->shape) {
    case DCM_SHAPE_CUBIC: return of->a + x * (of->b + x * (of->c + x * of->d));
    case DCM_SHAPE_JERKLESS: return of->a + of->b * x * x * x * (10 + x * (6 * x - 15));
    default: return of->a + of->b * dcm_sine(DCM_PI * (0.5 - (of->c + of->d * x)));
    }
}

// The curvature at a share: the absolute second derivative by the share.
static inline double dcm_bend(const dcm_piece *of, double x) {
    switch (of->shape) {
    case DCM_SHAPE_CUBIC: return __builtin_fabs(2 * of->c + 6 * of->d * x);
    case DCM_SHAPE_JERKLESS: return __builtin_fabs(of->b * x * (60 + x * (120 * x - 180)));
    default: {
        double turn = DCM_PI * of->d;
        return __builtin_fabs(of->b * turn * turn * dcm_sine(DCM_PI * (0.5 - (of->c + of->d * x))));
    }
    }
}

// The next share at which the curvature changes its sign, else the end.
static inline double dcm_turning(const dcm_piece *of, double x) {
    if (of->shape == DCM_SHAPE_JERKLESS) {
        if (x < 0.2113248654051871) return 0.2113248654051871;
        if (x < 0.7886751345948129) return 0.7886751345948129;
    }
    return 1;
}

// The share where a line from this share may end; `guess` is its approximate length.
static inline double dcm_reach(const dcm_piece *of, double from, double error, double guess) {
    double end = dcm_turning(of, from), longest = end - from, bend = dcm_bend(of, from);
    double length = guess < longest ? guess : longest, best = 0;
    for (int trial = 0; trial < 40; trial++) {
        double other = dcm_bend(of, from + length);
        // The curvature of a cubic is linear; of the others the largest is taken everywhere.
        double most = of->shape == DCM_SHAPE_CUBIC ? 0.06415002990995842 * (bend + other)
                                                   : 0.125 * (bend > other ? bend : other);
        double stray = length * length * most;
        if (stray <= error) {
            best = length;
            if (length >= longest) return end;
            if (stray > 0.9 * error) break;
        } else if (best > 0 && length < 1.02 * best) {
            break;
        }
        // The error grows with the square of the length: a step of Heron's method.
        double step = 0.5 * (1 + 0.97 * error / stray);
        length *= dcm_clamp(step, 0.1, 2);
        if (!(length < longest)) length = longest;
    }
    // A NaN never fits: it is one line.
    return from + best > from ? from + best : end;
}

/// Sends a curve as lines, none of which is further from it than the error. Commands that wait for its start or later
/// are dropped. The first refusal ends it.
DCM_ONCE dcm_answer dcm_follow(dcm_actuator to, const dcm_curve *curve, dcm_instant start, double error) {
    dcm_merge merge = DCM_MERGE_CLEAR_AFTER;
    dcm_answer answer = DCM_ANSWER_DONE;
    dcm_piece piece;
    double last = 1;
    if (!(error > 1e-6)) error = 1e-6;
    for (size_t place = 0; dcm_piece_at(curve, place, &piece); place++) {
        if (place == 0) {
            answer = dcm_put(to, dcm_piece_value(&piece, 0), start + piece.start, merge);
        }
        for (double share = 0; share < 1 && answer == DCM_ANSWER_DONE;) {
            double next = dcm_reach(&piece, share, error, last);
            last = next - share;
            share = next;
            dcm_span at = share < 1 ? piece.start + dcm_nanos((double)dcm_since(piece.end, piece.start) * share)
                                    : piece.end;
            answer = dcm_set(to, dcm_piece_value(&piece, share), start + at);
        }
        if (answer != DCM_ANSWER_DONE) return answer;
    }
    return answer;
}

// ---- Movements ----

/// A movement: only `.to` is required. Without `.at` and `.over` it is for now.
typedef struct dcm_movement {
    /// The value: radians, metres, or 0 to 1.
    double to;
    /// The instant at which it is reached.
    dcm_instant at;
    /// Or how long it takes.
    dcm_span over;
    /// Without an easing it is one command: at constant speed from where it is.
    dcm_ease ease;
    /// It begins at this value, in place of the current one.
    double from;
    /// It begins at this instant, in place of now.
    dcm_instant starting;
    /// The error of its lines against the curve; usually `DCM_ERROR`.
    double within;
    /// It replaces all waiting commands of the actuator. A curve drops those that wait for its start or later.
    bool replacing;
} dcm_movement;

/// A movement through keys. Without `.at` it begins now.
typedef struct dcm_phrase {
    dcm_instant at;
    dcm_going going;
    /// It begins at this value, in place of the current one; unless the first key is at time 0.
    double from;
    double within;
} dcm_phrase;

/// A value of a pose.
typedef struct dcm_pose {
    const dcm_actuator *of;
    double value;
} dcm_pose;

static inline dcm_answer dcm_send_move(dcm_actuator actuator, dcm_movement it) {
    if (it.ease == DCM_EASE_NONE && it.from != it.from && it.starting == 0) {
        dcm_instant at = it.at ? it.at : dcm_now() + it.over;
        return it.replacing ? dcm_put(actuator, it.to, at, DCM_MERGE_CLEAR_ALL) : dcm_set(actuator, it.to, at);
    }
    dcm_instant start = it.starting ? it.starting : dcm_now();
    dcm_curve curve = {it.ease, it.from, it.to, it.at ? dcm_since(it.at, start) : it.over, NULL, 0, DCM_GOING_FLOWS, 0};
    if (curve.from != curve.from) curve.from = dcm_sent(actuator);
    if (it.replacing) dcm_clear(actuator);
    return dcm_follow(actuator, &curve, start, it.within);
}

static inline dcm_answer dcm_send_group(const dcm_group *group, dcm_movement it) {
    uint64_t words[3 * DCM_MEMBERS];
    dcm_instant at = it.at ? it.at : dcm_now() + it.over;
    if (group->length == 0) return DCM_ANSWER_UNKNOWN;
    for (uint32_t place = 0; place < group->length; place++) {
        words[3 * place] = group->members[place];
        __builtin_memcpy(&words[3 * place + 1], &it.to, sizeof it.to);
        words[3 * place + 2] = at;
    }
    return dcm_set_all(words, 3 * group->length);
}

static inline dcm_answer dcm_send_keys(dcm_actuator actuator, const dcm_key *keys, size_t count, dcm_phrase it) {
    bool begins = count == 0 || keys[0].at == 0;
    double first = begins ? __builtin_nan("") : it.from == it.from ? it.from : dcm_sent(actuator);
    dcm_curve curve = {DCM_EASE_NONE, 0, 0, 0, keys, count, it.going, first};
    return dcm_follow(actuator, &curve, it.at ? it.at : dcm_now(), it.within);
}

#ifndef __cplusplus
// Members that are given take the place of those that stand first.
#define DCM_WITH(type, ...) \
    (__extension__({ \
        _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Winitializer-overrides\"") \
        type dcm_it = {.from = __builtin_nan(""), .within = DCM_ERROR, __VA_ARGS__}; \
        _Pragma("clang diagnostic pop") dcm_it; \
    }))

/// Moves an actuator: `dcm_move(HeadYaw, .to = deg(30), .over = ms(300))`; see `dcm_movement` for what can be said. A
/// group takes `.to`, `.at` and `.over`: all its members accept the command or none.
#define dcm_move(target, ...) \
    _Generic((target), dcm_actuator: dcm_send_move, dcm_group *: dcm_send_group, const dcm_group *: dcm_send_group)( \
        target, DCM_WITH(dcm_movement, __VA_ARGS__))

/// Moves an actuator through keys, whose times must increase:
/// `dcm_through(HeadYaw, DCM_KEYS({ms(300), 0.3}, {s(1), 0}))`; see `dcm_phrase` for what may follow.
#define dcm_through(target, keys, ...) dcm_send_keys(target, keys, DCM_WITH(dcm_phrase, __VA_ARGS__))

/// Keys that are written where they are used. `DCM_ALL` takes those of an array.
#define DCM_KEYS(...) (const dcm_key[]){__VA_ARGS__}, sizeof((const dcm_key[]){__VA_ARGS__}) / sizeof(dcm_key)
#endif

/// An array and its length, where a function wants both.
#define DCM_ALL(array) (array), sizeof(array) / sizeof((array)[0])

/// The time from the current to this value, at a share of the maximum velocity on average. The peak velocity of an
/// easing is up to 1.9 times its average: a share of 0.5 suits all but `DCM_EASE_BACK_…` and `DCM_GOING_SWINGS`.
static inline dcm_span dcm_time_to(dcm_actuator of, double value, double share) {
    return dcm_nanos(__builtin_fabs(value - dcm_sent(of)) / (dcm_velocity(of) * share) * 1e9);
}

/// Moves to a pose: all move smoothly, and arrive together. It takes the time of the longest movement at this share of
/// its actuator's maximum velocity, and at least `at_least`. Returns the instant of arrival.
static inline dcm_instant dcm_strike(const dcm_pose *pose, size_t count, double share, dcm_span at_least) {
    dcm_span longest = at_least;
    dcm_movement it = {0, 0, 0, DCM_EASE_JERKLESS, __builtin_nan(""), 0, DCM_ERROR, false};
    for (size_t place = 0; place < count; place++) {
        dcm_span needs = dcm_time_to(*pose[place].of, pose[place].value, share);
        if (needs > longest) longest = needs;
    }
    it.at = dcm_now() + longest;
    for (size_t place = 0; place < count; place++) {
        it.to = pose[place].value;
        dcm_send_move(*pose[place].of, it);
    }
    return it.at;
}

// ---- Log lines ----

enum { DCM_LINE = 256 };

typedef struct dcm_line {
    char text[DCM_LINE];
    size_t length;
} dcm_line;

static inline void dcm_add(dcm_line *line, const char *text) {
    while (*text && line->length < DCM_LINE) line->text[line->length++] = *text++;
}

static inline void dcm_add_whole(dcm_line *line, uint64_t value, size_t at_least) {
    char digits[24];
    size_t place = sizeof digits - 1;
    digits[place] = 0;
    while (value > 0 || at_least > 0) {
        digits[--place] = (char)('0' + value % 10);
        value /= 10;
        if (at_least > 0) at_least--;
    }
    dcm_add(line, digits + place);
}

static inline void dcm_add_signed(dcm_line *line, int64_t value) {
    if (value < 0) dcm_add(line, "-");
    dcm_add_whole(line, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 1);
}

static inline void dcm_add_number(dcm_line *line, double value) {
    if (value != value) {
        dcm_add(line, "no number");
        return;
    }
    if (value < 0) dcm_add(line, "-");
    double size = __builtin_fabs(value);
    if (size > 1e15) {
        dcm_add(line, "much");
        return;
    }
    uint64_t thousandths = (uint64_t)(size * 1000 + 0.5), rest = thousandths % 1000;
    size_t places = 3;
    dcm_add_whole(line, thousandths / 1000, 1);
    if (rest == 0) return;
    for (; rest % 10 == 0; places--) rest /= 10;
    dcm_add(line, ".");
    dcm_add_whole(line, rest, places);
}

static inline dcm_answer dcm_write_line(dcm_level level, dcm_line *line) {
    // A character that is cut in two would not be UTF-8.
    if (line->length == DCM_LINE) {
        while (line->length > 0 && ((unsigned char)line->text[line->length - 1] & 0xC0) == 0x80) line->length--;
        if (line->length > 0 && (unsigned char)line->text[line->length - 1] >= 0xC0) line->length--;
    }
    return dcm_log(level, line->text, line->length);
}

/// Writes a line: `dcm_info("%d times, %f m away", times, distance)`. Of printf it knows %s, %d and %u, also with `l` and
/// `ll`, %f, which has three decimals at most, and %%. A line has 256 bytes; a hook may write four.
__attribute__((format(printf, 2, 3))) DCM_ONCE dcm_answer dcm_say(dcm_level level, const char *format, ...) {
    dcm_line line;
    va_list values;
    line.length = 0;
    va_start(values, format);
    for (; *format && line.length < DCM_LINE; format++) {
        if (*format != '%') {
            line.text[line.length++] = *format;
            continue;
        }
        int longs = 0;
        // A width is no help in a log.
        while (*++format == '.' || *format == '-' || (*format >= '0' && *format <= '9')) {}
        for (; *format == 'l'; format++) longs++;
        switch (*format) {
        case 's': dcm_add(&line, va_arg(values, const char *)); break;
        case 'f':
        case 'g': dcm_add_number(&line, va_arg(values, double)); break;
        case 'u': dcm_add_whole(&line, longs > 1 ? va_arg(values, uint64_t) : va_arg(values, uint32_t), 1); break;
        case 'd':
        case 'i':
            dcm_add_signed(&line, longs > 1 ? va_arg(values, int64_t) : va_arg(values, int32_t));
            break;
        case '%': dcm_add(&line, "%"); break;
        default: dcm_add(&line, "?"); break;
        }
        if (!*format) break;
    }
    va_end(values);
    return dcm_write_line(level, &line);
}

#define dcm_debug(...) dcm_say(DCM_LEVEL_DEBUG, __VA_ARGS__)
#define dcm_info(...) dcm_say(DCM_LEVEL_INFO, __VA_ARGS__)
#define dcm_warn(...) dcm_say(DCM_LEVEL_WARNING, __VA_ARGS__)

// ---- What happens before `start` and `run` ----

void __wasm_call_ctors(void);

static inline void dcm_missing(const char *kind, const char *name) {
    dcm_warn("there is no %s `%s` here: it goes on without", kind, name);
}

// Looks up all names, and logs those that this body does not have.
static inline void dcm_learn_all(void) {
#ifndef __wasi__ // whose start file does it
    __wasm_call_ctors();
#endif
    for (const dcm_role *role = dcm_cast; role; role = role->next) {
        if (!role->learn(role)) dcm_missing(role->kind, role->name);
    }
}

static inline void dcm_call_start(void) {
    if (start) start();
}

// Compilers call these for large structs and for loops. They are weak, so that a program may have its own.
__attribute__((weak)) void *memcpy(void *to, const void *from, size_t length) {
    unsigned char *into = (unsigned char *)to;
    const unsigned char *of = (const unsigned char *)from;
    while (length--) *into++ = *of++;
    return to;
}

__attribute__((weak)) void *memmove(void *to, const void *from, size_t length) {
    unsigned char *into = (unsigned char *)to;
    const unsigned char *of = (const unsigned char *)from;
    if (into <= of) return memcpy(to, from, length);
    while (length--) into[length] = of[length];
    return to;
}

__attribute__((weak)) void *memset(void *to, int byte, size_t length) {
    unsigned char *into = (unsigned char *)to;
    while (length--) *into++ = (unsigned char)byte;
    return to;
}

__attribute__((weak)) size_t strlen(const char *text) {
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

#ifdef __cplusplus
}
#endif
#endif
