//! The main function of the server's process.
//! Called by `dcm-run` in the process that `supervise` starts. The server holds nothing that the loop needs;
//! it ends when its standard input is closed, because then the loop's process has ended.

use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use archive::RecordingFolder;
use network::folders::local_socket;
use network::lock;
use protocol::AccessRole;
use protocol::places::Places;
use protocol::{Ask, Caller, raise_open_files};
use rustix::net::{SendFlags, send};
use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use sensors::PageReader;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use viewers::{Events, Viewers};

use crate::app::App;
use crate::listen::{self, Certificate, Service};
use crate::loop_client::LoopClient;
use crate::memory::BODY_TYPE;
use crate::settings::{ServerSettings, Tls, state_folder};
use crate::store::Folder;
use crate::streams::Streams;
use crate::{announce, boot, log_forward, routes, start};

/// How often the time is stored.
const TIME_SAVE_INTERVAL: Duration = Duration::from_secs(900);

/// The file descriptors that are not for connections: the page, the loop, the log, the listeners, and the connections
/// beyond the limit, over which the body can only be stopped.
const FILES: usize = 160;

/// The niceness of threads that answer requests other than the stop.
const WORK_NICENESS: i32 = 10;

/// How often the supervisor receives a heartbeat.
const HEARTBEAT: Duration = Duration::from_millis(500);

/// How often the pairing code of a robot with whom nobody is paired is printed.
const SHOWN_AGAIN: Duration = Duration::from_secs(60);

/// The arguments of the server.
#[derive(Debug)]
pub struct Serving {
    /// The loop's name.
    pub name: String,
    /// The path of `dcm-run.toml`; default: the usual places.
    pub settings: Option<PathBuf>,
    /// The state folder; default: see [`state_folder`].
    pub state: Option<PathBuf>,
    /// The path of this program.
    pub program: PathBuf,
    /// The options of each check: how the loop's body is simulated.
    pub check_args: Vec<String>,
}

/// Runs the server until standard input is closed.
///
/// # Errors
/// A message: settings, loop, folder or threads are not available.
pub fn serve(serving: Serving) -> Result<(), String> {
    let mut settings = ServerSettings::load(serving.settings.as_deref())?;
    limit_resources(&settings);
    limit_connections(&mut settings);
    let places = Places::of(&serving.name).map_err(|error| error.to_string())?;
    log_forward::forward(&serving.name)
        .map_err(|error| format!("cannot start threads: {error}"))?;
    let threads = |error| format!("cannot start threads: {error}");
    let connections = runtime("connections").build().map_err(threads)?;
    connections.spawn(send_heartbeats());
    let (app, certificate) = open(serving, settings)?;
    let work = runtime("work")
        .max_blocking_threads(128)
        // Connections go first: the stop is one of them.
        .on_thread_start(|| _ = setpriority_process(None, WORK_NICENESS))
        .build()
        .map_err(threads)?;
    let local = local_socket(&places);
    let ended = work.block_on(run(app, certificate, local, connections.handle()));
    // Before `work` goes: nobody may take a body that is cut off there for a whole one.
    connections.shutdown_background();
    ended
}

/// A runtime whose threads have this name.
fn runtime(name: &str) -> tokio::runtime::Builder {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).thread_name(name).enable_all();
    runtime
}

/// Opens the shared state and the certificate, from the loop, the settings and the state folder.
fn open(
    serving: Serving,
    settings: ServerSettings,
) -> Result<(Arc<App>, Option<Certificate>), String> {
    let loop_client = LoopClient::to(&serving.name);
    let here = loop_client.here().map_err(|error| error.to_string())?;
    let page = PageReader::open(&here.page).map_err(|error| error.to_string())?;
    if let Ok(clock) = PageReader::open(&here.page) {
        logging::set_clock(move || clock.read(|frame| frame.now().nanos()).unwrap_or(0));
    }
    let state = serving.state.or_else(|| state_folder(&serving.name));
    let state = state.ok_or("there is no state folder; fix: use --state FOLDER, or set HOME")?;
    let folder =
        Folder::at(state.clone()).map_err(|error| format!("{}: {error}", state.display()))?;
    let mut facts = loop_client.devices().map_err(|error| error.to_string())?;
    facts.insert(BODY_TYPE.to_owned(), here.robot.clone());
    facts.extend(here.identity.clone());
    let streams = Streams::of(page, &serving.name, &facts, here.boards.clone());
    let (streams, events) =
        streams.map_err(|error| format!("cannot start the streams: {error}"))?;
    let viewers = open_viewers(&serving.name, &streams, events)?;
    let quota = settings.recordings.quota << 20;
    let recordings = RecordingFolder::at(archive::folder(&state), quota);
    let certificate = if settings
        .server
        .listen
        .iter()
        .any(|item| is_tls(&settings, item))
    {
        let loaded = Certificate::load(&settings.server, &folder, &serving.name);
        // Without a certificate only the local socket is opened.
        loaded.map_err(|why| tracing::error!("{why}")).ok()
    } else {
        None
    };
    let fingerprint = certificate
        .as_ref()
        .map(|certificate| certificate.fingerprint.clone());
    let opened = App::open(
        settings,
        (&here, loop_client),
        folder,
        (serving.program, serving.check_args),
        streams,
        (viewers, recordings),
        fingerprint,
    );
    let app = Arc::new(opened.map_err(|error| error.error().to_string())?);
    Ok((app, certificate))
}

/// Foxglove for the Foxglove, and the recordings.
fn open_viewers(name: &str, streams: &Streams, events: Events) -> Result<Viewers, String> {
    let mut caller = Caller::reach(Some(name)).map_err(|error| error.to_string())?;
    let figure = caller.get(Ask::Figure).map_err(|error| error.to_string())?;
    let viewers = Viewers::of(Box::new(streams.clone()), events, figure);
    viewers.map_err(|error| format!("cannot start the viewers: {error}"))
}

/// Listens in the runtime `connections`, starts the boot entries and other tasks, and waits for the end of standard
/// input.
async fn run(
    app: Arc<App>,
    certificate: Option<Certificate>,
    local: PathBuf,
    connections: &Handle,
) -> Result<(), String> {
    let listening = listen_all(
        Arc::clone(&app),
        certificate,
        local.clone(),
        Handle::current(),
    );
    let open = connections.spawn(listening).await;
    let open = open.map_err(|error| format!("cannot listen: {error}"))??;
    serve_foxglove(&app).await;
    if app.tokens().is_empty() && !open.is_empty() {
        let role = app.settings.access.pairing;
        tokio::spawn(show_pairing_code(Arc::clone(&app), role));
    }
    let _announced = announce::announce(&app, &open);
    tokio::spawn(boot::boot(Arc::clone(&app)));
    start::resume(&app);
    tokio::spawn(save_time(Arc::clone(&app)));
    let input_closed = tokio::task::spawn_blocking(|| {
        let (mut byte, mut is_orderly) = ([0], false);
        // The supervisor writes only when its process closes the server itself, not when it dies; reading ends when
        // the input is closed or fails.
        while matches!(std::io::stdin().read(&mut byte), Ok(1..)) {
            is_orderly = true;
        }
        is_orderly
    });
    // Any outcome means that the input is closed.
    if input_closed.await.unwrap_or(false) {
        boot::uncount_starts(&app).await;
    }
    app.viewers.close();
    let _ = std::fs::remove_file(&local);
    Ok(())
}

/// Sends the supervisor a byte now and then, over standard input, which is a socket.
async fn send_heartbeats() {
    let mut beat = tokio::time::interval(HEARTBEAT);
    loop {
        beat.tick().await;
        // Without a supervisor standard input may be no socket.
        let _ = send(
            std::io::stdin(),
            b".",
            SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
        );
    }
}

/// Listens on the local socket and on every address of the settings. Returns the open addresses.
async fn listen_all(
    app: Arc<App>,
    certificate: Option<Certificate>,
    local: PathBuf,
    work: Handle,
) -> Result<Vec<SocketAddr>, String> {
    let router = routes::service(&app);
    let service = Service { router, work };
    let settings = &app.settings;
    listen::local(&local, Arc::clone(&app), service.clone())
        .map_err(|error| format!("{}: {error}", local.display()))?;
    let mut open = Vec::new();
    for address in &settings.server.listen {
        let tls = certificate.as_ref().filter(|_| is_tls(settings, address));
        if tls.is_none() && is_tls(settings, address) {
            tracing::error!("cannot listen on {address}: there is no certificate");
            continue;
        }
        match TcpListener::bind(address).await {
            Ok(listener) => {
                let address = listener.local_addr().unwrap_or(*address);
                let scheme = if tls.is_some() { "https" } else { "http" };
                tracing::info!("the robot's page: {scheme}://{address}/");
                open.push(address);
                let acceptor = tls.map(|tls| tls.acceptor.clone());
                listen::network(listener, acceptor, Arc::clone(&app), service.clone());
            }
            // The server goes on with the local socket.
            Err(error) => tracing::error!(
                "cannot listen on {address}: {error}; fix: if another robot uses it, give this one another `listen` \
                 (`--config FILE`)"
            ),
        }
    }
    Ok(open)
}

/// Whether this address uses TLS.
fn is_tls(settings: &ServerSettings, address: &SocketAddr) -> bool {
    match settings.server.tls {
        Tls::Auto => !address.ip().is_loopback(),
        Tls::Always => true,
        Tls::Off => false,
    }
}

/// Stores the time at intervals, so that it never goes back over a restart.
async fn save_time(app: Arc<App>) {
    let mut beat = tokio::time::interval_at(
        tokio::time::Instant::now() + TIME_SAVE_INTERVAL,
        TIME_SAVE_INTERVAL,
    );
    loop {
        beat.tick().await;
        // After an error the next interval tries again.
        let _ = app.save_time().await;
    }
}

/// Serves Foxglove, if the settings have an address for it.
async fn serve_foxglove(app: &Arc<App>) {
    let Some(address) = app.settings.foxglove.listen else {
        return;
    };
    match listen::foxglove(app, address).await {
        Ok(port) => {
            tracing::info!("Foxglove can watch at ws://{}:{port}", address.ip());
            // It is set only here.
            let _ = app.foxglove.set(port);
        }
        // Probably another robot on this machine uses the port.
        Err(error) => tracing::error!("cannot serve Foxglove at {address}: {error}"),
    }
}

/// Prints a code for pairing to the server's log, for the first person; and again each minute while it can be used, so
/// that it does not scroll away.
async fn show_pairing_code(app: Arc<App>, role: AccessRole) {
    if let Err(why) = lock(&app.pairing).show(role, Instant::now()) {
        tracing::error!("cannot make a pairing code: {why}");
        return;
    }
    loop {
        let shown = lock(&app.pairing).shown(Instant::now());
        let Some((code, left)) = shown.filter(|_| app.tokens().is_empty()) else {
            return;
        };
        // Whoever can read the history may not be one who may pair.
        tracing::info!(
            target: logging::SECRET,
            "nobody is paired with this robot yet: its code is {code}, for {} s (role {}); then: `dcm-run pair --show`",
            left.as_secs(),
            role.word()
        );
        tokio::time::sleep(SHOWN_AGAIN).await;
    }
}

/// Leaves file descriptors for files and for the loop: a connection may need one of each.
fn limit_connections(settings: &mut ServerSettings) {
    let files = raise_open_files();
    let most = (files.saturating_sub(FILES) / 2).max(4);
    let connections = &mut settings.server.connections;
    if *connections > most {
        tracing::warn!(
            "at most {most} connections instead of {connections}, because this process may only open {files} files; \
             fix: raise its limit (`LimitNOFILE`, `ulimit -n`)"
        );
        *connections = most;
    }
}

/// Limits the server's memory, and makes it the kernel's first choice to kill when memory runs out.
fn limit_resources(settings: &ServerSettings) {
    // The hard limit stays as it is: compilers, which are processes of their own, have limits of their own.
    let limit = Rlimit {
        current: Some(settings.server.memory << 20),
        maximum: getrlimit(Resource::Data).maximum,
    };
    // The server also runs without these.
    let _ = setrlimit(Resource::Data, limit);
    let _ = std::fs::write(Path::new("/proc/self/oom_score_adj"), "500");
    let _ = rustix::process::nice(5);
}
