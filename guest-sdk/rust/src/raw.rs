//! The imports of the contract: every function of `wit/` by its own name; and the place of the guest's state.
//! Called by every other file of this crate; the only one with `unsafe`.
//! Natively the same functions call the stage of a rehearsal, so the code above is the same.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::rehearsal::host::*;
#[cfg(target_arch = "wasm32")]
pub(crate) use imports::*;
#[cfg(target_arch = "wasm32")]
pub use place::Place;

/// The number that stands for `None`.
pub(crate) const NONE: u32 = u32::MAX;

#[cfg(target_arch = "wasm32")]
mod imports {
    #![allow(
        unsafe_code,
        reason = "imports: the host checks every argument, and takes texts by their place"
    )]

    /// An interface of the contract. Functions with scalar arguments are safe to call.
    macro_rules! interface {
        ($module:literal { $($name:literal $fn:ident($($arg:ident: $type:ty),*) $(-> $result:ty)?;)* }) => {
            #[link(wasm_import_module = $module)]
            unsafe extern "C" {
                $(#[link_name = $name] pub(crate) safe fn $fn($($arg: $type),*) $(-> $result)?;)*
            }
        };
    }

    /// Functions that take a text: it is passed as its address and its length.
    macro_rules! texts {
        ($module:literal { $($name:literal $fn:ident(text $(, $arg:ident: $type:ty)*) -> $result:ty;)* }) => {
            $(pub(crate) fn $fn(text: &str $(, $arg: $type)*) -> $result {
                #[link(wasm_import_module = $module)]
                unsafe extern "C" {
                    #[link_name = $name]
                    fn import(text: *const u8, length: usize $(, $arg: $type)*) -> $result;
                }
                // SAFETY: the text lives until the host's function returns.
                unsafe { import(text.as_ptr(), text.len() $(, $arg)*) }
            })*
        };
    }

    texts! { "dcm:choreography/body@0.1.0" {
        "find-actuator" find_actuator(text) -> u32;
        "find-sensor" find_sensor(text) -> u32;
        "alias-length" alias_length(text) -> u32;
        "alias-member" alias_member(text, place: u32) -> u32;
    } }
    interface! { "dcm:choreography/body@0.1.0" {
        "lowest" lowest(of: u32) -> f64;
        "highest" highest(of: u32) -> f64;
        "velocity" velocity(of: u32) -> f64;
        "acceleration" acceleration(of: u32) -> f64;
        "rest" rest(of: u32) -> f64;
        "period" period() -> u64;
    } }
    interface! { "dcm:choreography/commands@0.1.0" {
        "set" set(to: u32, value: f64, at: u64) -> u32;
        "put" put(to: u32, value: f64, at: u64, merge: u32) -> u32;
        "clear" clear(of: u32) -> u32;
        "waiting" waiting(on: u32) -> u32;
    } }
    interface! { "dcm:choreography/requests@0.1.0" {
        "begin" begin_request() -> u32;
        "left" request_left(request: u32) -> u32;
        "outcome-of" request_outcome(request: u32) -> u32;
        "cancel" cancel_request(request: u32) -> u32;
    } }
    interface! { "dcm:choreography/lane@0.1.0" {
        "set-priority" set_priority(priority: f64) -> u32;
        "set-weight" set_weight(weight: f64) -> u32;
        "set-weight-on" set_weight_on(of: u32, weight: f64) -> u32;
        "drive" drive(to: u32, value: f64, weight: f64) -> u32;
        "set-gains" set_gains(of: u32, p: f64, i: f64, d: f64, weight: f64) -> u32;
        "sent" sent(to: u32) -> f64;
        "body-state" body_state() -> u32;
        "is-hidden" is_hidden() -> u32;
        "finish" finish() -> u32;
    } }
    interface! { "dcm:choreography/sensors@0.1.0" {
        "read" read(of: u32) -> f64;
        "age" age(of: u32) -> u64;
        "acknowledged" acknowledged(by: u32) -> f64;
    } }
    interface! { "dcm:choreography/clock@0.1.0" {
        "now" now() -> u64;
        "turn" turn() -> u64;
        "sleep-until" sleep_until(at: u64) -> u64;
    } }
    texts! { "dcm:choreography/events@0.1.0" { "topic" topic(text) -> u32; } }
    interface! { "dcm:choreography/events@0.1.0" {
        "post" post(topic: u32, value: f64) -> u32;
        "next" next_event() -> u32;
        "current-topic" current_topic() -> u32;
        "current-value" current_value() -> f64;
    } }
    texts! { "dcm:choreography/params@0.1.0" {
        "declare" declare(text, lowest: f64, usual: f64, highest: f64) -> u32;
    } }
    interface! { "dcm:choreography/params@0.1.0" { "get" param(param: u32) -> f64; } }
    interface! { "dcm:choreography/state@0.1.0" {
        "keep" keep(place: u32, value: f64) -> u32;
        "kept" kept(place: u32) -> f64;
    } }

    /// The bytes are valid UTF-8: see `Line`.
    pub(crate) fn write(level: u32, text: &[u8]) -> u32 {
        #[link(wasm_import_module = "dcm:choreography/log@0.1.0")]
        unsafe extern "C" {
            fn write(level: u32, text: *const u8, length: usize) -> u32;
        }
        // SAFETY: the text lives until the host's function returns.
        unsafe { write(level, text.as_ptr(), text.len()) }
    }

    pub(crate) fn set_all(words: &[u64]) -> u32 {
        #[link(wasm_import_module = "dcm:choreography/bulk@0.1.0")]
        unsafe extern "C" {
            #[link_name = "set-all"]
            fn set_all(words: *const u64, length: usize) -> u32;
        }
        // SAFETY: the words live until the host's function returns.
        unsafe { set_all(words.as_ptr(), words.len()) }
    }
}

#[cfg(target_arch = "wasm32")]
mod place {
    #![allow(
        unsafe_code,
        reason = "one guest, one thread: its state lies in a static"
    )]

    use core::cell::UnsafeCell;

    /// The place of a motion's state between its hooks.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Place<T>(UnsafeCell<Option<T>>);

    // SAFETY: a guest has one thread.
    unsafe impl<T> Sync for Place<T> {}

    impl<T> Place<T> {
        /// An empty place.
        #[expect(clippy::new_without_default, reason = "it is for a static")]
        pub const fn new() -> Place<T> {
            Place(UnsafeCell::new(None))
        }

        /// Stores the state.
        pub fn enter(&self, guest: T) {
            // SAFETY: hooks are called one after the other, and none keeps a reference.
            unsafe { *self.0.get() = Some(guest) }
        }

        /// Calls a function with the state.
        pub fn ask<R>(&self, hook: impl FnOnce(&mut T) -> R) -> Option<R> {
            // SAFETY: as above.
            unsafe { (*self.0.get()).as_mut().map(hook) }
        }
    }
}
