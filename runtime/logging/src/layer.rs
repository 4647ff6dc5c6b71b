//! A layer of tracing-subscriber that makes a [`LogEntry`] of each event, with the fields of the spans around it.
//! Used by `start`, once for what is written and once for the history. An entry's size is bounded.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use protocol::LogEntry;
use serde_json::Value;
use tracing_core::field::{Field, Visit};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

use crate::guest;

/// Tells the robot's time, ns.
pub(crate) static CLOCK: OnceLock<Arc<dyn Fn() -> u64 + Send + Sync>> = OnceLock::new();

/// The longest text of an entry, and of a field, bytes.
const TEXT_MAX: usize = 4096;

/// The most fields of an entry.
const FIELDS_MAX: usize = 32;

/// Hands entries to a function.
pub(crate) struct EntryLayer<F> {
    take: F,
}

impl<F: Fn(LogEntry)> EntryLayer<F> {
    pub(crate) fn new(take: F) -> EntryLayer<F> {
        EntryLayer { take }
    }
}

/// The fields of a span, kept with it.
#[derive(Default)]
struct SpanFields(BTreeMap<String, Value>);

impl<F, S> Layer<S> for EntryLayer<F>
where
    F: Fn(LogEntry) + 'static,
    S: Subscriber + for<'l> LookupSpan<'l>,
{
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        // The other layer may have been here.
        if extensions.get_mut::<SpanFields>().is_none() {
            let mut fields = FieldVisitor::default();
            attributes.record(&mut fields);
            extensions.insert(SpanFields(fields.fields));
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let mut extensions = span.extensions_mut();
        if let Some(kept) = extensions.get_mut::<SpanFields>() {
            let mut fields = FieldVisitor::default();
            values.record(&mut fields);
            kept.0.append(&mut fields.fields);
        }
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        // A turn must not wait for what happens here.
        debug_assert_ne!(std::thread::current().name(), Some("loop"), "{event:?}");
        let mut visitor = FieldVisitor::default();
        let mut spans = Vec::new();
        // From the outermost on: a field of an inner span hides one of the same name.
        for span in context
            .event_scope(event)
            .into_iter()
            .flat_map(tracing_subscriber::registry::Scope::from_root)
        {
            spans.push(span.name());
            if let Some(kept) = span.extensions().get::<SpanFields>() {
                visitor.fields.extend(kept.0.clone());
            }
        }
        event.record(&mut visitor);
        (self.take)(visitor.entry(event, &spans));
    }
}

/// Collects fields.
#[derive(Default)]
struct FieldVisitor {
    text: String,
    fields: BTreeMap<String, Value>,
}

impl FieldVisitor {
    fn add(&mut self, field: &Field, value: Value) {
        if self.fields.len() < FIELDS_MAX {
            self.fields.insert(field.name().to_owned(), value);
        }
    }

    fn word(&mut self, name: &str) -> Option<String> {
        match self.fields.remove(name)? {
            Value::String(text) => Some(text),
            other => Some(other.to_string()),
        }
    }

    fn number(&mut self, name: &str) -> Option<u64> {
        self.fields.remove(name)?.as_u64()
    }

    /// The entry; the fields that every reader wants have places of their own.
    fn entry(mut self, event: &Event<'_>, spans: &[&str]) -> LogEntry {
        let metadata = event.metadata();
        let utc = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let at_ns = self.number("at_ns");
        let is_guest = guest::is_line(metadata);
        let name = self.word("event");
        LogEntry {
            number: 0,
            at_ns: at_ns.unwrap_or_else(|| CLOCK.get().map_or(0, |clock| clock())),
            utc_ns: u64::try_from(utc.as_nanos()).unwrap_or(0),
            level: level_name(*metadata.level()).to_owned(),
            target: metadata.target().to_owned(),
            event: name.unwrap_or_else(|| if is_guest { "said" } else { "log" }.to_owned()),
            guest: self.word("guest"),
            turn: self.number("turn"),
            actuator: self.word("actuator"),
            span: spans.join(":"),
            text: self.text,
            fields: self.fields,
        }
    }
}

impl Visit for FieldVisitor {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let text = sound(&format!("{value:?}"));
        if field.name() == "message" {
            self.text = text;
        } else {
            self.add(field, Value::String(text));
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let text = sound(value);
        if field.name() == "message" {
            self.text = text;
        } else {
            self.add(field, Value::String(text));
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, value.into());
    }

    fn record_u128(&mut self, field: &Field, value: u128) {
        self.add(field, u64::try_from(value).unwrap_or(u64::MAX).into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.add(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, value.into());
    }
}

/// A text without control characters, which could begin a line that looks like another entry, and cut to a length.
fn sound(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(TEXT_MAX)];
    printable::printable(text).into_owned()
}

/// The name of a level.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        _ => "trace",
    }
}
