//! `choreography!`: declares the cast, the hooks and the manifest of a choreography.

/// Declares a choreography: its name, its hooks, its cast.
///
/// ```
/// use choreography::prelude::*;
///
/// choreography! {
///     /// Nods when its head is touched.
///     motion Nod as "nod";
///     hooks pre_process, is_alive;                           // of `Motion`; only these are called
///     joints HeadPitch, Yaw = "HeadYaw";                     // by the names of the body's description
///     lights Chest = "ChestBoard/Led/Blue";
///     triggers Sonar = "US";
///     limbs RArm = choreography::kinematics::nao::RIGHT_HAND; // joints that reach together
///     groups Eyes = "FaceLedsBlue";                          // an alias: all its members at once
///     sensors Touch = "Head/Touch/Front";
///     params Depth = "depth" from 0.1 to 0.5 usually 0.3;    // can be changed while it plays
///     topics Nodded = "nodded";                              // events to other guests
///     fuel 20_000;                                           // for each call of a hook
///     priority 5.0;
///     weight 0.5;
///     fade_in 500 ms;
///     fade_out 500 ms;
/// }
///
/// struct Nod {
///     nodded: bool,
/// }
///
/// impl Motion for Nod {
///     fn start() -> Nod {
///         Nod { nodded: false }
///     }
///     fn pre_process(&mut self, now: Instant) {
///         if Touch.is_on() && !self.nodded {
///             HeadPitch.through(&[(300.ms(), Depth.get()), (600.ms(), 0.0)]).at(now);
///             self.nodded = true;
///         }
///     }
///     fn is_alive(&self) -> bool {
///         !self.nodded || HeadPitch.waiting() > 0
///     }
/// }
/// ```
///
/// One that plays until it is stopped declares `loops;`, or `dcm-run check` reports that it does not end.
///
/// Only the first line is required; the others may come in any order. Members of the cast begin with a
/// capital letter: they are statics, which `let` cannot shadow. The text above the first line is the description
/// in the manifest. In a guest the macro exports the hooks, and writes the custom section
/// `dcm:manifest`. A crate has one choreography.
///
/// An unknown word is an error that lists the known ones:
///
/// ```compile_fail
/// # use choreography::prelude::*;
/// choreography! {
///     motion Nod as "nod";
///     joint HeadYaw; // it is `joints`
/// }
/// ```
#[macro_export]
macro_rules! choreography {
    ($(#[doc = $about:literal])* $world:ident $type:ident as $name:literal; $($rest:tt)*) => {
        $crate::__cast! {
            @ [$world $type $name [$($about)*]] [] [] [] $($rest)*
        }
    };
    ($($other:tt)*) => {
        compile_error!("begin with `/// what it does`, then `motion Name as \"name\";` or `score Name as \"name\";`");
    };
}

/// Parses the cast one item at a time, and collects the hooks, members and settings.
#[doc(hidden)]
#[macro_export]
macro_rules! __cast {
    (@ $what:tt [] $roles:tt $says:tt hooks $($hook:ident),+ $(,)?; $($rest:tt)*) => {
        $crate::__cast! { @ $what [$($hook)+] $roles $says $($rest)* }
    };
    (@ $what:tt $hooks:tt [$($roles:tt)*] $says:tt
        joints $($id:ident $(= $name:literal)?),+ $(,)?; $($rest:tt)*) => {
        $($crate::__static! { $id: Actuator = $crate::__name!($id $(= $name)?) })+
        $crate::__cast! { @ $what $hooks [$($roles)* $($id)+] $says $($rest)* }
    };
    (@ $what:tt $hooks:tt [$($roles:tt)*] $says:tt
        limbs $($id:ident = $chain:expr),+ $(,)?; $($rest:tt)*) => {
        $($crate::__limb! { $id = $chain })+
        $crate::__cast! { @ $what $hooks [$($roles)* $($id)+] $says $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt $says:tt lights $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles $says joints $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt $says:tt triggers $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles $says joints $($rest)* }
    };
    (@ $what:tt $hooks:tt [$($roles:tt)*] $says:tt
        groups $($id:ident $(= $name:literal)?),+ $(,)?; $($rest:tt)*) => {
        $($crate::__static! { $id: Group = $crate::__name!($id $(= $name)?) })+
        $crate::__cast! { @ $what $hooks [$($roles)* $($id)+] $says $($rest)* }
    };
    (@ $what:tt $hooks:tt [$($roles:tt)*] $says:tt
        sensors $($id:ident $(= $name:literal)?),+ $(,)?; $($rest:tt)*) => {
        $($crate::__static! { $id: Sensor = $crate::__name!($id $(= $name)?) })+
        $crate::__cast! { @ $what $hooks [$($roles)* $($id)+] $says $($rest)* }
    };
    (@ $what:tt $hooks:tt [$($roles:tt)*] $says:tt
        params $($id:ident = $name:literal from $low:literal to $high:literal usually $usual:literal),+ $(,)?;
        $($rest:tt)*) => {
        $($crate::__static! { $id: Param = $name, $low, $usual, $high })+
        $crate::__cast! { @ $what $hooks [$($roles)* $($id)+] $says $($rest)* }
    };
    (@ $what:tt $hooks:tt [$($roles:tt)*] $says:tt
        topics $($id:ident = $name:literal),+ $(,)?; $($rest:tt)*) => {
        $($crate::__static! { $id: Topic = $name })+
        $crate::__cast! { @ $what $hooks [$($roles)* $($id)+] $says $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt [$($says:tt)*] fuel $of:literal; $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles [$($says)* "fuel = ", stringify!($of), "\n",] $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt [$($says:tt)*] priority $of:literal; $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles [$($says)* "priority = ", stringify!($of), "\n",] $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt [$($says:tt)*] loops; $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles [$($says)* "loops = true\n",] $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt [$($says:tt)*] weight $of:literal; $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles [$($says)* "weight = ", stringify!($of), "\n",] $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt [$($says:tt)*] fade_in $of:literal ms; $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles [$($says)* "fade-in = ", stringify!($of), "\n",] $($rest)* }
    };
    (@ $what:tt $hooks:tt $roles:tt [$($says:tt)*] fade_out $of:literal ms; $($rest:tt)*) => {
        $crate::__cast! { @ $what $hooks $roles [$($says)* "fade-out = ", stringify!($of), "\n",] $($rest)* }
    };
    (@ [motion $type:ident $name:literal $about:tt] [$($hook:ident)*] $roles:tt $says:tt) => {
        $crate::__told! { $type $name $about $roles $says
            $crate::rehearsal::Part::motion::<$type>(&[$(stringify!($hook)),*]) }
        $($crate::__is_hook! { $hook })*
        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code, reason = "a hook is found by its name")]
        const _: () = {
            static PLACE: $crate::Place<$type> = $crate::Place::new();

            #[unsafe(export_name = "start")]
            extern "C" fn start() {
                $crate::enter(<$type as $crate::Choreography>::cast());
                PLACE.enter(<$type as $crate::Motion>::start());
            }

            $($crate::__export! { $hook $type PLACE })*
        };
    };
    (@ [score $type:ident $name:literal $about:tt] [] $roles:tt $says:tt) => {
        $crate::__told! { $type $name $about $roles $says $crate::rehearsal::Part::score::<$type>() }
        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code, reason = "a score's run is found by its name")]
        const _: () = {
            #[unsafe(export_name = "run")]
            extern "C" fn run() {
                $crate::enter(<$type as $crate::Choreography>::cast());
                <$type as $crate::Score>::run();
            }
        };
    };
    (@ [score $($what:tt)*] [$($hook:ident)+] $roles:tt $says:tt) => {
        compile_error!("a score has no hooks: it is one `run`. A `motion` has hooks.");
    };
    (@ [$world:ident $($what:tt)*] $hooks:tt $roles:tt $says:tt) => {
        compile_error!(concat!("`", stringify!($world), "` is no world: there are `motion` and `score`"));
    };
    (@ $what:tt $hooks:tt $roles:tt $says:tt $word:ident $($rest:tt)*) => {
        compile_error!(concat!(
            "the cast cannot be read at `", stringify!($word), "`: each part ends with `;`, and there are\n",
            "  hooks pre_process, post_process, is_alive, stop;   (once)\n",
            "  joints HeadYaw, Other = \"Name\";   also: lights, triggers, groups, sensors\n",
            "  limbs RHand = nao::RIGHT_HAND;\n",
            "  params Speed = \"speed\" from 0.5 to 2.0 usually 1.0;\n",
            "  topics Greeted = \"greeted\";\n",
            "  fuel 20_000; priority 5.0; weight 0.5; fade_in 500 ms; fade_out 500 ms; loops;"
        ));
    };
    (@ $what:tt $hooks:tt $roles:tt $says:tt $($rest:tt)*) => {
        compile_error!("each part of a cast ends with one `;`");
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __name {
    ($id:ident) => {
        stringify!($id)
    };
    ($id:ident = $name:literal) => {
        $name
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __static {
    ($id:ident: $type:ident = $($named:expr),+) => {
        #[allow(non_upper_case_globals, reason = "named as on the body")]
        static $id: $crate::$type = $crate::$type::named($($named),+);
    };
}

/// The room that a limb needs is known when its chain is compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! __limb {
    ($id:ident = $chain:expr) => {
        #[allow(non_upper_case_globals, reason = "named as on the body")]
        static $id: $crate::kinematics::BodyLimb<
            {
                const CHAIN: $crate::kinematics::LimbChain = $chain;
                CHAIN.size()
            },
        > = $crate::kinematics::BodyLimb::new($chain);
    };
}

/// Implements the trait, and writes the custom section.
#[doc(hidden)]
#[macro_export]
macro_rules! __told {
    ($type:ident $name:literal [$($about:literal)*] [$($id:ident)*] [$($says:tt)*] $part:expr) => {
        impl $crate::Choreography for $type {
            const NAME: &'static str = $name;
            const MANIFEST: &'static str = concat!(
                "name = \"", $name, "\"\n",
                "version = \"", env!("CARGO_PKG_VERSION"), "\"\n",
                // A backslash at a line's end would remove the space with which a doc comment begins.
                "about = \"\"\"\\\n", $($about,)* "\"\"\"\n",
                $($says)*
            );

            fn cast() -> &'static [&'static dyn $crate::Role] {
                static CAST: &[&dyn $crate::Role] = &[$(&$id),*];
                CAST
            }

            #[cfg(not(target_arch = "wasm32"))]
            fn part() -> $crate::rehearsal::Part {
                $part
            }
        }

        #[cfg(target_arch = "wasm32")]
        #[allow(unsafe_code, reason = "a custom section of its own: nothing else lies there")]
        #[doc(hidden)]
        #[unsafe(link_section = "dcm:manifest")]
        pub static DCM_MANIFEST: [u8; <$type as $crate::Choreography>::MANIFEST.len()] =
            $crate::bytes(<$type as $crate::Choreography>::MANIFEST);
    };
}

/// Refuses an unknown hook.
#[doc(hidden)]
#[macro_export]
macro_rules! __is_hook {
    (pre_process) => {};
    (post_process) => {};
    (is_alive) => {};
    (stop) => {};
    (start) => {
        compile_error!("`start` is always called: leave it out of `hooks`");
    };
    ($other:ident) => {
        compile_error!(concat!(
            "`",
            stringify!($other),
            "` is no hook: there are `pre_process`, `post_process`, `is_alive` and `stop`"
        ));
    };
}

/// Exports one hook.
#[doc(hidden)]
#[macro_export]
macro_rules! __export {
    (pre_process $type:ident $place:ident) => {
        #[unsafe(export_name = "pre-process")]
        extern "C" fn pre_process() {
            $place.ask(|guest| $crate::Motion::pre_process(guest, $crate::now()));
        }
    };
    (post_process $type:ident $place:ident) => {
        #[unsafe(export_name = "post-process")]
        extern "C" fn post_process() {
            $place.ask(|guest| $crate::Motion::post_process(guest, $crate::now()));
        }
    };
    (is_alive $type:ident $place:ident) => {
        #[unsafe(export_name = "is-alive")]
        extern "C" fn is_alive() -> u32 {
            u32::from(
                $place
                    .ask(|guest| $crate::Motion::is_alive(guest))
                    .unwrap_or(false),
            )
        }
    };
    (stop $type:ident $place:ident) => {
        #[unsafe(export_name = "stop")]
        extern "C" fn stop() {
            $place.ask($crate::Motion::stop);
        }
    };
    ($other:ident $type:ident $place:ident) => {};
}
