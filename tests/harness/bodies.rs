//! What the robot's server reads from outside: bodies, queries, uploads, signatures, files that somebody may have
//! edited. Each is read by the server's own functions. Used by the fuzz target `server`, and by
//! `tests/memory/bodies.rs`, which mutates the good inputs in this file. These functions return for any bytes;
//! an error has a code and a sentence.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::Json;
use axum::extract::Query;
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse;
use daemon::access::Tokens;
use daemon::routes::ApiError;
use daemon::settings::ServerSettings;
use daemon::store::{ChoreographyStore, Disk, Index, StoreError, object};
use daemon::trust::{SignatureContext, verify};
use network::hex::{digest, unhex};
use network::signature::SigningKey;
use protocol::RequestKind;
use protocol::choreographies::{self, BootEntry, StoredChoreography, is_name};
use protocol::keys::{self, TrustedKey};
use protocol::{dcm, guests, memory, people, robot};
use serde::de::DeserializeOwned;

/// An input of the server.
#[derive(Clone, Copy, Debug)]
pub struct ServerInput {
    /// A good example.
    pub name: &'static str,
    /// Bytes that are accepted.
    pub good: fn() -> Vec<u8>,
    /// Reads bytes; returns whether they were accepted.
    pub read: fn(&[u8]) -> bool,
}

/// The quota for all choreographies, bytes.
const QUOTA: u64 = 1 << 20;

/// The time of all requests, s of UTC since 1970.
const NOW: u64 = 1_795_305_600;

/// An input whose good example is a text.
macro_rules! input {
    ($name:literal, $read:expr, $good:expr) => {
        ServerInput {
            name: $name,
            good: || $good.into(),
            read: $read,
        }
    };
}

/// All inputs.
pub const INPUTS: &[ServerInput] = &[
    input!(
        "move",
        fields::<{ RequestKind::Move as usize }>,
        r#"{"to":["HeadYaw","Head"],"after_ns":[500000000],"values":[0.5,1],"merge":"clear-all"}"#
    ),
    input!(
        "schedule",
        fields::<{ RequestKind::Schedule as usize }>,
        r#"{"to":["HeadYaw"],"lists":[[[500000000,0.5],[1000000000,1]]]}"#
    ),
    input!(
        "pose",
        fields::<{ RequestKind::Pose as usize }>,
        r#"{"name":"sit","in_ns":2000000000}"#
    ),
    input!(
        "open-lane",
        fields::<{ RequestKind::OpenLane as usize }>,
        r#"{"lane":"a","options":{"priority":20,"silent-after-ns":1000}}"#
    ),
    input!(
        "guests",
        json::<guests::StartRequest>,
        r#"{"choreography":"wave","wish":{"name":"a","priority":10,"mask":["Head"],"params":{"speed":1},"keep":true},
           "at":1e9}"#
    ),
    input!(
        "tune",
        fields::<{ RequestKind::Tune as usize }>,
        r#"{"guest":"wave","params":{"speed":1.5},"priority":20,"weight":1}"#
    ),
    input!(
        "guests/swap",
        json::<guests::SwapRequest>,
        r#"{"choreography":"wave","in_s":1,"wish":{}}"#
    ),
    input!(
        "dcm/set",
        json::<(String, dcm::UpdateKind, Vec<dcm::TimedValue>)>,
        r#"["HeadYaw","Merge",[[0.5,12000],[0,13000,1]]]"#
    ),
    input!(
        "dcm/setAlias, mixed",
        json::<dcm::SetAlias>,
        r#"["Head","Merge","time-mixed",[[[0.5,10],[1,20,0]],[]]]"#
    ),
    input!(
        "dcm/setAlias, separate",
        json::<dcm::SetAlias>,
        r#"["Head","ClearAll","time-separate",0,[10,20],[[0,1],[1,0]]]"#
    ),
    input!(
        "dcm/createAlias",
        json::<(String, Vec<String>)>,
        r#"["Mine",["HeadYaw","HeadPitch"]]"#
    ),
    input!(
        "memory/getListData",
        json::<Vec<String>>,
        r#"["HeadYaw","DCM/Time"]"#
    ),
    input!(
        "tags",
        json::<choreographies::TagRequest>,
        r#"{"choreography":"wave"}"#
    ),
    input!(
        "boot",
        json::<Vec<BootEntry>>,
        r#"[{"choreography":"wave","wish":{"params":{"times":2}}}]"#
    ),
    input!(
        "keys",
        json::<keys::TrustRequest>,
        r#"{"key":"ed25519:00","name":"anna"}"#
    ),
    input!(
        "pair",
        json::<people::PairRequest>,
        r#"{"code":"12345678","name":"anna"}"#
    ),
    input!(
        "pair/exchange",
        json::<people::PairExchange>,
        r#"{"message":"41aa"}"#
    ),
    input!(
        "pair/proof",
        json::<people::PairProof>,
        r#"{"exchange":1,"proof":"00ff","name":"anna"}"#
    ),
    input!(
        "pairing",
        json::<people::PairingRequest>,
        r#"{"role":"perform"}"#
    ),
    input!(
        "tokens",
        json::<people::TokenRequest>,
        r#"{"name":"anna","role":"watch","days":3}"#
    ),
    input!(
        "a query of push",
        query::<choreographies::PushQuery>,
        "name=wave"
    ),
    input!(
        "a query of stream",
        query::<robot::StreamQuery>,
        "topics=all,guests&hz=20"
    ),
    input!("a query of getTime", query::<dcm::TimeQuery>, "offset=-5"),
    input!(
        "a query of getData",
        query::<memory::DataQuery>,
        "key=HeadYaw"
    ),
    input!(
        "a query of getDataList",
        query::<memory::KeyFilter>,
        "filter=Head%2F"
    ),
    input!(
        "a query of remove",
        query::<choreographies::RemoveQuery>,
        "force=true"
    ),
    input!("a query of audit", query::<people::AuditQuery>, "most=10"),
    ServerInput {
        name: "an upload",
        good: || {
            let mut bytes = b"wave\n".to_vec();
            bytes.extend(component());
            bytes
        },
        read: upload,
    },
    ServerInput {
        name: "a signature",
        good: || {
            secret()
                .sign(&digest(&component()), "show", "nao", NOW, None)
                .into_bytes()
        },
        read: signature,
    },
    ServerInput {
        name: "the store's table",
        good: a_table,
        read: table,
    },
    input!(
        "the file of tokens",
        tokens,
        r#"{"next":1,"all":[{"number":1,"name":"anna","role":"watch","made":1,"ends":null,"digest":"00"}]}"#
    ),
    input!(
        "the file of keys",
        known_keys,
        r#"[{"key":"00","name":"anna","since":1,"revoked":false}]"#
    ),
    input!(
        "the settings",
        settings,
        "[server]\nlisten = [\"127.0.0.1:0\"]\ntls = \"always\"\n[store]\nquota = 10\n[access]\nusers = [1]\n\
         [foxglove]\nlisten = \"\"\n"
    ),
];

/// Reads bytes as one of the inputs, which the first byte selects. Returns whether they were accepted.
pub fn server(bytes: &[u8]) -> bool {
    let Some((first, rest)) = bytes.split_first() else {
        return false;
    };
    let input = INPUTS[usize::from(*first) % INPUTS.len()];
    (input.read)(rest)
}

/// The body of a request.
fn json<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    match Json::<T>::from_bytes(bytes) {
        Ok(_) => true,
        Err(rejection) => told(rejection.status(), &rejection.body_text()),
    }
}

/// Reads the fields of a request to the loop.
fn fields<const KIND: usize>(bytes: &[u8]) -> bool {
    match RequestKind::ALL[KIND].read(bytes) {
        Ok(_) => true,
        Err(refusal) => {
            assert!(!refusal.error.sentence.is_empty());
            false
        }
    }
}

/// Reads a query.
fn query<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    // An invalid path never reaches the handler.
    let Ok(uri) = format!("/?{text}").parse::<Uri>() else {
        return false;
    };
    match Query::<T>::try_from_uri(&uri) {
        Ok(_) => true,
        Err(rejection) => told(rejection.status(), &rejection.body_text()),
    }
}

/// If a request is refused before its handler, the answer has a status and a sentence; its code follows from the
/// status.
fn told(status: StatusCode, sentence: &str) -> bool {
    assert!(status.is_client_error() && !sentence.is_empty(), "{status}");
    false
}

/// A name, a line end, and the bytes that are uploaded under it.
fn upload(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (name, body) = bytes.split_at(end.unwrap_or(bytes.len()));
    let (name, body) = (String::from_utf8_lossy(name), body.get(1..).unwrap_or(&[]));
    let shelf = Arc::new(Shelf::default());
    let mut store = opened(&shelf);
    let done = bring(&mut store, &name, body);
    let came = match &done {
        Ok((digest, known)) => {
            assert!(!known && is_name(&name), "{name}");
            assert!(body.starts_with(b"\0asm\x0d\0\x01\0"));
            let kept = store
                .read(digest)
                .unwrap_or_else(|error| panic!("{name}: {error:?}"));
            assert_eq!(kept, body);
            true
        }
        Err(refusal) => {
            refused(refusal);
            assert!(store.index().kept.is_empty());
            false
        }
    };
    // A refused upload leaves nothing behind.
    let objects = shelf.names("choreographies/");
    assert_eq!(
        (objects.len(), shelf.names("incoming/").len()),
        (usize::from(came), 0)
    );
    came
}

fn bring(
    store: &mut ChoreographyStore,
    name: &str,
    body: &[u8],
) -> Result<(String, bool), StoreError> {
    let mut upload = store.begin(&digest(body), Some(body.len() as u64))?;
    for piece in body.chunks(1000) {
        upload.write(piece)?;
    }
    store.install(upload, &digest(body), |bytes| kept(name, bytes))
}

fn kept(name: &str, bytes: u64) -> StoredChoreography {
    StoredChoreography {
        name: name.to_owned(),
        bytes,
        came: NOW,
        by: "somebody".to_owned(),
        key: None,
        signed: None,
    }
}

/// An error has a code, a sentence, and a status that is no success.
fn refused(refusal: &StoreError) {
    let error = refusal.error();
    assert!(
        !error.code.is_empty() && !error.sentence.is_empty(),
        "{refusal:?}"
    );
    let status = ApiError::from(error).into_response().status();
    assert!(
        status.is_client_error() || status.is_server_error(),
        "{status}"
    );
}

/// A signature as text and in its header.
fn signature(bytes: &[u8]) -> bool {
    let header = String::from_utf8_lossy(bytes);
    let plain = unhex(&header);
    let digest = digest(&component());
    let keys = [TrustedKey {
        key: secret().public(),
        name: "anna".to_owned(),
        since: 0,
        revoked: false,
    }];
    let case = SignatureContext {
        digest: &digest,
        name: "show",
        robot: "nao",
        now: NOW,
        newest: None,
    };
    let texts = [Some(bytes), plain.as_deref()];
    let judged = texts.into_iter().flatten().map(|text| {
        let Err(flaw) = verify(&keys, Some(text), case) else {
            return true;
        };
        assert!(!flaw.to_string().is_empty());
        let status = ApiError::from(flaw).into_response().status();
        assert!(status.is_client_error(), "{status}");
        false
    });
    judged.filter(|value| *value).count() > 0
}

/// The index of the store, edited by hand, with one stored choreography.
fn table(bytes: &[u8]) -> bool {
    let there = digest(&component());
    let shelf = Arc::new(Shelf::default());
    shelf.put(&object(&there), &component());
    shelf.put("index.json", bytes);
    let mut store = opened(&shelf);
    assert!(store.found.iter().all(|item| !item.is_empty()));
    let index = store.index().clone();
    // It names only what is stored, and an index that was repaired needs no more repairs.
    assert!(index.kept.keys().all(|key| *key == there), "{index:?}");
    assert_eq!(*opened(&shelf).index(), index);
    assert!(index.bytes() <= component().len() as u64);
    store.index().list();
    let names = index.names.keys().chain(index.tags.keys());
    for name in names.take(20) {
        for done in [
            store.find(name).map(drop),
            store.roll_back(name).map(drop),
            store.tag(name, None),
        ] {
            let _ = done.map_err(|error| refused(&error));
        }
    }
    for force in [false, true] {
        let _ = store.remove(&there, force).map_err(|error| refused(&error));
    }
    serde_json::from_slice::<Index>(bytes).is_ok()
}

fn a_table() -> Vec<u8> {
    let there = digest(&component());
    let absent = "ab".repeat(32);
    let mut index = Index::default();
    for digest in [&there, &absent] {
        index.kept.insert(digest.clone(), kept("wave", 100));
    }
    index
        .names
        .insert("wave".to_owned(), vec![absent, there.clone()]);
    index.tags.insert("evening".to_owned(), there.clone());
    index.good.insert("wave".to_owned(), there);
    index.boot.push(BootEntry {
        choreography: "wave".to_owned(),
        options: protocol::GuestOptions::default(),
    });
    serde_json::to_vec(&index).unwrap_or_default()
}

fn tokens(bytes: &[u8]) -> bool {
    let Ok(mut tokens) = serde_json::from_slice::<Tokens>(bytes) else {
        return false;
    };
    let shown = String::from_utf8_lossy(bytes);
    assert!(tokens.who(Some(&shown), NOW).is_err() && tokens.who(None, NOW).is_err());
    for item in tokens.list() {
        tokens.revoke(item.number);
    }
    assert!(tokens.is_empty());
    true
}

fn known_keys(bytes: &[u8]) -> bool {
    let Ok(keys) = serde_json::from_slice::<Vec<TrustedKey>>(bytes) else {
        return false;
    };
    let case = SignatureContext {
        digest: "",
        name: "show",
        robot: "nao",
        now: NOW,
        newest: None,
    };
    assert!(verify(&keys, Some(bytes), case).is_err());
    true
}

fn settings(bytes: &[u8]) -> bool {
    match ServerSettings::read(&String::from_utf8_lossy(bytes)) {
        Ok(_) => true,
        Err(sentence) => {
            assert!(!sentence.is_empty());
            false
        }
    }
}

/// Bytes that begin like a component. Only a loop would notice that they are none.
fn component() -> Vec<u8> {
    let mut bytes = b"\0asm\x0d\0\x01\0".to_vec();
    bytes.extend(0..100);
    bytes
}

fn secret() -> &'static SigningKey {
    static SECRET: OnceLock<SigningKey> = OnceLock::new();
    SECRET.get_or_init(|| {
        let made = SigningKey::generate().and_then(|secret| SigningKey::of(&secret));
        made.unwrap_or_else(|why| panic!("{why}"))
    })
}

fn opened(shelf: &Arc<Shelf>) -> ChoreographyStore {
    let disk = Arc::clone(shelf) as Arc<dyn Disk>;
    // This disk never fails: so a store opens, whatever is on it.
    ChoreographyStore::open(disk, QUOTA).unwrap_or_else(|error| panic!("{error:?}"))
}

/// A disk in memory.
#[derive(Default)]
struct Shelf(Mutex<BTreeMap<String, Vec<u8>>>);

impl Shelf {
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, path: &str, bytes: &[u8]) {
        self.files().insert(path.to_owned(), bytes.to_vec());
    }

    fn names(&self, head: &str) -> Vec<String> {
        let files = self.files();
        let names = files.keys().filter_map(|key| key.strip_prefix(head));
        names.map(str::to_owned).collect()
    }
}

impl Disk for Shelf {
    fn make_folder(&self, _folder: &str) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        Ok(self.names(&format!("{folder}/")))
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.files().get(path).cloned();
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn write(&self, path: &str, piece: &[u8], first: bool) -> io::Result<()> {
        let mut files = self.files();
        let file = files.entry(path.to_owned()).or_default();
        if first {
            file.clear();
        }
        file.extend_from_slice(piece);
        Ok(())
    }

    fn sync(&self, _path: &str) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut files = self.files();
        let file = files.remove(from).ok_or(io::ErrorKind::NotFound)?;
        files.insert(to.to_owned(), file);
        Ok(())
    }

    fn sync_folder(&self, _folder: &str) -> io::Result<()> {
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let removed = self.files().remove(path);
        removed
            .map(drop)
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn length(&self, path: &str) -> io::Result<u64> {
        Ok(self.read(path)?.len() as u64)
    }
}
