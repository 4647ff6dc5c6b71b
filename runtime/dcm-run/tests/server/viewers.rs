//! What live viewers receive over Foxglove's protocol.

use std::collections::BTreeSet;

use crate::common::home;
use serde_json::{Value, json};
use tests::process::until;
use tests::served::serve;
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

const QUIET: &str = "[server]\nlisten = [\"127.0.0.1:0\"]\n[foxglove]\nlisten = \"127.0.0.1:0\"\n";

const ALL: [&str; 6] = [
    "/joint_commands",
    "/joint_states",
    "/log",
    "/scene",
    "/tf",
    "/turns",
];

#[test]
fn foxglove_is_told_the_topics_and_sent_what_it_subscribes_to() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut address = None;
    until("Foxglove is served", || {
        address = served.line("Foxglove can watch at ");
        address.is_some()
    });
    let address = address.expect("it is served");
    // Its port is none of a robot's server, and this is said.
    let output = home.bad(
        1,
        &["get", "HeadYaw", "-r", address.trim_start_matches("ws://")],
    );
    assert!(
        output.contains("no robot's server answers at this address"),
        "{output}"
    );
    let mut request = address.as_str().into_client_request().expect("an address");
    let protocol = "foxglove.sdk.v1".parse().expect("a header");
    request
        .headers_mut()
        .insert("sec-websocket-protocol", protocol);
    let (mut socket, _) = tungstenite::connect(request).expect("it listens");
    let mut channels = Vec::new();
    while channels.len() < ALL.len() {
        let Message::Text(text) = socket.read().expect("a message") else {
            continue;
        };
        let told: Value = serde_json::from_str(&text).expect("JSON");
        if told["op"] == "advertise" {
            channels.extend(told["channels"].as_array().expect("channels").clone());
        }
    }
    let schemas: BTreeSet<_> = channels
        .iter()
        .filter_map(|channel| channel["schemaName"].as_str())
        .collect();
    for wanted in [
        "foxglove.JointStates",
        "foxglove.SceneUpdate",
        "foxglove.FrameTransforms",
        "foxglove.Log",
    ] {
        assert!(schemas.contains(wanted), "{schemas:?}");
    }
    let subscriptions: Vec<_> = channels
        .iter()
        .filter(|channel| channel["topic"] != "/log")
        .map(|channel| json!({ "id": channel["id"], "channelId": channel["id"] }))
        .collect();
    let wanted = subscriptions.len();
    let subscribe = json!({ "op": "subscribe", "subscriptions": subscriptions });
    socket
        .send(Message::text(subscribe.to_string()))
        .expect("it is sent");
    // A message of each topic arrives: opcode 1, the subscription, the time, the bytes.
    let mut came = BTreeSet::new();
    while came.len() < wanted {
        if let Message::Binary(bytes) = socket.read().expect("a message")
            && bytes.first() == Some(&1)
        {
            came.insert(bytes[1..5].to_vec());
        }
    }
}
