//! Describes the loop's requests for OpenAPI: the fields and the reply of each kind, from the types themselves.
//! Used by `loop_requests`. The description shows what is enforced.

use std::collections::BTreeMap;

use protocol::{Ask, ErrorBody, ReplyBody, RequestKind};
use utoipa::openapi::path::{Operation, OperationBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The path of a kind's route.
pub(super) fn path_of(kind: RequestKind) -> String {
    format!("/api/v2/loop/{}", kind.word())
}

type SchemaRef = RefOr<Schema>;

/// The schemas of all requests and replies, by their words.
pub(super) struct LoopSchemas {
    requests: BTreeMap<String, DescribedVariant>,
    replies: BTreeMap<String, DescribedVariant>,
}

/// A variant of an enum that serde writes as its word, or as an object with its word as the only key.
struct DescribedVariant {
    /// All of it.
    whole: SchemaRef,
    /// Its fields; `None` if it is only a word.
    fields: Option<SchemaRef>,
    /// What it is.
    text: String,
}

impl LoopSchemas {
    pub(super) fn new() -> LoopSchemas {
        LoopSchemas {
            requests: variants(Ask::schema()),
            replies: variants(ReplyBody::schema()),
        }
    }

    /// All schemas that others refer to.
    pub(super) fn components(&self) -> Vec<(String, RefOr<Schema>)> {
        let mut schemas = vec![(ErrorBody::name().into_owned(), ErrorBody::schema())];
        ErrorBody::schemas(&mut schemas);
        Ask::schemas(&mut schemas);
        ReplyBody::schemas(&mut schemas);
        schemas
    }

    /// The description of the route of this kind.
    pub(super) fn describe(&self, kind: RequestKind) -> Operation {
        let word = kind.word();
        let request = self.requests.get(word);
        let text = match request {
            Some(request) => request.text.clone(),
            None => format!("Changes the state of the whole body: `{word}`."),
        };
        let reply = self.replies.get(kind.reply());
        let mut operation = OperationBuilder::new().tag("loop").summary(Some(text));
        if let Some(fields) = request.and_then(|request| request.fields.clone()) {
            let is_required = match &fields {
                RefOr::T(Schema::Object(object)) if !object.required.is_empty() => Required::True,
                _ => Required::False,
            };
            let content = ContentBuilder::new().schema(Some(closed(fields))).build();
            let body = RequestBodyBuilder::new()
                .content("application/json", content)
                .required(Some(is_required));
            operation = operation.request_body(Some(body.build()));
        }
        let json = |schema| ContentBuilder::new().schema(Some(schema)).build();
        let whole = reply.map_or_else(ReplyBody::schema, |reply| reply.whole.clone());
        let done = ResponseBuilder::new().content("application/json", json(whole));
        let error = Ref::from_schema_name(ErrorBody::name());
        let refused = ResponseBuilder::new().content("application/json", json(error.into()));
        operation
            .response("200", done)
            .response("default", refused)
            .build()
    }
}

/// A request may have no other fields.
fn closed(mut fields: SchemaRef) -> SchemaRef {
    if let RefOr::T(Schema::Object(object)) = &mut fields {
        object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    }
    fields
}

/// The variants of an enum's schema, by their words.
fn variants(schema: SchemaRef) -> BTreeMap<String, DescribedVariant> {
    let RefOr::T(Schema::OneOf(one_of)) = schema else {
        return BTreeMap::new();
    };
    let read = |whole: SchemaRef| {
        let RefOr::T(Schema::Object(object)) = &whole else {
            return None;
        };
        let text = object.description.clone().unwrap_or_default();
        let (word, fields) = match object.properties.iter().next() {
            Some((word, fields)) => (word.clone(), Some(fields.clone())),
            None => {
                let word = object.enum_values.as_ref()?.first()?.as_str()?;
                (word.to_owned(), None)
            }
        };
        let variant = DescribedVariant {
            whole,
            fields,
            text,
        };
        Some((word, variant))
    };
    one_of.items.into_iter().filter_map(read).collect()
}
