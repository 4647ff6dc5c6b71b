//! The robot's TLS certificate: the owner's, or one that is made at the first start and stored.
//! Used by the listeners. Only the server's user can read the key; clients recognize the certificate by its
//! fingerprint.

use std::io;
use std::sync::Arc;

use network::client::fingerprint;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use crate::settings::ListenSettings;
use crate::store::{Disk, Folder, replace};

const CERTIFICATE: &str = "certificate.pem";
const KEY: &str = "certificate.key";

/// A certificate, ready for use.
#[derive(Clone)]
pub(crate) struct Certificate {
    /// The TLS acceptor.
    pub acceptor: TlsAcceptor,
    /// Its SHA-256.
    pub fingerprint: String,
}

impl Certificate {
    /// Loads the certificate of the settings, else the robot's own in `disk`. That is made if it is missing.
    ///
    /// # Errors
    /// A message: it cannot be read, made or used.
    pub(crate) fn load(
        settings: &ListenSettings,
        disk: &Folder,
        name: &str,
    ) -> Result<Certificate, String> {
        let (certificate, key) = match (&settings.certificate, &settings.key) {
            (Some(certificate), Some(key)) => {
                let read = |path: &std::path::Path| {
                    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
                };
                (read(certificate)?, read(key)?)
            }
            _ => own(disk, name).map_err(|error| format!("the robot's certificate: {error}"))?,
        };
        let fix = if settings.certificate.is_some() && settings.key.is_some() {
            "check that `server.certificate` and `server.key` in dcm-run.toml are PEM files that match"
        } else {
            "remove certificate.pem and certificate.key from the state folder, start again, and pair everybody anew"
        };
        let broken = |what: &str, error: &dyn std::fmt::Display| {
            format!("the {what} cannot be used: {error}; fix: {fix}")
        };
        let chain = CertificateDer::pem_slice_iter(&certificate).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(|error| broken("certificate", &error))?;
        let first = chain.first();
        let first = first.ok_or_else(|| broken("certificate", &"there is none in its file"))?;
        let fingerprint = fingerprint(first);
        let key = PrivateKeyDer::from_pem_slice(&key);
        let key = key.map_err(|error| broken("certificate's key", &error))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| broken("certificate", &error))?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(|error| broken("certificate", &error))?;
        Ok(Certificate {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            fingerprint,
        })
    }
}

fn own(disk: &Folder, name: &str) -> io::Result<(Vec<u8>, Vec<u8>)> {
    match (disk.read(CERTIFICATE), disk.read(KEY)) {
        (Ok(certificate), Ok(key)) => return Ok((certificate, key)),
        (Err(error), _) | (_, Err(error)) if error.kind() != io::ErrorKind::NotFound => {
            return Err(error);
        }
        _ => {}
    }
    let node = rustix::system::uname();
    let node = node.nodename().to_string_lossy().into_owned();
    let names = vec![
        name.to_owned(),
        format!("{node}.local"),
        node,
        "localhost".to_owned(),
    ];
    let made = rcgen::generate_simple_self_signed(names).map_err(io::Error::other)?;
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    replace(disk, KEY, key.as_bytes())?;
    replace(disk, CERTIFICATE, certificate.as_bytes())?;
    Ok((certificate.into_bytes(), key.into_bytes()))
}
