//! Defines an enum, its names and its numbers from one table, so that they always agree.
//! Used here, by the drivers and by other crates that count or record something by its kind.
//! The number of a value is its index in the list.

/// Defines an enum without fields and, from the same lines, `ALL`, `NAMES`, `name` and `of_name`.
///
/// ```
/// cycle::named_enum! {
///     /// How loud.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Volume {
///         /// A whisper.
///         Low => "low",
///         /// A shout.
///         High => "high",
///     }
/// }
/// assert_eq!(Volume::ALL.map(Volume::name), Volume::NAMES);
/// assert_eq!(Volume::of_name("high"), Some(Volume::High));
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $Name:ident {
            $($(#[$doc:meta])* $Variant:ident $(= $number:literal)? => $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        $vis enum $Name {
            $($(#[$doc])* $Variant $(= $number)?,)+
        }

        impl $Name {
            /// Every value, in the order of the numbers.
            pub const ALL: [$Name; [$($name),+].len()] = [$($Name::$Variant),+];

            /// The names, in the same order.
            pub const NAMES: [&'static str; $Name::ALL.len()] = [$($name),+];

            /// The name.
            pub const fn name(self) -> &'static str {
                $Name::NAMES[self as usize]
            }

            /// The value of this name.
            pub fn of_name(name: &str) -> Option<$Name> {
                let place = $Name::NAMES.iter().position(|item| *item == name)?;
                Some($Name::ALL[place])
            }
        }

        // A number that is written out must be the index in the list.
        const _: () = {
            let mut place = 0;
            while place < $Name::ALL.len() {
                assert!($Name::ALL[place] as usize == place);
                place += 1;
            }
        };
    };
}
