//! Preferences and calibrations of a running robot: read, tried, kept, and taken back.
//! Called by the request handler. What is tried lasts until the loop ends; only what is kept is written, and
//! the robot loads with it.

use ::protocol::{Ask, ErrorCode, PreferenceChange, PreferenceStatus, ReplyBody, RequestError};
use cycle::ActuatorId;
use description::{WriteError, key_parts, key_text, local_text, restore, show, try_values, write};

use super::handler::RequestHandler;
use super::preference_book::BeforeKeeping;
use super::preference_keys::{left_out, offset_key, offset_values, offset_within, own_keys};

/// How many values are tried at a time, and how often what was kept can be taken back.
const TRIED_MAX: usize = 256;
const UNDO_MAX: usize = 64;

/// The longest key and value, bytes.
const TEXT_MAX: usize = 4096;

impl RequestHandler {
    /// Answers a request about preferences and calibrations.
    pub(super) fn preference_request(&self, ask: Ask) -> Result<ReplyBody, RequestError> {
        match ask {
            Ask::Calibration { of } => self.calibration(&of),
            Ask::Calibrate {
                joint,
                at,
                moved,
                measures,
            } => self.calibrate(&joint, (at, moved), measures),
            Ask::TryPreference { key, value } => self.try_preference(&key, &value),
            Ask::KeepPreferences => self.keep_preferences(),
            Ask::UndoPreferences { kept } => self.undo_preferences(kept),
            Ask::Preferences { key } => self.preferences(&key),
            // The handler passes on no others.
            _ => self.preferences(""),
        }
    }

    /// The values of the description whose keys begin with `key`; or the one that a key of the NAO's stands for.
    fn preferences(&self, key: &str) -> Result<ReplyBody, RequestError> {
        let source = self.preferences.open().source()?.clone();
        let shown = show(&source)
            .map_err(|why| ErrorCode::Damaged.error(why.to_string().replace('\n', " ")))?;
        let tried = self.tried();
        let mut told: Vec<_> = shown
            .into_iter()
            .map(|item| PreferenceStatus {
                tried: tried
                    .iter()
                    .find(|(key, _)| *key == item.key)
                    .map(|pair| pair.1.clone()),
                key: item.key,
                value: item.value,
                origin: item.origin,
            })
            .collect();
        for (key, value) in tried {
            if !told.iter().any(|item| item.key == key) {
                told.push(PreferenceStatus {
                    key,
                    value: String::new(),
                    origin: String::new(),
                    tried: Some(value),
                });
            }
        }
        let tried_range = |key: &str| self.preferences.open().tried_range(key);
        let own = own_keys(self.robot(), key, "0", tried_range).ok();
        match own
            .and_then(|mut value| value.pop())
            .filter(|pair| pair.0 != key)
        {
            Some((own, _)) => {
                let own = key_text(&key_parts(&own));
                told.retain(|item| item.key == own);
                // What the description leaves out has a value all the same.
                if told.is_empty() {
                    told.extend(left_out(self.robot(), &own));
                }
            }
            None => told.retain(|item| item.key.starts_with(key)),
        }
        if told.is_empty() {
            let sentence = format!("no key of this description begins with `{key}`");
            return Err(ErrorCode::NotFound
                .error(sentence)
                .fix("ask without a key for all of them"));
        }
        Ok(ReplyBody::Preferences(told))
    }

    /// The keys of the description that are tried, with their values; those of moved zeros among them.
    fn tried(&self) -> Vec<(String, String)> {
        let book = self.preferences.open();
        let mut tried = book.tried.clone();
        for joint in book.moved_zeros() {
            let moved = book.moved[usize::from(joint.0)];
            let values = offset_values(self.robot(), joint, moved).into_iter();
            tried.extend(values.map(|(parts, value)| (key_text(&parts), value)));
        }
        tried
    }

    /// Tries a value. That of a calibration's offset is in force at once.
    fn try_preference(&self, key: &str, value: &str) -> Result<ReplyBody, RequestError> {
        if key.len() > TEXT_MAX || value.len() > TEXT_MAX {
            let sentence = format!("a key or a value has more than {TEXT_MAX} bytes");
            return Err(ErrorCode::TooLarge.error(sentence).fix("shorten it"));
        }
        let _one_at_a_time = self.preferences.change();
        let mut told = Vec::new();
        let tried_range = |key: &str| self.preferences.open().tried_range(key);
        for (key, value) in own_keys(self.robot(), key, value, tried_range)? {
            let key = key_text(&key_parts(&key));
            if let Some((joint, described)) = offset_key(self.robot(), &key) {
                let offset: f64 = value.trim().parse().map_err(|_| not_a_number(&value))?;
                let to = self.ask_for_zero(joint, cycle::ZeroChange::To(offset - described))?;
                self.preferences.open().moved[usize::from(joint.0)] = to;
            } else if let Some(offset) = offset_within(self.robot(), &key) {
                let sentence =
                    format!("`{key}` is a table with `{offset}` in it, which moves a joint's zero");
                let fix = "set the values of the table one by one, each by its own key";
                return Err(ErrorCode::WrongKind.error(sentence).fix(fix));
            } else {
                self.try_in_file(&key, &value)?;
            }
            told.push(PreferenceStatus {
                key,
                value: String::new(),
                origin: String::new(),
                tried: Some(value),
            });
        }
        Ok(ReplyBody::Preferences(told))
    }

    fn try_in_file(&self, key: &str, value: &str) -> Result<(), RequestError> {
        let (source, mut tried) = {
            let book = self.preferences.open();
            (book.source()?.clone(), book.tried.clone())
        };
        // A table replaces what was tried of its values.
        let within = format!("{key}.");
        tried.retain(|pair| pair.0 != key && !pair.0.starts_with(&within));
        tried.push((key.to_owned(), value.to_owned()));
        if tried.len() > TRIED_MAX {
            let sentence = format!("{TRIED_MAX} values are tried already");
            return Err(ErrorCode::Full
                .error(sentence)
                .fix("keep them, or take them back"));
        }
        try_values(&source, &in_parts(&tried)).map_err(|why| not_written(&why))?;
        self.preferences.open().tried = tried;
        Ok(())
    }

    /// Writes what is tried into the local layer.
    fn keep_preferences(&self) -> Result<ReplyBody, RequestError> {
        let _one_at_a_time = self.preferences.change();
        let (values, source) = {
            let book = self.preferences.open();
            let mut values = in_parts(&book.tried);
            for joint in book.moved_zeros() {
                let moved = book.moved[usize::from(joint.0)];
                values.extend(offset_values(self.robot(), joint, moved));
            }
            (values, book.source()?.clone())
        };
        if values.is_empty() {
            return Err(nothing("kept", "nothing is tried"));
        }
        let text = local_text(&source).map_err(|why| not_written(&why))?;
        let path = write(&source, &values).map_err(|why| not_written(&why))?;
        let written = local_text(&source).map_err(|why| not_written(&why))?;
        let keys: Vec<_> = values.into_iter().map(|pair| key_text(&pair.0)).collect();
        tracing::info!("kept in {}: {}", path.display(), keys.join(", "));
        let mut book = self.preferences.open();
        let before = BeforeKeeping {
            text,
            written,
            kept: book.kept.clone(),
            keys: keys.clone(),
        };
        if book.before.len() == UNDO_MAX {
            book.before.remove(0);
        }
        book.before.push(before);
        book.kept = book.moved.clone();
        book.tried.clear();
        Ok(ReplyBody::Changed(PreferenceChange {
            keys,
            file: Some(path.display().to_string()),
        }))
    }

    /// Takes back what is tried; if nothing is, what was kept last.
    fn undo_preferences(&self, also_kept: bool) -> Result<ReplyBody, RequestError> {
        let _one_at_a_time = self.preferences.change();
        let (moved, kept, is_tried) = {
            let book = self.preferences.open();
            let is_tried = !book.tried.is_empty();
            (book.moved_zeros(), book.kept.clone(), is_tried)
        };
        if !moved.is_empty() || is_tried {
            self.put_zeros_back(&moved, &kept)?;
            let mut book = self.preferences.open();
            let mut keys: Vec<_> = book.tried.drain(..).map(|pair| pair.0).collect();
            keys.extend(moved.into_iter().flat_map(|joint| {
                let values = offset_values(self.robot(), joint, 0.0);
                values.into_iter().map(|pair| key_text(&pair.0))
            }));
            return Ok(ReplyBody::Changed(PreferenceChange { keys, file: None }));
        }
        match also_kept {
            true => self.undo_keeping(&kept),
            false => Ok(ReplyBody::Changed(PreferenceChange::default())),
        }
    }

    /// Takes back what was kept last.
    fn undo_keeping(&self, kept: &[f64]) -> Result<ReplyBody, RequestError> {
        let (before, source) = {
            let book = self.preferences.open();
            (book.before.last().cloned(), book.source()?.clone())
        };
        let Some(before) = before else {
            let why = "nothing is tried, and nothing was kept in this run";
            return Err(nothing("taken back", why));
        };
        if local_text(&source).map_err(|why| not_written(&why))? != before.written {
            let sentence = "the robot's local layer was changed since that was kept";
            return Err(ErrorCode::NotNow
                .error(sentence)
                .fix("change it back by `dcm-run config set`, or keep the new values"));
        }
        let all = before.kept.iter().zip(kept).enumerate();
        let moved = all.filter(|(_, (before, now))| before != now);
        let moved: Vec<_> = moved.map(|pair| ActuatorId(pair.0 as u16)).collect();
        self.put_zeros_back(&moved, &before.kept)?;
        let path = restore(&source, before.text.as_deref()).map_err(|why| not_written(&why))?;
        let mut book = self.preferences.open();
        book.kept.clone_from(&before.kept);
        book.before.pop();
        Ok(ReplyBody::Changed(PreferenceChange {
            keys: before.keys,
            file: Some(path.display().to_string()),
        }))
    }

    /// Moves the zeros of these joints to where they were; all must be limp, or none is moved.
    fn put_zeros_back(&self, joints: &[ActuatorId], to: &[f64]) -> Result<(), RequestError> {
        let now = self.preferences.open().moved.clone();
        for joint in joints {
            let stays = cycle::ZeroChange::To(now[usize::from(joint.0)]);
            self.ask_for_zero(*joint, stays)?;
        }
        for joint in joints {
            let place = usize::from(joint.0);
            let moved = self.ask_for_zero(*joint, cycle::ZeroChange::To(to[place]))?;
            self.preferences.open().moved[place] = moved;
        }
        Ok(())
    }
}

fn in_parts(values: &[(String, String)]) -> Vec<(Vec<String>, String)> {
    let values = values.iter();
    values
        .map(|(key, value)| (key_parts(key), value.clone()))
        .collect()
}

fn not_a_number(value: &str) -> RequestError {
    ErrorCode::InvalidRequest
        .error(format!("`{value}` is not a number"))
        .fix("give the offset as a number, in the joint's unit")
}

fn nothing(what: &str, why: &str) -> RequestError {
    ErrorCode::NotNow
        .error(format!("there is nothing to be {what}: {why}"))
        .fix("try a value or calibrate a joint first")
}

fn not_written(why: &WriteError) -> RequestError {
    let text = why.to_string();
    let (sentence, fix) = text.split_once("; fix: ").unwrap_or((&text, ""));
    let sentence = sentence.replace('\n', " ");
    let error = match why {
        WriteError::Io(..) => ErrorCode::DiskFailed.error(sentence),
        WriteError::NoPlace => ErrorCode::NotHere.error(sentence),
        WriteError::Broken(..) => ErrorCode::Damaged.error(sentence),
        WriteError::Key(_) | WriteError::Value(_) | WriteError::Refused(_) => {
            ErrorCode::RefusedValue.error(sentence)
        }
    };
    match fix {
        "" => error.fix("`dcm-run config schema` lists the keys and what they may be"),
        fix => error.fix(fix),
    }
}
