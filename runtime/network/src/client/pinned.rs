//! TLS with a pinned certificate, which is verified by its fingerprint.
//! Used by the client. A known fingerprint must match; that of an unknown robot is returned to the caller,
//! never accepted silently.

use std::sync::{Arc, Mutex};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

use crate::hex::digest;
use crate::lock;

/// Verifies fingerprints.
#[derive(Debug)]
pub(super) struct CertificatePin {
    known: Option<String>,
    shown: Mutex<Option<String>>,
    provider: Arc<CryptoProvider>,
}

impl CertificatePin {
    /// The known fingerprint; `None` accepts every certificate, and reports its fingerprint.
    pub(super) fn new(known: Option<String>) -> Arc<CertificatePin> {
        Arc::new(CertificatePin {
            known,
            shown: Mutex::new(None),
            provider: Arc::new(rustls::crypto::ring::default_provider()),
        })
    }

    /// The fingerprint of the server's certificate.
    pub(super) fn shown(&self) -> Option<String> {
        lock(&self.shown).clone()
    }

    /// A TLS configuration with this verifier.
    ///
    /// # Errors
    /// This build of TLS does not support it.
    pub(super) fn config(self: &Arc<CertificatePin>) -> Result<ClientConfig, Error> {
        let builder = ClientConfig::builder_with_provider(Arc::clone(&self.provider));
        let verifier = Arc::clone(self) as Arc<dyn ServerCertVerifier>;
        Ok(builder
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth())
    }
}

impl ServerCertVerifier for CertificatePin {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let is = fingerprint(certificate);
        *lock(&self.shown) = Some(is.clone());
        match &self.known {
            Some(known) if *known != is => {
                Err(CertificateError::ApplicationVerificationFailure.into())
            }
            _ => Ok(ServerCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// SHA-256 of a certificate, as people compare it.
pub fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    digest(certificate)
}
