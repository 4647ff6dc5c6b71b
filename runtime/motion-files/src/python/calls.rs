//! Calls: those that play lists, those that change one, and those that may do anything.

use std::rc::Rc;

use super::doubt::Doubt;
use super::expressions::CodeValue;
use super::known::{PLAYING, TIMELESS, computed, gives, is_playing, last, reaches_all, reads};
use super::literals::{Literal, LiteralValue};
use super::reader::{ExportedLists, LISTS, Reader};
use super::tokens::TokenKind;
use super::words::Words;
use crate::fault::quoted;

/// The most motions in a file.
const MOTIONS_MAX: usize = 1_000;

/// The names that arguments may have, of names, times and keys.
const NAMED: [&[&str]; 3] = [
    &["names", "jointNames", "joints"],
    &["times", "timeLists"],
    &["keys", "angleLists", "angles", "controlPoints"],
];

/// The arguments of a call.
#[derive(Default)]
pub(super) struct Arguments<'t> {
    /// Those without a name.
    plain: Vec<CodeValue<'t>>,
    /// Those with one, and where it is.
    named: Vec<(&'t str, usize, CodeValue<'t>)>,
    /// Whether an argument stands for several.
    is_spread: bool,
}

impl<'t> Arguments<'t> {
    fn all(&self) -> impl Iterator<Item = &CodeValue<'t>> {
        self.plain
            .iter()
            .chain(self.named.iter().map(|named| &named.2))
    }

    fn names(&self) -> Vec<&'t str> {
        self.all()
            .flat_map(|argument| argument.names.iter().copied())
            .collect()
    }
}

impl<'t> Reader<'t, '_> {
    /// A call of a name, or of what another expression gives; the bracket comes next.
    pub(super) fn call(
        &mut self,
        path: Option<&'t str>,
        owner: Option<CodeValue<'t>>,
        words: &mut Words<'_>,
        from: usize,
    ) -> CodeValue<'t> {
        let byte = words.tokens[from].byte();
        let arguments = self.arguments(words);
        let path = path.unwrap_or("");
        let text = self.text_of(&words.tokens[from..words.at]);
        let doubt = Doubt::executed(byte, text);
        let is_own = self.functions.contains(last(path));
        let first = arguments.plain.first().and_then(|argument| argument.path);
        if is_playing(path) && !is_own {
            self.play_call(last(path), &arguments, 0, byte);
            return CodeValue::unknown(doubt, Vec::new());
        }
        if let Some(first) = first.filter(|first| is_playing(first)) {
            // `qi.async(motion.angleInterpolation, names, ...)`
            self.play_call(last(first), &arguments, 1, byte);
            return CodeValue::unknown(doubt, Vec::new());
        }
        if self.edit_call(path, &arguments, byte) {
            return CodeValue::unknown(doubt, Vec::new());
        }
        let is_known =
            owner.is_none() && !is_own && !self.scope.has(path.split('.').next().unwrap_or(path));
        if let Some(value) = builtin(&self.imported(path), &arguments, byte).filter(|_| is_known) {
            return value;
        }
        if reads(path) && !is_own {
            self.has_acted &= path != "print";
            self.has_acted |= TIMELESS.contains(&last(path)) || last(path) == "say";
            return CodeValue::unknown(doubt, Vec::new());
        }
        let mut names = arguments.names();
        names.extend(owner.into_iter().flat_map(|owner| owner.names));
        if gives(path) && !is_own && arguments.named.is_empty() {
            return CodeValue::unknown(doubt, names);
        }
        self.has_acted = true;
        self.helper(path, is_own, &arguments, byte);
        if reaches_all(path) {
            self.scope.spoil_all(&doubt);
        }
        // A method may change the list that it is called of; whoever has an object may change its parts.
        let owners = path.match_indices('.').map(|(at, _)| &path[..at]);
        names.extend(owners);
        names.iter().for_each(|name| self.scope.spoil(name, &doubt));
        CodeValue::unknown(doubt, names)
    }

    fn arguments(&mut self, words: &mut Words<'_>) -> Arguments<'t> {
        let mut arguments = Arguments::default();
        let inside = self.take_bracket(words);
        let mut inside = words.inside(inside);
        while inside.peek().is_some() {
            if let [name, sign, ..] = &inside.tokens[inside.at..]
                && name.kind == TokenKind::Name
                && self.word(sign) == "="
            {
                let (name, byte) = (self.word(name), name.byte());
                inside.at += 2;
                let value = self.expression(&mut inside);
                arguments.named.push((name, byte, value));
            } else {
                arguments.is_spread |= self.take(&mut inside, "*") || self.take(&mut inside, "**");
                let value = self.expression(&mut inside);
                arguments.plain.push(value);
            }
            if !self.take(&mut inside, ",") && inside.peek().is_some() {
                let rest = self.opaque(&inside.tokens[inside.at..]);
                arguments.plain.push(rest);
                break;
            }
        }
        arguments
    }

    /// `names.append(value)` and `names.extend(values)`: whether it is one of these.
    fn edit_call(&mut self, path: &'t str, arguments: &Arguments<'t>, byte: usize) -> bool {
        let (Some((list, method)), [added], []) = (
            path.rsplit_once('.'),
            &arguments.plain[..],
            &arguments.named[..],
        ) else {
            return false;
        };
        if !matches!(method, "append" | "extend") || !self.scope.has(list) {
            return false;
        }
        let is_append = method == "append";
        let mut literal = added.literal.clone();
        if is_append {
            literal = self.list_of(added.byte, vec![added.clone()]).literal;
        } else if let Err(doubt) = self.spend(literal.as_ref().map_or(0, Literal::size)) {
            literal = Err(doubt);
        }
        self.scope.edit(list, &added.names, byte, |value| {
            extended(value, &literal?).ok_or_else(|| Doubt::executed(byte, path))
        });
        true
    }

    /// A call that plays.
    fn play_call(&mut self, name: &str, arguments: &Arguments<'t>, skipped: usize, byte: usize) {
        // Where names, times and keys are among the arguments.
        let order = if name == PLAYING[0] {
            [0, 2, 1]
        } else {
            [0, 1, 2]
        };
        let mut roles: [Option<&CodeValue<'t>>; 3] = [None; 3];
        let (mut absolute, mut strange) = (None, None);
        for (place, argument) in arguments.plain.iter().skip(skipped).enumerate() {
            match order.iter().position(|role| *role == place) {
                Some(role) => roles[role] = Some(argument),
                None if place == 3 => absolute = Some(argument),
                None => {}
            }
        }
        for (name, at, argument) in &arguments.named {
            match NAMED.iter().position(|names| names.contains(name)) {
                Some(role) => roles[role] = Some(argument),
                None if *name == "isAbsolute" => absolute = Some(argument),
                None if name.starts_with('_') => {}
                None => strange = strange.or(Some(Doubt::executed(*at, name))),
            }
        }
        if arguments.is_spread {
            strange = strange.or(Some(Doubt::executed(byte, "*")));
        }
        let lists = match strange {
            Some(doubt) => Err(doubt),
            None => relative(absolute).map_or_else(|| three(roles, byte), Err),
        };
        self.motion(byte, lists);
    }

    /// A function that nobody knows, which gets the three lists, and plays them, perhaps not as they are.
    fn helper(&mut self, path: &str, is_own: bool, arguments: &Arguments<'t>, byte: usize) {
        let is_strange = arguments.all().count() != 3 || arguments.is_spread;
        if is_strange || self.scope.has(path) {
            return;
        }
        let paths: Vec<_> = arguments
            .all()
            .filter_map(|argument| argument.path)
            .collect();
        let is_all = LISTS
            .iter()
            .all(|list| paths.iter().any(|path| last(path) == *list));
        if is_own || !is_all {
            return;
        }
        let value = |list: &str| {
            let mut all = arguments
                .all()
                .filter(|argument| argument.path.is_some_and(|path| last(path) == list));
            all.next().map_or_else(
                || Err(Doubt::executed(byte, list)),
                |value| value.literal.clone(),
            )
        };
        let [names, times, keys] = LISTS.map(value);
        let lists = names.and_then(|names| Ok([names, times?, keys?]));
        if lists.is_ok() {
            let sentence = format!(
                "{} gets names, times and keys, and is not executed: they are taken as they are here",
                quoted(path)
            );
            self.remark(byte, sentence);
        }
        self.motion(byte, lists);
    }

    /// A motion that is played; what is played twice is one.
    pub(super) fn motion(&mut self, byte: usize, lists: Result<[Literal; 3], Doubt>) {
        self.plays += 1;
        let is_same = |motion: &ExportedLists| match (&motion.lists, &lists) {
            (Ok(one), Ok(other)) => one == other,
            (Err(one), Err(other)) => one == other,
            _ => false,
        };
        if let Some(first) = self.motions.iter().find(|motion| is_same(motion)) {
            if first.lists.is_ok() {
                self.remark(
                    byte,
                    "the same lists are played again: they are one motion".to_owned(),
                );
            }
            return;
        }
        let size = lists.iter().flatten().map(Literal::size).sum::<usize>();
        let lists = match self.spend(size) {
            _ if self.motions.len() == MOTIONS_MAX => {
                self.fatal
                    .get_or_insert(Doubt::new(byte, format!("more than {MOTIONS_MAX} motions")));
                return;
            }
            Err(doubt) => Err(doubt),
            Ok(()) => lists,
        };
        let function = self.scope.function().to_owned();
        self.motions.push(ExportedLists {
            function,
            byte,
            lists,
        });
    }
}

/// The three values, or why there are not three.
fn three(roles: [Option<&CodeValue<'_>>; 3], byte: usize) -> Result<[Literal; 3], Doubt> {
    let [names, times, keys] = [0, 1, 2].map(|role| match roles[role] {
        Some(value) => value.literal.clone(),
        None => Err(Doubt::new(
            byte,
            format!("the call has no list for {}", quoted(LISTS[role])),
        )),
    });
    Ok([names?, times?, keys?])
}

/// Why the angles of a call are not absolute, if they are not.
fn relative(argument: Option<&CodeValue<'_>>) -> Option<Doubt> {
    let argument = argument?;
    let literal = match &argument.literal {
        Ok(literal) => literal,
        Err(doubt) => return Some(doubt.clone()),
    };
    let is_absolute = match &literal.value {
        LiteralValue::Bool(is_absolute) => *is_absolute,
        LiteralValue::Number(_) => literal.number() != Ok(0.0),
        _ => return Some(Doubt::executed(argument.byte, "isAbsolute")),
    };
    let sentence = "angles relative to the present ones; fix: export absolute angles";
    (!is_absolute).then(|| Doubt::new(argument.byte, sentence))
}

/// What a function that every script has gives.
fn builtin<'t>(path: &str, arguments: &Arguments<'t>, byte: usize) -> Option<CodeValue<'t>> {
    if !arguments.named.is_empty() || arguments.is_spread {
        return None;
    }
    match (path, &arguments.plain[..]) {
        ("list" | "tuple", []) => Some(CodeValue::known(byte, LiteralValue::list([]))),
        ("list" | "tuple", [list])
            if list
                .literal
                .as_ref()
                .is_ok_and(|literal| literal.items().is_ok()) =>
        {
            Some(CodeValue {
                path: None,
                ..list.clone()
            })
        }
        (_, [value]) => {
            let number = computed(path, value.number()?)?;
            // `float` keeps the digits.
            let literal = match path {
                "float" if !value.literal.as_ref().is_ok_and(Literal::is_whole) => {
                    value.literal.clone().ok()?
                }
                _ => Literal::computed(byte, number),
            };
            Some(CodeValue::known(byte, literal.value))
        }
        _ => None,
    }
}

/// A list with the items of another behind its own.
pub(super) fn extended(list: Literal, more: &Literal) -> Option<Literal> {
    let (LiteralValue::List(mut items), LiteralValue::List(more)) = (list.value, &more.value)
    else {
        return None;
    };
    Rc::make_mut(&mut items).extend(more.iter().cloned());
    Some(Literal {
        byte: list.byte,
        value: LiteralValue::List(items),
    })
}
