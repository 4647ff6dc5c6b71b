//! The gate: middleware that authorizes every request by what its route needs.
//! `routes::service` puts it around all routes. The published description is what is enforced.

mod admission;
mod cookie;
mod errors;
mod site;

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::HttpBody;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use network::lock;
use protocol::people::AuditEntry;
use protocol::{AccessRole, RemoteNeed};
use tracing::Instrument;

use admission::{RequestAdmission, admitted_body};
use cookie::token_in;
pub(crate) use cookie::{clear_cookie, cookie_name, set_cookie};
use errors::{
    beyond, broken, control_held, no_method, not_known, other_site, takes_no_parameters,
    too_little, too_often,
};
pub use site::is_own_host;
use site::own_site;

use super::{Needs, STOP_PATHS, request_log};
use crate::access::{AdmittedConnection, Principal, TokenError};
use crate::api_error::{ApiError, RefusalCode};
use crate::app::App;

/// How long a request's body may take.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The routes whose bodies are read by `long_body`.
const LONG: [&str; 5] = [
    "/api/v2/loop/move",
    "/api/v2/loop/schedule",
    "/api/v2/body/schedule",
    "/api/v2/dcm/set",
    "/api/v2/dcm/setAlias",
];

/// The header that a page must send with its cookie. Another site cannot make a browser send it.
pub const OWN: &str = "x-dcm-run";

/// The origin of a request; `listen` adds it to the request.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Its address; `None` on the local socket.
    pub address: Option<IpAddr>,
    /// Its user, on the local socket.
    pub user: Option<u32>,
    /// Whether it came over TLS.
    pub tls: bool,
    /// The connection that it came over.
    pub connection: Option<Arc<AdmittedConnection>>,
}

/// The state of the gate.
#[derive(Clone)]
pub struct Gate {
    /// The state of all routes.
    pub app: Arc<App>,
    /// What every route needs.
    pub needs: Arc<Needs>,
    /// The routes that take parameters in their address.
    pub with_query: Arc<HashSet<(Method, String)>>,
}

/// Passes a request to its route, or refuses it.
pub async fn pass(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let peer = peer_of(&request);
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or_else(String::new, |path| path.as_str().to_owned());
    let as_route = if method == Method::HEAD {
        Method::GET
    } else {
        method.clone()
    };
    let route = (as_route, path.clone());
    let need = gate.needs.get(&route).copied();
    // A stop is accepted whatever its address contains.
    let has_query = request.uri().query().is_some_and(|query| !query.is_empty());
    let has_unread_query =
        has_query && !gate.with_query.contains(&route) && !STOP_PATHS.contains(&path.as_str());
    let mut authorization = match need {
        Some(need) => {
            enter(&gate.app, &peer, &method, &path, need, request.headers()).and_then(|who| {
                if has_unread_query {
                    Err(refuse_query(who))
                } else {
                    Ok(who)
                }
            })
        }
        None => Err(no_method(&method, &allowed(&gate.needs, &path)).into()),
    };
    let admission = match (&authorization, need) {
        (Ok(Some(who)), Some(need)) => Some(Arc::new(RequestAdmission {
            app: Arc::clone(&gate.app),
            who: who.clone(),
            shown: who.token.and(shown(&gate.app.name, request.headers()).0),
            need,
            refusal: Mutex::default(),
            new_lease: Mutex::default(),
        })),
        _ => None,
    };
    // An upload has a timeout of its own, and so have long lists of commands.
    let is_push = method == Method::PUT && path.starts_with("/api/v2/choreographies/");
    let is_long = LONG.contains(&path.as_str());
    let request = if request.body().is_end_stream() {
        let confirmed = admission
            .as_deref()
            .map_or(Ok(()), RequestAdmission::confirm);
        if let Err(error) = confirmed {
            let who = authorization.ok().flatten();
            authorization = Err(Box::new(RefusedCaller { error, who }));
        }
        request
    } else {
        let admission = admission.clone();
        request.map(|body| admitted_body(body, admission, !(is_push || is_long)))
    };
    let sent = SentRequest {
        request,
        peer,
        authorization,
        admission,
    };
    if is_safe(&method) || need.is_some_and(|need| !need.audit) {
        return answer(sent, next).await;
    }
    // An act is completed and logged even if the client hangs up.
    let act = act(gate.app, sent, next);
    let done = tokio::spawn(request_log::with_same(act).in_current_span());
    done.await.unwrap_or_else(|_| broken().into_response())
}

/// Who has sent a request; a stranger from nowhere if that is not known.
fn peer_of(request: &Request) -> Peer {
    let peer = request.extensions().get::<Peer>().cloned();
    peer.unwrap_or(Peer {
        address: Some(IpAddr::from([0, 0, 0, 0])),
        user: None,
        tls: false,
        connection: None,
    })
}

/// The methods that a path answers.
fn allowed(needs: &Needs, path: &str) -> Vec<String> {
    let of_path = needs.keys().filter(|key| key.1 == path);
    let mut methods: Vec<_> = of_path.map(|path| path.0.to_string()).collect();
    if methods.iter().any(|method| method == "GET") {
        methods.push("HEAD".to_owned());
    }
    methods.sort();
    methods
}

type Authorization = Result<Option<Principal>, Box<RefusedCaller>>;

/// A request that is refused, and who sent it, if that is known.
struct RefusedCaller {
    error: ApiError,
    who: Option<Principal>,
}

fn refuse_query(who: Option<Principal>) -> Box<RefusedCaller> {
    Box::new(RefusedCaller {
        error: takes_no_parameters(),
        who,
    })
}

impl From<ApiError> for Box<RefusedCaller> {
    fn from(error: ApiError) -> Box<RefusedCaller> {
        Box::new(RefusedCaller { error, who: None })
    }
}

/// A request, and what the gate found about its sender.
struct SentRequest {
    request: Request,
    peer: Peer,
    authorization: Authorization,
    admission: Option<Arc<RequestAdmission>>,
}

async fn answer(sent: SentRequest, next: Next) -> Response {
    let mut request = sent.request;
    match sent.authorization {
        Ok(who) => {
            request.extensions_mut().insert(who);
            request.extensions_mut().insert(sent.peer);
            let response = next.run(request).await;
            match sent.admission {
                Some(admission) => admission.conclude(response),
                None => response,
            }
        }
        Err(refused) => refused.error.into_response(),
    }
}

async fn act(app: Arc<App>, sent: SentRequest, next: Next) -> Response {
    let SentRequest {
        request,
        authorization,
        ..
    } = &sent;
    let address = sent.peer.address;
    let from = address.map_or_else(|| "local".to_owned(), |address| address.to_string());
    let sentence = format!("{} {}", request.method(), request.uri().path());
    let is_known = matches!(authorization, Ok(Some(_)));
    let who = match authorization {
        Ok(who) => who,
        Err(refused) => &refused.who,
    };
    let (token, role) = match who {
        Some(who) => (who.token, Some(who.role)),
        None => (None, None),
    };
    let mut by = match who {
        Some(who) => who.name.clone(),
        None if authorization.is_ok() => "a stranger".to_owned(),
        None => "nobody who was let in".to_owned(),
    };
    let response = answer(sent, next).await;
    // Unknown and refused callers have a rate limit, so that they cannot push other entries out of the log.
    let may_fill = |item| is_known || lock(&app.audit_limit).allows(item, Instant::now());
    if !address.is_none_or(may_fill) {
        app.audit_writer().pass_over();
        return response;
    }
    let why = response.extensions().get::<RefusalCode>();
    let outcome = why.map_or_else(
        || response.status().as_u16().to_string(),
        |why| why.0.clone(),
    );
    // Names come from outside: JSON escapes them, and their length is limited.
    by.truncate(by.floor_char_boundary(64));
    let act = AuditEntry {
        at: app.now(),
        who: by,
        token,
        role,
        from,
        act: sentence.chars().take(200).collect(),
        outcome,
    };
    app.audit_writer().add(act).await;
    response
}

fn enter(
    app: &Arc<App>,
    peer: &Peer,
    method: &Method,
    path: &str,
    need: RemoteNeed,
    headers: &HeaderMap,
) -> Authorization {
    // A stop is never refused by the rate limit.
    let is_stop = STOP_PATHS.contains(&path);
    if !is_stop
        && peer
            .connection
            .as_ref()
            .is_some_and(|connection| connection.is_beyond)
    {
        return Err(beyond().into());
    }
    own_site(app, peer, headers, is_stop)?;
    let (shown, by_cookie) = shown(&app.name, headers);
    let who = match peer.user.filter(|_| shown.is_none()) {
        Some(user) => Ok(local(app, user)),
        None => app.tokens().who(shown.as_deref(), app.now()),
    };
    let who = match (who, need.role) {
        (Ok(who), _) => Some(who),
        (Err(_), None) => None,
        // However often: nobody guesses a token, and a program whose token was revoked must hear of it.
        (Err(stranger), Some(_)) => {
            if let TokenError::Ended(ends) = stranger {
                app.remember_time(ends);
            }
            return Err(not_known(stranger).into());
        }
    };
    let refuse = |error, who| Box::new(RefusedCaller { error, who });
    // Whoever needs a token, and has none, is told that first.
    if let Some(address) = peer.address.filter(|_| !is_stop)
        && !lock(&app.request_limit).allows(address, Instant::now())
    {
        return Err(refuse(too_often(), who));
    }
    if let (Some(connection), Some(_)) = (&peer.connection, &who) {
        connection.is_of_a_known_caller();
    }
    if by_cookie && !is_safe(method) && !headers.contains_key(OWN) {
        return Err(refuse(other_site(), who));
    }
    if let (Some(role), Some(who)) = (need.role, &who) {
        if who.role < role {
            return Err(refuse(too_little(role, who), Some(who.clone())));
        }
        if need.lease {
            let may_act = lock(&app.lease).check(who, Instant::now());
            may_act.map_err(|holder| refuse(control_held(&holder), Some(who.clone())))?;
        }
    }
    Ok(who)
}

/// The token of a request to this robot, and whether it comes from a cookie.
fn shown(robot: &str, headers: &HeaderMap) -> (Option<String>, bool) {
    let text = |item| headers.get(item).and_then(|header| header.to_str().ok());
    if let Some(token) = text(header::AUTHORIZATION) {
        // The scheme's letters may be of either case.
        let token = token.split_once(' ');
        let token = token.filter(|token| token.0.eq_ignore_ascii_case("bearer"));
        return (
            Some(token.map_or("", |token| token.1.trim()).to_owned()),
            false,
        );
    }
    let found = token_in(headers, &cookie_name(robot, headers));
    let is_there = found.is_some();
    (found, is_there)
}

/// The principal of a request on the local socket: its user.
fn local(app: &App, user: u32) -> Principal {
    Principal {
        name: format!("user {user}"),
        token: None,
        role: if app.settings.access.is_owner(user) {
            AccessRole::Operate
        } else {
            AccessRole::Watch
        },
    }
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}
