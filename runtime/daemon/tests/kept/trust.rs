//! Promise 9: an upload is accepted if a trusted key has signed it, for this robot, and the signature has not expired.
//! Every forgery is refused with a reason of its own, and no byte of a signature can be changed.

use crate::common::{component, digest};
use daemon::access::{Lease, Pairing, PairingError, Principal, RateLimit, TokenError, Tokens};
use daemon::trust::{SignatureContext, verify};
use network::signature::{SignatureError, SigningKey};
use protocol::AccessRole;
use protocol::keys::TrustedKey;
use std::net::IpAddr;
use std::time::{Duration, Instant};

const NOW: u64 = 1_795_305_600;

fn secret() -> SigningKey {
    SigningKey::of(&SigningKey::generate().expect("random numbers")).expect("a key")
}

fn key(secret: &SigningKey, revoked: bool) -> TrustedKey {
    TrustedKey {
        key: secret.public(),
        name: "anna".to_owned(),
        since: 0,
        revoked,
    }
}

#[test]
fn every_forgery_is_refused_with_its_reason() {
    let (anna, mallory) = (secret(), secret());
    let keys = [key(&anna, false)];
    let (show, other) = (digest(&component(1, 10)), digest(&component(2, 10)));
    let good = anna.sign(&show, "show", "nao", NOW, None);
    let look = |keys: &[TrustedKey], text: &str| {
        let case = SignatureContext {
            digest: &show,
            name: "show",
            robot: "nao",
            now: NOW + 10,
            newest: Some(NOW - 1000),
        };
        verify(keys, Some(text.as_bytes()), case).map(|verify| verify.made)
    };
    assert_eq!(look(&keys, &good), Ok(NOW));
    assert_eq!(
        look(&keys, &anna.sign(&show, "show", "*", NOW, Some(NOW + 11))),
        Ok(NOW)
    );
    let lines: Vec<_> = good.lines().map(str::to_owned).collect();
    let without = |place: usize| {
        let mut lines = lines.clone();
        lines.remove(place);
        lines.join("\n") + "\n"
    };
    let swapped = {
        let mut lines = lines.clone();
        lines.swap(1, 2);
        lines.join("\n") + "\n"
    };
    let long_ago = anna.sign(&show, "show", "nao", NOW - 2000, None);
    let forgeries: [(String, SignatureError); 26] = [
        (String::new(), SignatureError::Form("its first line")),
        ("\0".repeat(10), SignatureError::Form("its first line")),
        ("x".repeat(4097), SignatureError::Long),
        (without(0), SignatureError::Form("its first line")),
        (without(1), SignatureError::Form("its line `digest`")),
        (without(2), SignatureError::Form("its line `name`")),
        (without(3), SignatureError::Form("its line `robot`")),
        (without(4), SignatureError::Form("its line `made`")),
        (without(5), SignatureError::Form("its line `ends`")),
        (without(6), SignatureError::Form("its line `key`")),
        (without(7), SignatureError::Form("its line `seal`")),
        (
            good.trim_end().to_owned(),
            SignatureError::Form("something stands behind its end"),
        ),
        (
            good.clone() + "x",
            SignatureError::Form("something stands behind its end"),
        ),
        (
            good.clone() + &good,
            SignatureError::Form("something stands behind its end"),
        ),
        (swapped, SignatureError::Form("its line `digest`")),
        (
            good.replace("made 1", "made +1"),
            SignatureError::Form("it is not written as it must be"),
        ),
        (
            good.replace("made 1", "made 01"),
            SignatureError::Form("it is not written as it must be"),
        ),
        (
            good.replace("ends never", "ends 9999999999"),
            SignatureError::Seal,
        ),
        (good.replace("robot nao", "robot *"), SignatureError::Seal),
        (good.replace(&show, &other), SignatureError::Seal),
        (
            good.replace(&anna.public(), &mallory.public()),
            SignatureError::Seal,
        ),
        (
            anna.sign(&other, "show", "nao", NOW, None),
            SignatureError::Digest,
        ),
        (
            anna.sign(&show, "other", "nao", NOW, None),
            SignatureError::Name("other".to_owned()),
        ),
        (
            anna.sign(&show, "show", "arm", NOW, None),
            SignatureError::Robot("arm".to_owned()),
        ),
        (
            anna.sign(&show, "show", "nao", NOW + 1000, None),
            SignatureError::Early,
        ),
        (
            anna.sign(&show, "show", "nao", NOW, Some(NOW + 10)),
            SignatureError::Ended,
        ),
    ];
    for (text, flaw) in &forgeries {
        assert_eq!(look(&keys, text), Err(flaw.clone()), "{text}");
    }
    assert_eq!(look(&keys, &long_ago), Err(SignatureError::Older));
    let short = mallory.public()[..16].to_owned();
    assert_eq!(
        look(&keys, &mallory.sign(&show, "show", "nao", NOW, None)),
        Err(SignatureError::Key(short))
    );
    assert_eq!(
        look(&[key(&anna, true)], &good),
        Err(SignatureError::Revoked("anna".to_owned()))
    );
    assert!(matches!(look(&[], &good), Err(SignatureError::Key(_))));
    let case = SignatureContext {
        digest: &show,
        name: "show",
        robot: "nao",
        now: NOW,
        newest: None,
    };
    assert_eq!(verify(&keys, None, case), Err(SignatureError::Missing));
    assert_eq!(
        verify(&keys, Some(&[0xff, 0xfe]), case),
        Err(SignatureError::Form("it is no text"))
    );
}

#[test]
fn no_bit_of_a_signature_can_be_another() {
    let anna = secret();
    let show = digest(&component(1, 10));
    let good = anna.sign(&show, "show", "nao", NOW, Some(NOW + 100));
    let keys = [key(&anna, false)];
    let case = SignatureContext {
        digest: &show,
        name: "show",
        robot: "nao",
        now: NOW,
        newest: None,
    };
    assert!(verify(&keys, Some(good.as_bytes()), case).is_ok());
    let mut bytes = good.into_bytes();
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(verify(&keys, Some(&bytes), case).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    for length in 0..bytes.len() {
        assert!(
            verify(&keys, Some(&bytes[..length]), case).is_err(),
            "{length} bytes"
        );
    }
}

#[test]
fn tokens_end_are_taken_back_and_are_kept_by_nobody() {
    let mut tokens = Tokens::default();
    let (secret, told) = tokens
        .make("anna\n", AccessRole::Author, NOW, Some(NOW + 10))
        .expect("room");
    assert_eq!(
        (told.name.as_str(), told.role),
        ("anna", AccessRole::Author)
    );
    assert_eq!(
        tokens.who(Some(&secret), NOW).map(|value| value.role),
        Ok(AccessRole::Author)
    );
    assert_eq!(
        tokens.who(Some(&secret), NOW + 10),
        Err(TokenError::Ended(NOW + 10))
    );
    assert_eq!(tokens.who(None, NOW), Err(TokenError::Missing));
    for wrong in [
        "",
        "dcm_",
        &secret[..secret.len() - 1],
        &secret.to_uppercase(),
    ] {
        assert_eq!(
            tokens.who(Some(wrong), NOW),
            Err(TokenError::Unknown),
            "{wrong}"
        );
    }
    // The stored file does not give access.
    let kept = format!("{tokens:?}");
    assert!(!kept.contains(&secret[4..]));
    assert!(tokens.revoke(told.number) && !tokens.revoke(told.number));
    assert_eq!(tokens.who(Some(&secret), NOW), Err(TokenError::Unknown));
    for _ in 0..256 {
        tokens
            .make("many", AccessRole::Watch, NOW, None)
            .expect("room");
    }
    assert!(tokens.make("more", AccessRole::Watch, NOW, None).is_err());
}

#[test]
fn a_code_counts_once_for_a_while_and_no_stranger_spoils_it() {
    let now = Instant::now();
    let mut pairing = Pairing::default();
    let here = None;
    assert_eq!(pairing.take("1", here, now), Err(PairingError::NoCode));
    let show = |pairing: &mut Pairing| {
        pairing
            .show(AccessRole::Perform, now)
            .expect("random numbers")
    };
    let code = show(&mut pairing);
    assert_eq!(code.len(), 8);
    assert_eq!(
        pairing.take(&format!(" {} {}", &code[..4], &code[4..]), here, now),
        Ok(AccessRole::Perform)
    );
    assert_eq!(pairing.take(&code, here, now), Err(PairingError::NoCode));
    let code = show(&mut pairing);
    let late = now + Duration::from_secs(301);
    assert_eq!(pairing.take(&code, here, late), Err(PairingError::NoCode));
    // Strangers, who have networks of their own, guess; none of them more than five times.
    let code = show(&mut pairing);
    let stranger = |n: u16| Some(IpAddr::from([0x2001, 0xdb8, 0, n, 0, 0, 0, 1]));
    for item in 0..150 {
        for _ in 0..5 {
            let guessed = pairing.take("123", stranger(item), now);
            assert_eq!(guessed, Err(PairingError::Other));
        }
        for guess in ["123", &code] {
            // Another address of the same network is no other guesser.
            let neighbour = Some(IpAddr::from([0x2001, 0xdb8, 0, item, 0, 0, 7, 7]));
            let guessed = pairing.take(guess, neighbour, now);
            assert_eq!(guessed, Err(PairingError::TooOften));
        }
    }
    let owner = Some(IpAddr::from([10, 0, 0, 7]));
    assert_eq!(pairing.take(&code, owner, now), Ok(AccessRole::Perform));
    // An owner behind the same address as a stranger who guesses on waits for a moment.
    let code = show(&mut pairing);
    for _ in 0..5 {
        assert!(pairing.take("123", owner, now).is_err());
    }
    assert_eq!(pairing.take(&code, owner, now), Err(PairingError::TooOften));
    let later = now + Duration::from_secs(11);
    assert_eq!(pairing.take(&code, owner, later), Ok(AccessRole::Perform));
    // A thousand in all end a code.
    let code = show(&mut pairing);
    for item in 0..200 {
        for _ in 0..5 {
            assert!(pairing.take("123", stranger(item), now).is_err());
        }
    }
    assert_eq!(pairing.take(&code, owner, now), Err(PairingError::NoCode));
}

#[test]
fn control_is_held_for_a_minute_after_the_last_act() {
    let now = Instant::now();
    let at = |seconds| now + Duration::from_secs(seconds);
    let person = |name: &str, token| Principal {
        name: name.to_owned(),
        token: Some(token),
        role: AccessRole::Perform,
    };
    let (anna, bert) = (person("anna", 1), person("bert", 2));
    let mut lease = Lease::default();
    assert_eq!(lease.act(&anna, at(0)), Ok(Some(at(60))));
    assert_eq!(lease.act(&bert, at(59)), Err("anna".to_owned()));
    assert_eq!(lease.act(&anna, at(59)), Ok(None));
    assert_eq!(lease.act(&bert, at(100)), Err("anna".to_owned()));
    assert_eq!(lease.act(&bert, at(120)), Ok(Some(at(180))));
    lease.give_back(&anna);
    assert_eq!(lease.held(at(121)).by.as_deref(), Some("bert"));
    lease.take_over(&anna, at(121));
    assert_eq!(lease.act(&bert, at(121)), Err("anna".to_owned()));
    lease.give_back(&anna);
    assert_eq!(lease.held(at(121)).by, None);
    // Another token named anna is another person.
    let mut lease = Lease::default();
    assert_eq!(lease.act(&anna, at(0)), Ok(Some(at(60))));
    assert_eq!(lease.act(&person("anna", 3), at(1)), Err("anna".to_owned()));
    lease.end_of_token(3);
    assert_eq!(lease.held(at(1)).by.as_deref(), Some("anna"));
    lease.end_of_token(1);
    assert_eq!(lease.act(&person("anna", 3), at(1)), Ok(Some(at(61))));
}

#[test]
fn a_client_that_asks_too_often_waits_and_many_addresses_take_no_memory() {
    let now = Instant::now();
    let mut pace = RateLimit::new(5.0, 2.0);
    let one = IpAddr::from([10, 0, 0, 1]);
    assert!((0..5).all(|_| pace.allows(one, now)));
    assert!(!pace.allows(one, now));
    assert!(pace.allows(IpAddr::from([10, 0, 0, 2]), now));
    assert!(pace.allows(one, now + Duration::from_millis(600)));
    assert!(!pace.allows(one, now + Duration::from_millis(600)));
    // Ten thousand addresses at once: those without a place of their own share one.
    let let_in = (0..10_000_u32)
        .filter(|i| pace.allows(IpAddr::from(i.to_be_bytes()), now + Duration::from_secs(1)))
        .count();
    assert!((4000..4200).contains(&let_in), "{let_in}");
}
