//! What the parts of a line are: values of expressions, arguments of calls, lists that are played. Made by the files
//! that read them.
//! The law: a value that is not known tells why, and whoever has a list in it is known.

use super::literals::{Literal, LiteralValue};
use super::scope::Doubt;
use crate::fault::quoted;

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) struct Evaluated<'t> {
    pub(super) byte: usize,
    pub(super) value: Result<Literal, Doubt>,
    /// The named lists in it: whoever has it can change them.
    pub(super) lists: Vec<&'t str>,
}

impl<'t> Evaluated<'t> {
    pub(super) fn known(byte: usize, value: LiteralValue) -> Self {
        Evaluated {
            byte,
            value: Ok(Literal { byte, value }),
            lists: Vec::new(),
        }
    }

    pub(super) fn unknown(byte: usize, what: &str) -> Self {
        let sentence = format!(
            "{} would have to be executed; fix: write its value",
            quoted(what)
        );
        Evaluated {
            byte,
            value: Err(Doubt::new(byte, sentence)),
            lists: Vec::new(),
        }
    }

    /// What comes of it and others, which is not known.
    pub(super) fn lost(mut self, what: &str, others: Vec<&'t str>) -> Self {
        self.lists.extend(others);
        if self.value.is_ok() {
            self.value = Evaluated::unknown(self.byte, what).value;
        }
        self
    }

    /// The same, with the lists of what it was called by.
    pub(super) fn lost_to(mut self, owner: Evaluated<'t>) -> Self {
        self.lists.extend(owner.lists);
        self.byte = owner.byte;
        self
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.value.as_ref().ok()?.number().ok()
    }
}

/// The last part of a name with points in it.
pub(super) fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The arguments of a call.
#[derive(Default)]
pub(super) struct Arguments<'t> {
    /// Those without a name.
    pub(super) plain: Vec<Argument<'t>>,
    /// Those with one, and where it is.
    pub(super) named: Vec<(&'t str, usize, Argument<'t>)>,
    /// Whether an argument stands for several.
    pub(super) is_spread: bool,
}

/// One of them.
pub(super) struct Argument<'t> {
    /// It is no more than this name.
    pub(super) path: Option<&'t str>,
    pub(super) it: Evaluated<'t>,
}

impl<'t> Arguments<'t> {
    pub(super) fn lists(&self) -> Vec<&'t str> {
        let named = self.named.iter().map(|it| &it.2);
        let all = self.plain.iter().chain(named);
        all.flat_map(|it| it.it.lists.iter().copied()).collect()
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.plain.first()?.it.value.as_ref().ok()?.number().ok()
    }
}

/// The lists of one motion: names, times, keys; and the function that it is in.
pub(super) struct ExportedLists {
    pub(super) function: String,
    /// The functions that it is in, by their numbers.
    pub(super) readers: Vec<usize>,
    /// Whether it is in a call that was followed, and whether a function gives it back and does not play it.
    pub(super) is_at_call: bool,
    pub(super) is_returned: bool,
    /// What is called with them.
    pub(super) byte: usize,
    pub(super) lists: Result<[Literal; 3], Doubt>,
}

/// What a followed function gives back.
#[derive(Default)]
pub(super) struct FollowedCall<'t> {
    pub(super) name: &'t str,
    /// How many blocks there are around its lines.
    pub(super) blocks: usize,
    pub(super) given: Option<Evaluated<'t>>,
    /// Whether it may give something else.
    pub(super) is_doubtful: bool,
}

impl<'t> FollowedCall<'t> {
    /// A function that is read where it stands, within one that is followed.
    pub(super) fn of(name: &'t str) -> Self {
        FollowedCall {
            name,
            ..FollowedCall::default()
        }
    }
}
