//! Describes the loop's requests for OpenAPI: the fields and the reply of each kind, from the types themselves.
//! Used by `loop_requests`. The description shows what is enforced.

use std::collections::BTreeMap;

use socket::{Ask, ErrorBody, Need, RemoteNeed, ReplyBody, RequestKind};
use utoipa::openapi::path::{HttpMethod, OperationBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, OpenApi, Ref, RefOr, Required, ResponseBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::gate::{LOOKS, MOVES};

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

    /// A description with all schemas that others refer to.
    pub(super) fn components(&self) -> OpenApi {
        let mut schemas = vec![(ErrorBody::name().into_owned(), ErrorBody::schema())];
        ErrorBody::schemas(&mut schemas);
        Ask::schemas(&mut schemas);
        ReplyBody::schemas(&mut schemas);
        let mut description = OpenApi::default();
        description
            .components
            .get_or_insert_default()
            .schemas
            .extend(schemas);
        description
    }

    /// Adds the route of this kind to a description.
    pub(super) fn describe(&self, kind: RequestKind, description: &mut OpenApi) {
        let Need::Remote(RemoteNeed { role, lease, audit }) = kind.needs() else {
            return;
        };
        let word = kind.word();
        let request = self.requests.get(word);
        let text = match request {
            Some(request) => request.text.clone(),
            None => format!("Changes the state of the whole body: `{word}`."),
        };
        let reply = self.replies.get(kind.reply());
        let security = match role {
            Some(role) => SecurityRequirement::new("token", [role.word()]),
            None => SecurityRequirement::default(),
        };
        let mut operation = OperationBuilder::new()
            .tag("loop")
            .summary(Some(text))
            .security(security);
        if lease {
            operation = operation.tag(MOVES);
        }
        if !audit {
            operation = operation.tag(LOOKS);
        }
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
        let operation = operation
            .response("200", done)
            .response("default", refused)
            .build();
        let post = vec![HttpMethod::Post];
        let paths = &mut description.paths;
        paths.add_path_operation(path_of(kind), post, operation);
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
