// The SDK for choreographies of dcm-run, in C++17: types and units over the header of C. It uses neither the standard
// library nor the heap, neither exceptions nor RTTI; a choreography may use what its toolchain has.
//
//     #include "choreography.hpp"
//     using namespace dcm;
//
//     DCM_SCORE("nod", "Nods, twice.");
//     static Actuator HeadPitch{"HeadPitch"};
//
//     void run() {
//         HeadPitch.through({{300_ms, 0.3}, {600_ms, 0}, {900_ms, 0.3}, {1200_ms, 0}}).now();
//         sleep(1200_ms);
//     }
//
// Hooks are functions under the names of the contract: start, pre_process, post_process, is_alive, stop; in a score,
// run.
#ifndef DCM_CHOREOGRAPHY_HPP
#define DCM_CHOREOGRAPHY_HPP

#include "choreography.h"

namespace dcm {

// ---- generated from wit/ by guest-sdk/bindings: begin ----

/// The answer to a request. A request with another answer than `done` has changed nothing.
enum class Answer : uint32_t {
    /// The request was carried out.
    Done = 0,
    /// There is no such actuator, sensor, parameter or alias.
    Unknown = 1,
    /// The guest's grant or mask forbids it.
    Forbidden = 2,
    /// There is no room for so many commands, events or lines.
    Full = 3,
    /// The value is infinite, or not a number where one is needed.
    NotFinite = 4,
    /// The instant is more than 24.8 days from now.
    OutOfReach = 5,
    /// This may not be called inside a turn.
    InsideATurn = 6,
    /// Another lane holds the exclusive group.
    Taken = 7,
    /// It is not possible with an actuator of this kind.
    WrongKind = 8,
    /// This call of a hook has reached a limit.
    TooMuch = 9,
    /// The guest is ending, and no longer moves anything.
    Ending = 10,
};

/// The state of the whole body.
enum class State : uint32_t {
    /// Only sensors are read, until all positions are known.
    Boot = 0,
    /// Limp: targets follow the sensors.
    Disarmed = 1,
    /// Powered: the gains fade in.
    Armed = 2,
    /// Lanes move the body.
    Running = 3,
    /// The body slows down, and holds its position.
    Holding = 4,
    /// The body moves to its safe pose, then goes limp.
    Safe = 5,
    /// A fault has stopped the body.
    Fault = 6,
    /// The emergency stop is pressed.
    Estop = 7,
};

/// What happens to commands of this guest that are already waiting for the actuator.
enum class Merge : uint32_t {
    /// They are kept.
    Merge = 0,
    /// They are dropped.
    ClearAll = 1,
    /// Those after the first new one are dropped.
    ClearAfter = 2,
    /// Those before the last new one are dropped.
    ClearBefore = 3,
};

/// The log level of a line.
enum class Level : uint32_t {
    /// Details.
    Debug = 0,
    /// The usual course of things.
    Info = 1,
    /// Something is wrong.
    Warning = 2,
};

/// What became of a request. Its commands are executed in the guest's lane; a lane of higher priority may hide them.
enum class Outcome : uint32_t {
    /// Some of its commands still wait.
    Waiting = 0,
    /// All of its commands were executed.
    Arrived = 1,
    /// All were executed, and some of them clipped to the range of their actuator.
    Clipped = 2,
    /// Some were executed while the body did not follow them: it did not run, or the joint was limp.
    Missed = 3,
    /// Some were deleted: by `clear` or a merge, or because the lane lost an exclusive group.
    Cleared = 4,
    /// Some were deleted by `cancel`.
    Cancelled = 5,
    /// Some were dropped because their joint was made limp.
    Dropped = 6,
    /// This number is none of the last 16 that were begun, or the robot follows too many others.
    Unknown = 7,
};

// ---- generated from wit/ by guest-sdk/bindings: end ----

// ---- Units: arithmetic with times saturates, and never wraps ----

/// A length of time; never negative: `300_ms`, `1.5_s`, `ms(400 / speed)`.
class Span {
public:
    constexpr Span() = default;
    static constexpr Span nanos(uint64_t nanos) { return Span(nanos); }
    /// The nearest; a negative number becomes zero.
    static constexpr Span of(double nanos) {
        return Span(nanos > 0 ? nanos < 0x1p64 ? (uint64_t)(nanos + 0.5) : UINT64_MAX : 0);
    }
    constexpr uint64_t nanos() const { return nanos_; }
    constexpr double seconds() const { return (double)nanos_ / 1e9; }

    friend constexpr Span operator+(Span a, Span b) {
        return Span(a.nanos_ + b.nanos_ < a.nanos_ ? UINT64_MAX : a.nanos_ + b.nanos_);
    }
    friend constexpr Span operator-(Span a, Span b) { return Span(a.nanos_ > b.nanos_ ? a.nanos_ - b.nanos_ : 0); }
    friend constexpr Span operator*(Span a, double times) { return of((double)a.nanos_ * times); }
    friend constexpr Span operator*(double times, Span a) { return a * times; }
    friend constexpr Span operator/(Span a, double parts) { return of((double)a.nanos_ / parts); }
    friend constexpr double operator/(Span a, Span whole) { return (double)a.nanos_ / (double)whole.nanos_; }
    friend constexpr bool operator==(Span a, Span b) { return a.nanos_ == b.nanos_; }
    friend constexpr bool operator!=(Span a, Span b) { return a.nanos_ != b.nanos_; }
    friend constexpr bool operator<(Span a, Span b) { return a.nanos_ < b.nanos_; }
    friend constexpr bool operator>(Span a, Span b) { return b < a; }
    friend constexpr bool operator<=(Span a, Span b) { return !(b < a); }
    friend constexpr bool operator>=(Span a, Span b) { return !(a < b); }

private:
    explicit constexpr Span(uint64_t nanos) : nanos_(nanos) {}
    uint64_t nanos_ = 0;
};

/// A point in time, on the robot's clock.
class Instant {
public:
    /// The start of the robot's clock.
    constexpr Instant() = default;
    explicit constexpr Instant(uint64_t nanos) : nanos_(nanos) {}
    constexpr uint64_t nanos() const { return nanos_; }

    friend constexpr Instant operator+(Instant a, Span b) { return Instant((Span::nanos(a.nanos_) + b).nanos()); }
    friend constexpr Instant operator-(Instant a, Span b) { return Instant((Span::nanos(a.nanos_) - b).nanos()); }
    friend constexpr Span operator-(Instant a, Instant b) { return Span::nanos(a.nanos_) - Span::nanos(b.nanos_); }
    constexpr Instant &operator+=(Span span) { return *this = *this + span; }
    friend constexpr bool operator==(Instant a, Instant b) { return a.nanos_ == b.nanos_; }
    friend constexpr bool operator!=(Instant a, Instant b) { return a.nanos_ != b.nanos_; }
    friend constexpr bool operator<(Instant a, Instant b) { return a.nanos_ < b.nanos_; }
    friend constexpr bool operator>(Instant a, Instant b) { return b < a; }
    friend constexpr bool operator<=(Instant a, Instant b) { return !(b < a); }
    friend constexpr bool operator>=(Instant a, Instant b) { return !(a < b); }

private:
    uint64_t nanos_ = 0;
};

/// An angle: `30_deg` is a number of radians wherever a value is wanted.
class Angle {
public:
    explicit constexpr Angle(double radians) : radians_(radians) {}
    constexpr operator double() const { return radians_; }
    constexpr Angle operator-() const { return Angle(-radians_); }

private:
    double radians_;
};

constexpr Span us(double x) { return Span::of(x * 1e3); }
constexpr Span ms(double x) { return Span::of(x * 1e6); }
constexpr Span s(double x) { return Span::of(x * 1e9); }
constexpr Angle deg(double x) { return Angle(x * (DCM_PI / 180)); }

inline namespace literals {
constexpr Span operator""_us(unsigned long long x) { return us((double)x); }
constexpr Span operator""_us(long double x) { return us((double)x); }
constexpr Span operator""_ms(unsigned long long x) { return ms((double)x); }
constexpr Span operator""_ms(long double x) { return ms((double)x); }
constexpr Span operator""_s(unsigned long long x) { return s((double)x); }
constexpr Span operator""_s(long double x) { return s((double)x); }
constexpr Angle operator""_deg(unsigned long long x) { return deg((double)x); }
constexpr Angle operator""_deg(long double x) { return deg((double)x); }
} // namespace literals

/// The instant of this turn; outside a turn, of the last one.
inline Instant now() { return Instant(dcm_now()); }
/// The number of this turn, counted from 1.
inline uint64_t turn() { return dcm_turn(); }
/// The time from one turn to the next.
inline Span period() { return Span::nanos(dcm_period()); }
/// Sleeps until this instant, in a score; returns the instant of waking.
inline Instant sleep_until(Instant at) { return Instant(dcm_sleep_until(at.nanos())); }
inline Instant sleep(Span span) { return sleep_until(now() + span); }

// ---- Movements ----

/// How a movement goes from its start to its end.
enum class Ease {
    Linear = DCM_EASE_LINEAR,
    /// Right for most movements.
    Sine = DCM_EASE_SINE,
    SineIn = DCM_EASE_SINE_IN,
    SineOut = DCM_EASE_SINE_OUT,
    /// As `Sine`, but slower at both ends.
    Cubic = DCM_EASE_CUBIC,
    CubicIn = DCM_EASE_CUBIC_IN,
    CubicOut = DCM_EASE_CUBIC_OUT,
    /// Minimum jerk between two positions at rest: how the arms of animals move.
    Jerkless = DCM_EASE_JERKLESS,
    /// Swings back a little first.
    BackIn = DCM_EASE_BACK_IN,
    /// Overshoots a little, and comes back.
    BackOut = DCM_EASE_BACK_OUT,
};

/// How a curve passes its keys.
enum class Through {
    /// Smoothly, without overshoot.
    Flows = DCM_GOING_FLOWS,
    Straight = DCM_GOING_STRAIGHT,
    /// It stops at every key.
    Stops = DCM_GOING_STOPS,
    /// Smoothly; it may overshoot.
    Swings = DCM_GOING_SWINGS,
};

/// A key: a value, and its time after the start of the movement.
struct Key : dcm_key {
    constexpr Key(Span at, double value) : dcm_key{at.nanos(), value} {}
};

/// A movement that is being built: say when, by `at`, `over` or `now`.
class [[nodiscard]] Move {
public:
    Move(dcm_actuator actuator, double value)
        : actuator_(actuator), it_{value, 0, 0, DCM_EASE_NONE, __builtin_nan(""), 0, DCM_ERROR, false} {}
    /// Uses an easing in place of constant speed. Commands that wait for its start or later are dropped.
    Move eased(Ease ease) const {
        Move it = *this;
        it.it_.ease = (dcm_ease)ease;
        return it;
    }
    /// Begins at this value, in place of the current one.
    Move from(double value) const {
        Move it = *this;
        it.it_.from = value;
        return it;
    }
    /// Begins at this instant, in place of now.
    Move starting(Instant at) const {
        Move it = *this;
        it.it_.starting = at.nanos();
        return it;
    }
    /// The maximum error of the lines against the curve.
    Move within(double error) const {
        Move it = *this;
        it.it_.within = error;
        return it;
    }
    /// Replaces all waiting commands of the actuator.
    Move replacing() const {
        Move it = *this;
        it.it_.replacing = true;
        return it;
    }
    /// Sends it: the value is reached at this instant.
    Answer at(Instant at) const { return send(at.nanos(), 0); }
    /// Sends it: it takes this long.
    Answer over(Span span) const { return send(0, span.nanos()); }
    /// Sends it for now: in `pre_process` the value is sent in the same turn.
    Answer now() const { return send(0, 0); }

private:
    Answer send(dcm_instant at, dcm_span over) const {
        dcm_movement it = it_;
        it.at = at;
        it.over = over;
        return (Answer)dcm_send_move(actuator_, it);
    }
    dcm_actuator actuator_;
    dcm_movement it_;
};

/// A movement through keys that is being built: say when, by `at` or `now`.
class [[nodiscard]] Phrase {
public:
    Phrase(dcm_actuator actuator, const Key *keys, size_t count)
        : actuator_(actuator), keys_(keys), count_(count), it_{0, DCM_GOING_FLOWS, __builtin_nan(""), DCM_ERROR} {}
    Phrase going(Through through) const {
        Phrase it = *this;
        it.it_.going = (dcm_going)through;
        return it;
    }
    /// Begins at this value, in place of the current one; unless the first key is at time 0.
    Phrase from(double value) const {
        Phrase it = *this;
        it.it_.from = value;
        return it;
    }
    Phrase within(double error) const {
        Phrase it = *this;
        it.it_.within = error;
        return it;
    }
    /// Sends it: it starts at this instant.
    Answer at(Instant at) const {
        dcm_phrase it = it_;
        it.at = at.nanos();
        return (Answer)dcm_send_keys(actuator_, keys_, count_, it);
    }
    Answer now() const { return at(dcm::now()); }

private:
    dcm_actuator actuator_;
    const dcm_key *keys_;
    size_t count_;
    dcm_phrase it_;
};

// ---- The cast: objects with static storage, which are looked up before `start` and `run` ----

/// A member of the cast, by name. One that the body does not have is logged at the start.
class Role {
public:
    Role(const Role &) = delete;
    Role &operator=(const Role &) = delete;
    const char *name() const { return role_.name; }

protected:
    template <size_t N>
    Role(const char (&name)[N], const char *kind, bool (*learn)(const dcm_role *), void *into)
        : role_{nullptr, name, N - 1, kind, learn, into, 0, 0, 0} {
        dcm_join(&role_);
        DCM_MOTION_or_DCM_SCORE_is_missing();
    }
    dcm_role role_;
};

/// The limits of an actuator; NaN if this body does not have it.
struct Limits {
    double lowest, highest;
    /// Units per second, and per second squared; infinite if there is no limit.
    double velocity, acceleration;
    double rest;
};

/// A joint, a light, a hand: `static Actuator HeadYaw{"HeadYaw"};`.
class Actuator : public Role {
public:
    template <size_t N>
    explicit Actuator(const char (&name)[N]) : Role(name, "actuator", dcm_learn_actuator, &number_) {}

    /// Whether this body has it. If not, commands to it are answered `Answer::Unknown`.
    bool is_present() const { return number_ != DCM_NONE; }
    /// A command to this value: `HeadYaw.to(30_deg).over(300_ms)`.
    Move to(double value) const { return Move(number_, value); }
    /// A movement through keys, whose times must increase: `HeadYaw.through({{300_ms, 0.3}, {1_s, 0.0}}).now()`.
    template <size_t N>
    Phrase through(const Key (&keys)[N]) const { return Phrase(number_, keys, N); }
    /// Drops all waiting commands: the actuator stops where it is.
    Answer clear() const { return (Answer)dcm_clear(number_); }
    /// The number of commands of this guest that waited when this call of a hook began; 0 in a score.
    uint32_t waiting() const { return dcm_waiting(number_); }
    /// The value that was last sent to it, by whoever.
    double sent() const { return dcm_sent(number_); }
    /// The value that its board has acknowledged.
    double acknowledged() const { return dcm_acknowledged(number_); }
    Limits limits() const {
        return {dcm_lowest(number_), dcm_highest(number_), dcm_velocity(number_), dcm_acceleration(number_), rest()};
    }
    /// Its value at rest.
    double rest() const { return dcm_rest(number_); }
    /// The time from the current to this value, at a share of its maximum velocity on average.
    Span time_to(double value, double share) const { return Span::nanos(dcm_time_to(number_, value, share)); }
    /// Drives it in this turn only, with a weight of 0 to 1,000.
    Answer drive(double value, double share = 1) const { return (Answer)dcm_drive(number_, value, share); }
    /// Requests these gains in this turn. Zero gains make it limp.
    Answer gains(double p, double i, double d, double share = 1) const {
        return (Answer)dcm_set_gains(number_, p, i, d, share);
    }
    /// This guest's weight on this actuator alone, 0 to 1,000.
    Answer set_weight(double weight) const { return (Answer)dcm_set_weight_on(number_, weight); }

private:
    friend struct Pose;
    dcm_actuator number_ = DCM_NONE;
};

/// An alias of the description: all its members get the same command, or none. It has 32 at most.
class Group : public Role {
public:
    class [[nodiscard]] Command {
    public:
        Command(const dcm_group *group, double value) : group_(group), value_(value) {}
        Answer at(Instant at) const { return send(at.nanos(), 0); }
        Answer over(Span span) const { return send(0, span.nanos()); }
        Answer now() const { return send(0, 0); }

    private:
        Answer send(dcm_instant at, dcm_span over) const {
            return (Answer)dcm_send_group(group_, {value_, at, over, DCM_EASE_NONE, 0, 0, 0, false});
        }
        const dcm_group *group_;
        double value_;
    };

    template <size_t N>
    explicit Group(const char (&name)[N]) : Role(name, "alias of 1 to 32 actuators", dcm_learn_group, &group_) {}
    /// The number of members on this body.
    size_t length() const { return group_.length; }
    Command to(double value) const { return Command(&group_, value); }

private:
    dcm_group group_ = {};
};

/// A sensor: `static Sensor Touch{"Head/Touch/Front"};`.
class Sensor : public Role {
public:
    template <size_t N>
    explicit Sensor(const char (&name)[N]) : Role(name, "sensor", dcm_learn_sensor, &number_) {}
    bool is_present() const { return number_ != DCM_NONE; }
    /// Its value: in `pre_process` that of the previous turn, in `post_process` that of this turn; else NaN.
    double read() const { return dcm_read(number_); }
    /// Whether its value is above 0.5: a pressed button, a touched head.
    bool is_on() const { return read() > 0.5; }
    /// The time since its board last answered; zero in this turn.
    Span age() const { return Span::nanos(dcm_age(number_)); }

private:
    dcm_sensor number_ = DCM_NONE;
};

/// A live parameter, its lowest, usual and highest value: `static Param Speed{"speed", 0.5, 1, 2};`.
class Param : public Role {
public:
    template <size_t N>
    Param(const char (&name)[N], double lowest, double usual, double highest)
        : Role(name, "room for the parameter", dcm_learn_param, &param_), param_{DCM_NONE, usual} {
        role_.lowest = lowest;
        role_.usual = usual;
        role_.highest = highest;
    }
    /// Its value, always within its range. It changes between turns only.
    double get() const { return dcm_get(param_); }

private:
    dcm_param param_;
};

/// A topic of events: `static Topic Greeted{"greeted"};`.
class Topic : public Role {
public:
    template <size_t N>
    explicit Topic(const char (&name)[N]) : Role(name, "room for the topic", dcm_learn_topic, &number_) {}
    /// Posts an event. Guests receive it from the next turn on.
    Answer post(double value) const { return (Answer)dcm_post(number_, value); }

private:
    friend class Event;
    uint32_t number_ = DCM_NONE;
};

/// An event that was posted, or none: `while (Event event = next_event())`.
class Event {
public:
    Event() = default;
    Event(uint32_t topic, double value) : value(value), topic_(topic), is_one_(true) {}
    explicit operator bool() const { return is_one_; }
    bool is(const Topic &topic) const { return is_one_ && topic_ == topic.number_; }
    double value = 0;

private:
    uint32_t topic_ = DCM_NONE;
    bool is_one_ = false;
};

/// The next event that this guest has not received yet.
inline Event next_event() {
    return dcm_next_event() ? Event(dcm_current_topic(), dcm_current_value()) : Event();
}

/// A slot, 0 to 255, for a figure that the next version of this guest can read when it replaces this one.
struct Figure {
    uint32_t place;
    Answer keep(double value) const { return (Answer)dcm_keep(place, value); }
    /// The stored figure, or NaN.
    double kept() const { return dcm_kept(place); }
};

/// A value of a pose.
struct Pose {
    const Actuator &actuator;
    double value;
    dcm_pose raw() const { return {&actuator.number_, value}; }
};

/// Moves to a pose: all move smoothly, and arrive together. It takes the time of the longest movement at this share of
/// its actuator's maximum velocity, and at least `at_least`. Returns the instant of arrival.
template <size_t N>
inline Instant strike(const Pose (&pose)[N], double share, Span at_least) {
    dcm_pose raw[N];
    for (size_t place = 0; place < N; place++) raw[place] = pose[place].raw();
    return Instant(dcm_strike(raw, N, share, at_least.nanos()));
}

// ---- The guest's lane ----

/// Sets this guest's priority, at most what its grant allows: `DCM_PRIORITY_LOW`, or any finite number.
inline Answer set_priority(double priority) { return (Answer)dcm_set_priority(priority); }
/// Sets this guest's weight among guests of the same priority, 0 to 1,000.
inline Answer set_weight(double weight) { return (Answer)dcm_set_weight(weight); }
/// What the whole body is doing.
inline State body_state() { return (State)dcm_body_state(); }
/// Whether a guest of higher priority overrides this one on any actuator.
inline bool is_hidden() { return dcm_is_hidden(); }
/// Ends the guest: its lane fades out, `stop` is called, and the guest is removed.
inline Answer finish() { return (Answer)dcm_finish(); }

// ---- Log lines: `say("it is ", distance, " m away")` ----

inline void add_to(dcm_line &line, const char *text) { dcm_add(&line, text); }
inline void add_to(dcm_line &line, bool value) { dcm_add(&line, value ? "yes" : "no"); }
inline void add_to(dcm_line &line, double value) { dcm_add_number(&line, value); }
inline void add_to(dcm_line &line, unsigned long long value) { dcm_add_whole(&line, value, 1); }
inline void add_to(dcm_line &line, unsigned long value) { dcm_add_whole(&line, value, 1); }
inline void add_to(dcm_line &line, unsigned value) { dcm_add_whole(&line, value, 1); }
inline void add_to(dcm_line &line, long long value) { dcm_add_signed(&line, value); }
inline void add_to(dcm_line &line, long value) { dcm_add_signed(&line, value); }
inline void add_to(dcm_line &line, int value) { dcm_add_signed(&line, value); }
inline void add_to(dcm_line &line, Angle value) { dcm_add_number(&line, value); }
inline void add_to(dcm_line &line, Span value) {
    dcm_add_number(&line, (double)value.nanos() / 1e6);
    dcm_add(&line, " ms");
}

template <typename... Parts>
inline Answer write(Level level, const Parts &...parts) {
    dcm_line line;
    line.length = 0;
    (add_to(line, parts), ...);
    return (Answer)dcm_write_line((dcm_level)level, &line);
}

/// Writes an information line. Numbers have three decimals at most; a hook may write four lines.
template <typename... Parts>
inline Answer say(const Parts &...parts) { return write(Level::Info, parts...); }
template <typename... Parts>
inline Answer warn(const Parts &...parts) { return write(Level::Warning, parts...); }
template <typename... Parts>
inline Answer debug(const Parts &...parts) { return write(Level::Debug, parts...); }

} // namespace dcm

#endif
