//! Pairing by a code: a password-authenticated key exchange (SPAKE2) over the certificate that each end sees.
//! Begun by the client, answered by the server. The code is never sent. A wrong code, or a server in between
//! with another certificate, gives the two ends different keys, and then neither believes the other. One exchange
//! tests one guess.

use ring::hmac;
use spake2::{Ed25519Group, Identity, Password, Spake2};

/// Who they are, in the exchange. The robot is its certificate as well.
const CLIENT: &[u8] = b"dcm-run pairing 1, client";
const ROBOT: &[u8] = b"dcm-run pairing 1, robot";

/// The client's end of an exchange, until the robot has answered.
#[derive(Debug)]
pub struct OpenExchange(Spake2<Ed25519Group>);

/// What both ends know after an exchange, if they had the same code and saw the same certificate.
pub struct PairingKey(hmac::Key);

impl OpenExchange {
    /// Begins, with the code that was typed and the fingerprint of the certificate that the server showed; `None`
    /// without TLS. Returns the message to the robot.
    pub fn begin(code: &str, certificate: Option<&str>) -> (OpenExchange, Vec<u8>) {
        let (open, message) =
            Spake2::start_a(&password(code), &Identity::new(CLIENT), &robot(certificate));
        (OpenExchange(open), message)
    }

    /// The key. `None`: this is no answer of a robot.
    pub fn finish(self, answer: &[u8]) -> Option<PairingKey> {
        self.0.finish(answer).ok().map(PairingKey::of)
    }
}

/// The robot's end: the key and the answer to a client's message. `None`: this is no message of a client.
pub fn answer(
    code: &str,
    certificate: Option<&str>,
    message: &[u8],
) -> Option<(PairingKey, Vec<u8>)> {
    let (open, answer) = Spake2::<Ed25519Group>::start_b(
        &password(code),
        &Identity::new(CLIENT),
        &robot(certificate),
    );
    let key = open.finish(message).ok()?;
    Some((PairingKey::of(key), answer))
}

impl PairingKey {
    fn of(bytes: Vec<u8>) -> PairingKey {
        PairingKey(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
    }

    /// By this the robot proves that it knows the code.
    pub fn robot_proof(&self) -> Vec<u8> {
        hmac::sign(&self.0, ROBOT).as_ref().to_vec()
    }

    /// Whether this is the robot's proof.
    pub fn proves_robot(&self, proof: &[u8]) -> bool {
        hmac::verify(&self.0, ROBOT, proof).is_ok()
    }

    /// By this a client proves that it knows the code, and asks for a token of this name.
    pub fn client_proof(&self, name: &str) -> Vec<u8> {
        hmac::sign(&self.0, &for_name(name)).as_ref().to_vec()
    }

    /// Whether this is a client's proof for this name.
    pub fn proves_client(&self, name: &str, proof: &[u8]) -> bool {
        hmac::verify(&self.0, &for_name(name), proof).is_ok()
    }
}

impl std::fmt::Debug for PairingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PairingKey")
    }
}

/// The digits of a code, however people group them.
pub fn digits(code: &str) -> String {
    code.chars().filter(char::is_ascii_digit).collect()
}

fn password(code: &str) -> Password {
    Password::new(digits(code))
}

fn robot(certificate: Option<&str>) -> Identity {
    Identity::new(&[ROBOT, b" ", certificate.unwrap_or("without TLS").as_bytes()].concat())
}

fn for_name(name: &str) -> Vec<u8> {
    [CLIENT, b" ", name.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::{OpenExchange, PairingKey, answer};

    /// Both keys of an exchange.
    fn exchange(typed: (&str, Option<&str>), shown: (&str, Option<&str>)) -> [PairingKey; 2] {
        let (open, message) = OpenExchange::begin(typed.0, typed.1);
        let (robot, told) = answer(shown.0, shown.1, &message).expect("a message");
        [open.finish(&told).expect("an answer"), robot]
    }

    #[test]
    fn the_same_code_over_the_same_certificate_proves_both_ends() {
        for certificate in [None, Some("ab12")] {
            let [client, robot] = exchange(("1234 5678", certificate), ("12345678", certificate));
            assert!(client.proves_robot(&robot.robot_proof()));
            assert!(robot.proves_client("anna", &client.client_proof("anna")));
            // A proof is for its end and for its name.
            assert!(!robot.proves_client("bert", &client.client_proof("anna")));
            assert!(!client.proves_robot(&client.client_proof("anna")));
        }
    }

    #[test]
    fn another_code_or_another_certificate_proves_nothing() {
        let shown = ("12345678", Some("ab12"));
        for typed in [
            ("12345679", Some("ab12")),
            ("", Some("ab12")),
            ("12345678", Some("ab13")),
            ("12345678", None),
        ] {
            let [client, robot] = exchange(typed, shown);
            assert!(!client.proves_robot(&robot.robot_proof()), "{typed:?}");
            assert!(!robot.proves_client("anna", &client.client_proof("anna")));
        }
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let (_, message) = OpenExchange::begin("12345678", None);
        let longer = [message.as_slice(), &[0]].concat();
        for wrong in [&b""[..], &message[1..], &longer] {
            assert!(answer("12345678", None, wrong).is_none());
        }
        // The robot's answer is no client's message: nobody is paired with himself.
        let (_, told) = answer("12345678", None, &message).expect("a message");
        assert!(answer("12345678", None, &told).is_none());
        let (open, message) = OpenExchange::begin("12345678", None);
        assert!(open.finish(&message).is_none());
    }
}
