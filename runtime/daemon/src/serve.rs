//! The server's process, from its settings to its end.
//! Called by `dcm-run` in the process that `supervise` starts. The law: it holds nothing that the loop needs;
//! it ends when its input is closed, because then the loop's process has gone.

use std::io::Read;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::folders::local_socket;
use api::lock;
use api::role::AccessRole;
use archive::RecordingFolder;
use rustix::process::{Resource, Rlimit, setrlimit};
use sensors::PageReader;
use socket::places::Places;
use socket::{Ask, Caller, Told};
use tokio::net::TcpListener;
use viewers::{Events, Viewers};

use crate::app::App;
use crate::listen::{self, Certificate, ConnectionLimit};
use crate::loop_client::LoopClient;
use crate::settings::{ServerSettings, Tls, state_folder};
use crate::store::Folder;
use crate::streams::Streams;
use crate::{announce, boot, routes, start};

/// How often the time is written down.
const TIME_SAVE_INTERVAL: Duration = Duration::from_secs(900);

/// What is served, and how.
#[derive(Debug)]
pub struct Serving {
    /// The loop's name.
    pub name: String,
    /// `dcm-run.toml`, if one was named.
    pub settings: Option<PathBuf>,
    /// Where it keeps what must outlast it, if that was said.
    pub state: Option<PathBuf>,
    /// This program.
    pub program: PathBuf,
}

/// Serves until the input is closed.
///
/// # Errors
/// A sentence: what it needs cannot be had.
pub fn serve(serving: Serving) -> Result<(), String> {
    let settings = ServerSettings::load(serving.settings.as_deref())?;
    limit_memory(&settings);
    let places = Places::of(&serving.name).map_err(|error| error.to_string())?;
    let (app, certificate) = open(serving, settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(128)
        .enable_all()
        .build()
        .map_err(|error| format!("no threads: {error}"))?;
    runtime.block_on(run(app, certificate, local_socket(&places)))
}

/// All that routes share, made of the loop, the settings and the state folder; and the certificate.
fn open(
    serving: Serving,
    settings: ServerSettings,
) -> Result<(Arc<App>, Option<Certificate>), String> {
    let loop_client = LoopClient::to(&serving.name);
    let here = loop_client.here().map_err(|error| error.to_string())?;
    let page = PageReader::open(&here.page).map_err(|error| error.to_string())?;
    let state = serving.state.or_else(|| state_folder(&serving.name));
    let state = state
        .ok_or("there is no folder to keep anything in; fix: say --state FOLDER, or set HOME")?;
    let folder =
        Folder::at(state.clone()).map_err(|error| format!("{}: {error}", state.display()))?;
    let streams = Streams::of(page, &serving.name, here.boards.clone());
    let (streams, happened) =
        streams.map_err(|error| format!("no thread for the streams: {error}"))?;
    let viewers = open_viewers(&serving.name, &streams, happened)?;
    let quota = settings.recordings.quota << 20;
    let recordings = RecordingFolder::at(archive::folder(&state), quota);
    let certificate = if settings
        .server
        .listen
        .iter()
        .any(|it| is_tls(&settings, it))
    {
        let loaded = Certificate::load(&settings.server, &folder, &serving.name);
        // Without one the network stays outside; the local socket is open.
        loaded.map_err(|why| eprintln!("{why}")).ok()
    } else {
        None
    };
    let fingerprint = certificate.as_ref().map(|it| it.fingerprint.clone());
    let opened = App::open(
        settings,
        (&here, loop_client),
        folder,
        serving.program,
        streams,
        (viewers, recordings),
        fingerprint,
    );
    let app = Arc::new(opened.map_err(|error| error.trouble().to_string())?);
    Ok((app, certificate))
}

/// Foxglove for the loop of this name.
fn open_viewers(name: &str, streams: &Streams, happened: Events) -> Result<Viewers, String> {
    let mut caller = Caller::reach(Some(name)).map_err(|it| it.to_string())?;
    let Told::Figure(figure) = caller.ask(Ask::Figure).map_err(|it| it.to_string())? else {
        return Err("the loop does not tell how the body hangs together".to_owned());
    };
    let viewers = Viewers::of(Box::new(streams.clone()), happened, figure);
    viewers.map_err(|error| format!("no thread for the viewers: {error}"))
}

/// Listens, does what is to be done at the start, and waits for the end.
async fn run(
    app: Arc<App>,
    certificate: Option<Certificate>,
    local: PathBuf,
) -> Result<(), String> {
    let open = listen_all(&app, certificate.as_ref(), &local).await?;
    let _foxglove = show(&app).await;
    if app.tokens().is_empty() && !open.is_empty() {
        let role = app.settings.access.pairing;
        greet(&app, role);
    }
    let _announced = announce::announce(&app, &open);
    tokio::spawn(boot::boot(Arc::clone(&app)));
    start::go_on(&app);
    tokio::spawn(keep_time(Arc::clone(&app)));
    let gone = tokio::task::spawn_blocking(|| {
        let mut nothing = [0];
        // Nothing is ever said; it ends, or breaks.
        while matches!(std::io::stdin().read(&mut nothing), Ok(1..)) {}
    });
    // The wait is over however it ended.
    let _ = gone.await;
    app.viewers.close();
    let _ = std::fs::remove_file(&local);
    Ok(())
}

/// Listens on the local socket and on every address of the settings; the addresses that are open.
async fn listen_all(
    app: &Arc<App>,
    certificate: Option<&Certificate>,
    local: &Path,
) -> Result<Vec<SocketAddr>, String> {
    let service = routes::service(app);
    let settings = &app.settings;
    let limit = ConnectionLimit::new(
        settings.server.connections,
        settings.server.connections_each,
    );
    listen::local(local, Arc::clone(&limit), service.clone())
        .map_err(|error| format!("{}: {error}", local.display()))?;
    let mut open = Vec::new();
    for address in &settings.server.listen {
        let tls = certificate.filter(|_| is_tls(settings, address));
        if tls.is_none() && is_tls(settings, address) {
            eprintln!("nobody listens on {address}: there is no certificate");
            continue;
        }
        match TcpListener::bind(address).await {
            Ok(listener) => {
                let address = listener.local_addr().unwrap_or(*address);
                let scheme = if tls.is_some() { "https" } else { "http" };
                eprintln!("the robot's page: {scheme}://{address}/");
                open.push(address);
                let acceptor = tls.map(|it| it.acceptor.clone());
                listen::network(listener, acceptor, Arc::clone(&limit), service.clone());
            }
            // The local socket is open; what is wrong with a port must not close it.
            Err(error) => eprintln!(
                "nobody listens on {address}: {error}; fix: if that is another robot's, write another `listen` for \
                 this one (`--config FILE`)"
            ),
        }
    }
    Ok(open)
}

/// Whether TLS is spoken at this address.
fn is_tls(settings: &ServerSettings, address: &SocketAddr) -> bool {
    match settings.server.tls {
        Tls::Auto => !address.ip().is_loopback(),
        Tls::Always => true,
        Tls::Off => false,
    }
}

/// What second it is outlasts the server: now and then it is written down.
async fn keep_time(app: Arc<App>) {
    let mut beat = tokio::time::interval_at(
        tokio::time::Instant::now() + TIME_SAVE_INTERVAL,
        TIME_SAVE_INTERVAL,
    );
    loop {
        beat.tick().await;
        // A disk that is full today may not be tomorrow.
        let _ = app.keep_time().await;
    }
}

/// Foxglove can watch, if it may.
async fn show(app: &App) -> Option<viewers::WebSocketServerHandle> {
    let address = app.settings.foxglove.listen?;
    match app.viewers.serve(&app.name, address).await {
        Ok(server) => {
            eprintln!(
                "Foxglove can watch at ws://{}:{}",
                address.ip(),
                server.port()
            );
            // It is set this once.
            let _ = app.foxglove.set(server.port());
            Some(server)
        }
        // Whoever listens there already is most likely another robot of this machine.
        Err(error) => {
            eprintln!("Foxglove cannot watch at {address}: {error}");
            None
        }
    }
}

/// The first who comes is let in by a code that stands where the robot's own people look.
fn greet(app: &App, role: AccessRole) {
    match lock(&app.pairing).show(role, Instant::now()) {
        Ok(code) => eprintln!(
            "nobody is paired with this robot yet: its code is {code}, for five minutes (role {})",
            role.word()
        ),
        Err(why) => eprintln!("no code for pairing: {why}"),
    }
}

/// It may not take the memory that the loop needs, and is the first to go if memory runs out.
fn limit_memory(settings: &ServerSettings) {
    let most = Some(settings.server.memory << 20);
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    // Where it is refused the server runs as well.
    let _ = setrlimit(Resource::Data, limit);
    let _ = std::fs::write(Path::new("/proc/self/oom_score_adj"), "500");
    let _ = rustix::process::nice(5);
}
