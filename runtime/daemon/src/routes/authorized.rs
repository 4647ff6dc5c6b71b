//! The router of the API: a route is added together with what it needs, so that none is served without.
//! Filled by `routes`; the gate authorizes by the needs, and the description shows them.

use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use axum::routing::MethodRouter;
use protocol::{AccessRole, RemoteNeed};
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::SecurityRequirement;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::app::App;

/// The tag of routes that set the body or its guests in motion: they need the lease.
const MOVES: &str = "moves";

/// The tag of routes that only read although their method is not GET: they are not in the audit log.
const LOOKS: &str = "looks";

/// Open to everybody.
pub(super) const ANYBODY: RemoteNeed = RemoteNeed {
    role: None,
    lease: false,
    audit: true,
};
pub(super) const WATCH: RemoteNeed = with_role(AccessRole::Watch);
pub(super) const PERFORM: RemoteNeed = with_role(AccessRole::Perform);
pub(super) const AUTHOR: RemoteNeed = with_role(AccessRole::Author);
pub(super) const OPERATE: RemoteNeed = with_role(AccessRole::Operate);

const fn with_role(role: AccessRole) -> RemoteNeed {
    RemoteNeed {
        role: Some(role),
        ..ANYBODY
    }
}

/// The same for what sets the body in motion.
pub(super) const fn moving(need: RemoteNeed) -> RemoteNeed {
    RemoteNeed {
        lease: true,
        ..need
    }
}

/// The same for what only reads, although it is a POST.
pub(super) const fn reading(need: RemoteNeed) -> RemoteNeed {
    RemoteNeed {
        audit: false,
        ..need
    }
}

/// What every route needs.
pub type Needs = HashMap<(Method, String), RemoteNeed>;

/// Routes, their description, and what they need.
#[derive(Default)]
pub(super) struct AuthorizedRouter {
    pub(super) router: OpenApiRouter<Arc<App>>,
    pub(super) needs: Needs,
}

impl AuthorizedRouter {
    /// Adds handlers of one path, which all have this need. GET is never an act.
    pub(super) fn add(mut self, need: RemoteNeed, routes: UtoipaMethodRouter<Arc<App>>) -> Self {
        let (schemas, mut paths, handlers) = routes;
        for (path, item) in &mut paths.paths {
            let methods = [
                (Method::GET, &mut item.get),
                (Method::PUT, &mut item.put),
                (Method::POST, &mut item.post),
                (Method::DELETE, &mut item.delete),
            ];
            for (method, operation) in methods {
                if let Some(operation) = operation {
                    let audit = need.audit && method != Method::GET;
                    self.authorize(method, path, RemoteNeed { audit, ..need }, operation);
                }
            }
        }
        self.router = self.router.routes((schemas, paths, handlers));
        self
    }

    /// Adds a POST whose description is made here.
    pub(super) fn add_post(
        &mut self,
        path: &str,
        need: RemoteNeed,
        mut operation: Operation,
        handler: MethodRouter<Arc<App>>,
    ) {
        self.authorize(Method::POST, path, need, &mut operation);
        let mut item = PathItem::default();
        item.post = Some(operation);
        let router = std::mem::take(&mut self.router);
        self.router = router.route(path, handler);
        let paths = &mut self.router.get_openapi_mut().paths.paths;
        paths.insert(path.to_owned(), item);
    }

    fn authorize(&mut self, method: Method, path: &str, need: RemoteNeed, of: &mut Operation) {
        let security = match need.role {
            Some(role) => SecurityRequirement::new("token", [role.word()]),
            None => SecurityRequirement::default(),
        };
        of.security = Some(vec![security]);
        let tags = of.tags.get_or_insert_default();
        if need.lease {
            tags.push(MOVES.to_owned());
        }
        if !need.audit && method != Method::GET {
            tags.push(LOOKS.to_owned());
        }
        self.needs.insert((method, path.to_owned()), need);
    }
}
