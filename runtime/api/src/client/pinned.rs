//! TLS with a robot: its certificate is known by its fingerprint, not by who signed it.
//! Used by the client. The law: the fingerprint that is known must be shown; what an unknown robot shows is
//! told to whoever asks, and never taken in silence.

use std::sync::{Arc, Mutex};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};

use crate::hex::digest;
use crate::lock;

/// Looks at fingerprints.
#[derive(Debug)]
pub(super) struct CertificatePin {
    known: Option<String>,
    shown: Mutex<Option<String>>,
    provider: Arc<CryptoProvider>,
}

impl CertificatePin {
    /// The fingerprint that is known; without one every certificate is looked at, and told.
    pub(super) fn new(known: Option<String>) -> Arc<CertificatePin> {
        Arc::new(CertificatePin {
            known,
            shown: Mutex::new(None),
            provider: Arc::new(rustls::crypto::ring::default_provider()),
        })
    }

    /// The fingerprint that was shown.
    pub(super) fn shown(&self) -> Option<String> {
        lock(&self.shown).clone()
    }

    /// A client that speaks to whoever shows it.
    ///
    /// # Errors
    /// This build of TLS cannot.
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
