//! The calls that play lists: which argument is what, and the motions that come of them. Called by `calls` and
//! `statements`.
//! The law: lists that are played are a motion if all three are known; otherwise the first doubt is its mistake.

use super::known::PLAYING;
use super::literals::{Literal, LiteralValue};
use super::reader::{LISTS, PythonReader};
use super::scope::Doubt;
use super::values::{Argument, Arguments, Evaluated, ExportedLists, last};
use crate::fault::{FileMistake, quoted};

/// The most motions in a file.
const MOTIONS_MAX: usize = 1_000;

/// The names that arguments may have, of names, times and keys.
const NAMED: [&[&str]; 3] = [
    &["names", "jointNames", "joints"],
    &["times", "timeLists"],
    &["keys", "angleLists", "angles", "controlPoints"],
];

impl<'t> PythonReader<'t, '_> {
    /// What a call plays; none if it is no call that plays.
    pub(super) fn plays(
        &mut self,
        (name, is_bare): (&'t str, bool),
        arguments: &Arguments<'t>,
        byte: usize,
    ) -> Result<Option<Evaluated<'t>>, FileMistake> {
        let handed = arguments.plain.first().and_then(|it| it.path).map(last);
        if is_bare && (self.functions.contains(name) || self.texts.get(name).is_some()) {
            return Ok(None);
        }
        let (order, skipped) = match (order(name), handed.and_then(order)) {
            (Some(order), _) => (order, 0),
            // `qi.async(motion.angleInterpolation, names, ...)`
            (None, Some(order)) => (order, 1),
            (None, None) => return Ok(None),
        };
        let mut roles: [Option<&Argument<'t>>; 3] = [None; 3];
        let (mut is_absolute, mut strange) = (None, None);
        let plain = arguments.plain.iter().skip(skipped);
        for (place, argument) in plain.enumerate() {
            match order.iter().position(|it| *it == place) {
                Some(role) => roles[role] = Some(argument),
                None if place == 3 => is_absolute = Some(argument),
                None => {}
            }
        }
        for (name, at, argument) in &arguments.named {
            let role = NAMED.iter().position(|it| it.contains(name));
            match role {
                Some(role) => roles[role] = Some(argument),
                None if *name == "isAbsolute" => is_absolute = Some(argument),
                None if name.starts_with('_') => {}
                None => strange = strange.or(Evaluated::unknown(*at, name).value.err()),
            }
        }
        let doubt = strange.or_else(|| is_absolute.and_then(|it| self.absolute(it).err()));
        let lists = self.lists(roles, byte);
        let lists = lists.and_then(|lists| doubt.map_or(Ok(lists), Err));
        for name in roles.iter().flatten().flat_map(|it| &it.it.lists) {
            self.scope.play(name);
        }
        self.motion(byte, lists)?;
        Ok(Some(Evaluated::unknown(byte, name)))
    }

    /// The three values, or why there are not three.
    fn lists(&self, roles: [Option<&Argument<'t>>; 3], byte: usize) -> Result<[Literal; 3], Doubt> {
        let [names, times, keys] = [0, 1, 2].map(|role| match roles[role] {
            Some(argument) => argument.it.value.clone(),
            None => {
                let sentence = format!("the call has no list for {}", quoted(LISTS[role]));
                Err(Doubt::new(byte, sentence))
            }
        });
        Ok([names?, times?, keys?])
    }

    /// Whether angles are absolute.
    fn absolute(&self, argument: &Argument<'_>) -> Result<(), Doubt> {
        let value = argument.it.value.clone()?;
        let is_absolute = match &value.value {
            LiteralValue::Bool(it) => *it,
            LiteralValue::Number(text) => text.parse::<f64>().is_ok_and(|it| it != 0.0),
            _ => true,
        };
        if is_absolute {
            return Ok(());
        }
        // Of a function that is followed, the call has said so.
        let byte = match self.calls.is_empty() {
            true => argument.it.byte,
            false => value.byte,
        };
        let sentence = "angles relative to the present ones; fix: export absolute angles";
        Err(Doubt::new(byte, sentence))
    }

    /// The lists of these names are a motion.
    pub(super) fn play(&mut self, names: [&'t str; 3], byte: usize) -> Result<(), FileMistake> {
        let value = |name: &str| match self.scope.get(name) {
            Some(variable) => variable.value.clone(),
            None => {
                let sentence = format!(
                    "there is no list {}; fix: check that it is an export of Choregraphe",
                    quoted(name)
                );
                Err(Doubt::new(0, sentence))
            }
        };
        let lists = names.map(value);
        let [one, two, three] = lists;
        let lists = one.and_then(|one| Ok([one, two?, three?]));
        for name in names {
            self.scope.play(name);
        }
        self.motion(byte, lists)
    }

    /// A motion that is played; what is played twice is one.
    pub(super) fn motion(
        &mut self,
        byte: usize,
        lists: Result<[Literal; 3], Doubt>,
    ) -> Result<(), FileMistake> {
        self.plays += 1;
        let is_at_call = !self.calls.is_empty();
        let is_same = |it: &ExportedLists| match (&it.lists, &lists) {
            (Ok(one), Ok(other)) => one == other,
            (Err(one), Err(other)) => one.byte == other.byte && it.is_at_call == is_at_call,
            _ => false,
        };
        if let Some(first) = self.motions.iter().find(|it| is_same(it)) {
            // What a function gives back is played by its caller.
            if first.lists.is_ok() && !first.is_returned && first.is_at_call == is_at_call {
                let sentence = "the same lists are played again: they are one motion";
                self.remark(byte, sentence.to_owned());
            }
            return Ok(());
        }
        if self.motions.len() == MOTIONS_MAX {
            return Err(self
                .cursor
                .wrong(format!("more than {MOTIONS_MAX} motions")));
        }
        let size = lists.iter().flatten().map(Literal::size).sum::<usize>();
        self.spend(size)?;
        let function = self.function.to_owned();
        let readers = self.scope.readers();
        self.motions.push(ExportedLists {
            function,
            readers,
            is_at_call,
            is_returned: false,
            byte,
            lists,
        });
        Ok(())
    }
}

/// Where names, times and keys are among the arguments.
fn order(name: &str) -> Option<[usize; 3]> {
    match name {
        _ if name == PLAYING[0] => Some([0, 2, 1]),
        _ if name == PLAYING[1] => Some([0, 1, 2]),
        _ => None,
    }
}
