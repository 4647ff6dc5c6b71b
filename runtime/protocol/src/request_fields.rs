//! Reads a request from its kind and its fields, as HTTP carries them.
//! Used by the server's routes, and by the loop to explain a line that cannot be read. Both explain a mistake in
//! the same words.

use serde::Deserialize;
use serde_json::Value;

use crate::ask::Ask;
use crate::error_code::ErrorCode;
use crate::explain::{explain_fields, explain_json};
use crate::operation::Operation;
use crate::reply::RequestError;
use crate::request_kind::RequestKind;

/// Why fields are no request of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldsError {
    /// What is wrong.
    pub error: RequestError,
    /// Whether it is JSON at all.
    pub is_json: bool,
}

/// Fields of more bytes than this are not read again to find out what is wrong: as a tree they take up to seventy times
/// as much memory.
const EXPLAINED_MAX: usize = 256 << 10;

impl RequestKind {
    /// A request of this kind from its fields, a JSON object; no bytes are no fields.
    ///
    /// # Errors
    /// [`FieldsError`].
    pub fn read(self, fields: &[u8]) -> Result<Ask, FieldsError> {
        let fields = match fields.trim_ascii() {
            b"" => b"{}",
            fields => fields,
        };
        if let Some(ask) = self.without_fields() {
            let read = serde_json::from_slice::<NoFields>(fields);
            let unreadable = |error| self.refuse(explain_json::<NoFields>(fields, &error), true);
            return read.map(|_| ask).map_err(unreadable);
        }
        let text = [b"{\"", self.word().as_bytes(), b"\":", fields, b"}"].concat();
        serde_json::from_slice(&text).map_err(|error| {
            if text.len() > EXPLAINED_MAX {
                let sentence = error.to_string().chars().take(200).collect();
                return self.refuse(sentence, error.is_data());
            }
            // Not all that is ignored can be read as a tree: numbers that are too large, unpaired surrogates.
            match serde_json::from_slice::<Value>(fields) {
                Err(syntax) => self.refuse(explain_json::<Value>(fields, &syntax), false),
                Ok(fields) => self.refuse(explain_fields::<Ask>(self.word(), fields, &error), true),
            }
        })
    }

    fn refuse(self, sentence: String, is_json: bool) -> FieldsError {
        let error = ErrorCode::InvalidRequest.error(sentence);
        let fix = format!("send the fields that `/api/v2` lists for `{}`", self.word());
        FieldsError {
            error: error.fix(fix),
            is_json,
        }
    }

    /// The request of a kind that has no fields.
    fn without_fields(self) -> Option<Ask> {
        let operation = Operation::ALL
            .into_iter()
            .find(|operation| operation.kind() == self);
        match operation {
            Some(operation) => Some(Ask::Operate(operation)),
            None => serde_json::from_value(serde_json::Value::from(self.word())).ok(),
        }
    }
}

/// An object without fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFields {}

#[cfg(test)]
mod tests {
    use crate::RequestKind;

    #[test]
    fn every_kind_is_read_back_from_its_word_and_its_fields() {
        for kind in RequestKind::ALL.iter().copied() {
            assert_eq!(RequestKind::of(kind.word()), Some(kind));
            match kind.read(b"") {
                Ok(ask) => assert_eq!(ask.kind(), kind),
                Err(error) => assert!(
                    error.is_json && error.error.sentence.starts_with("the field `"),
                    "{kind:?}: {error:?}"
                ),
            }
        }
    }

    #[test]
    fn mistakes_name_their_field() {
        let said = |kind: RequestKind, fields: &str| {
            let error = kind.read(fields.as_bytes()).expect_err(fields);
            (error.error.sentence, error.is_json)
        };
        let pause = said(RequestKind::Pause, r#"{"guest":7}"#);
        let wanted = "`guest`: expected a text, and `7` came";
        assert_eq!(pause, (wanted.to_owned(), true));
        let cut = said(RequestKind::Pause, r#"{"guest":"#);
        let wanted = "the JSON ends too early, in line 1, column 9";
        assert_eq!(cut, (wanted.to_owned(), false));
        let hold = said(RequestKind::Hold, r#"{"soft":true}"#);
        assert_eq!(
            hold.0,
            "there is no field `soft`: the request has no fields"
        );
        for wrong in ["1e999", r#""\ud800""#, &"[".repeat(3000)] {
            let fields = format!(r#"{{"guest":{wrong}}}"#);
            let (sentence, is_json) = said(RequestKind::Pause, &fields);
            assert!(
                !is_json && sentence.starts_with("this is no JSON: line 1"),
                "{sentence}"
            );
        }
        let two = said(RequestKind::Pause, r#"{"guest":"a"},"quit":{}"#);
        assert!(!two.1, "{}", two.0);
    }
}
