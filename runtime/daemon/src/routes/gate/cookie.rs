//! The cookie in which a browser keeps its token.
//! Set when a page pairs, read by the gate. Browsers send a cookie to every port of a host, so its name has
//! the robot and the port in it: two robots on one host neither log each other out nor take each other's token for
//! theirs.

use axum::http::{HeaderMap, header};

/// The name of the cookie of this robot, on the port that the browser has asked.
pub(crate) fn cookie_name(robot: &str, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST);
    let host = host.and_then(|host| host.to_str().ok()).unwrap_or_default();
    let port = host.rsplit_once(':').map(|pair| pair.1);
    let is_port = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let robot: String = robot.chars().map(plain).collect();
    format!("dcm_run_{robot}_{}", port.filter(is_port).unwrap_or("0"))
}

/// The header that gives a browser this token.
pub(crate) fn set_cookie(name: &str, token: &str, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    let rest = "Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000";
    format!("{name}={token}; {rest}{secure}")
}

/// The header that takes it away again.
pub(crate) fn clear_cookie(name: &str) -> String {
    format!("{name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
}

/// The token in the cookie of this name.
pub(super) fn token_in(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    cookies.split(';').find_map(|part| {
        let (found, value) = part.trim().split_once('=')?;
        (found == name).then(|| value.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::{cookie_name, token_in};

    fn asked(host: &str, cookie: &str) -> HeaderMap {
        let pairs = [(header::HOST, host), (header::COOKIE, cookie)];
        let value = |text: &str| HeaderValue::from_str(text).expect("a header");
        pairs
            .into_iter()
            .map(|pair| (pair.0, value(pair.1)))
            .collect()
    }

    #[test]
    fn each_robot_and_each_port_has_a_cookie_of_its_own() {
        let cookies = "dcm_run_nao_6740=one; dcm_run_nao_6741=two;dcm_run_my-nao_6740=three";
        for (robot, host, token) in [
            ("nao", "10.0.0.7:6740", Some("one")),
            ("nao", "localhost:6741", Some("two")),
            ("my nao", "[::1]:6740", Some("three")),
            ("nao", "nao.local", None),
            ("nao", "[::1]", None),
            ("na", "nao:6740", None),
        ] {
            let headers = asked(host, cookies);
            let name = cookie_name(robot, &headers);
            assert_eq!(
                token_in(&headers, &name).as_deref(),
                token,
                "{robot} {host}"
            );
        }
    }
}
