//! Files of motions that are dropped onto the page: they are listed, play, and say what is wrong in them.

use serde_json::json;
use tests::process::until;
use tests::served::serve;

use crate::common::home;
use crate::{QUIET, paired, picture};

/// Drops a file onto the page.
fn drop(name: &str, content: &str) -> String {
    format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], {name:?})); \
         document.querySelector('#drop').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, \
         cancelable: true }})); }})()",
        json!(content)
    )
}

#[test]
fn a_motion_is_dropped_listed_and_played_and_a_broken_one_says_why() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    let sentence = "document.querySelector('#upload-trouble').innerText";
    let head = "#WEBOTS_MOTION,V1.0,HeadYaw,HeadPitch\n";
    let broken = format!("{head}00:00:000,P,0,0\n00:01:000,P,fast,0.1\n00:02:0x0,P,0,0\n");
    page.value(&drop("Nod it.motion", &broken));
    page.until(&format!("{sentence}.includes('line 3, column 13: ')"));
    page.until(&format!("{sentence}.includes('line 4, column ')"));
    page.until("document.querySelector('#trouble').textContent.includes('fix: ')");
    page.until("document.querySelector('#sent').hidden");
    page.picture(&picture("broken-motion.png"));
    page.value(&drop(
        "tail.motion",
        "#WEBOTS_MOTION,V1.0,Tail\n00:00:000,P,0\n00:01:000,P,1\n",
    ));
    page.until(&format!(
        "{sentence}.includes('nao has no actuator `Tail`')"
    ));
    assert_eq!(
        page.value("document.querySelector('#kept').children.length"),
        0
    );
    assert_eq!(home.good(&["ps", "--all", "--json"]), "");
    // A good one takes the place of the message.
    let good = format!("{head}00:00:000,P,0.1,0\n00:01:000,P,-0.2,0.1\n00:02:000,P,0.3,0.05\n");
    page.value(&drop("Nod it.motion", &good));
    page.until(
        "document.querySelector('#verdict').textContent.includes('nod-it passes the check')",
    );
    assert_eq!(page.value(sentence), "");
    page.until("document.querySelector('#kept').textContent.includes('nod-it')");
    page.click("#play");
    page.until("document.querySelector('#guests .card p')?.textContent.startsWith('running')");
    let body = served.page();
    let place = |name: &str| {
        body.actuators()
            .iter()
            .position(|actuator| actuator.name == name)
            .expect("a joint")
    };
    let joints = ["HeadYaw", "HeadPitch"].map(place);
    until("the body is where the motion ends", || {
        let sent = joints.map(|joint| body.read(|page| page.sent(joint)).flatten().unwrap_or(9.0));
        (sent[0] - 0.3).abs() < 1e-6 && (sent[1] - 0.05).abs() < 1e-6
    });
    // Mirrored, by the field of files; what was tolerated is told.
    page.value("document.querySelector('#as-mirror').checked = true");
    let file = home.file(
        "look.mot",
        "#MSq\nLElbowRoll -0.5\ndelay 500\nLElbowRoll -0.6 1 and more\n#END\n",
    );
    page.choose("#file", &file);
    page.until("document.querySelector('#verdict').textContent.includes('look passes the check')");
    page.until(
        "document.querySelector('#remarks').textContent.includes('look.mot: line 4, column ')",
    );
}

/// The field of files offers each ending that is a motion's.
#[test]
fn the_field_of_files_offers_whatever_can_be_played() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    let accepts =
        page.value("document.querySelector('#file').accept.split(',').map((it) => it.trim())");
    // Waypoints and walks are no motions of joints.
    for format in
        motion_files::MotionFormat::all().filter(|value| !["wyp", "prm"].contains(&value.ending()))
    {
        let ending = json!(format!(".{}", format.ending()));
        let all = accepts.as_array().expect("a list");
        assert!(all.contains(&ending), "{ending} is not in {accepts}");
    }
}

/// A show is a player: its card has switches, sliders that can be put back, and tells the round.
#[test]
fn a_show_is_steered_from_its_card() {
    let home = home();
    let served = serve(&home, QUIET);
    served.wait_until_it_runs();
    let mut page = paired(&served, (1280, 900));
    // A robot has one that steers it: here that is the page.
    page.value(&drop(
        "nod.csv",
        "actuator,time,value\nHeadYaw,0,0\nHeadYaw,1,0.5\n",
    ));
    page.until("document.querySelector('#verdict').textContent.includes('nod passes the check')");
    page.value("document.querySelector('#play').click()");
    let about = "document.querySelector('#guests .card p')?.textContent";
    page.until(&format!("{about}?.startsWith('running')"));
    let input = |label: &str| {
        format!(
            "[...document.querySelectorAll('#guests .card label')].find((it) => it.textContent.startsWith({label:?}))\
             .querySelector('input')"
        )
    };
    let sent = |params: &str| until(params, || home.good(&["ps", "--json"]).contains(params));
    page.value(&format!("{}.click()", input("loop")));
    sent("\"loop\":[0.0,1.0,1.0]");
    page.until(&format!("/ of 0:02, round [2-9]/.test({about})"));
    // A slider keeps a number only if it is one of its steps.
    let speed_of = input("speed");
    for speed in [-1.0, 0.5, 1.0, 2.0] {
        // At once: what the robot says of it meanwhile is what it was.
        let kept = page.value(&format!(
            "{speed_of}.value = {speed}, {speed_of}.dispatchEvent(new Event('change')), Number({speed_of}.value)"
        ));
        assert_eq!(kept, speed);
        sent(&format!("\"speed\":[-4.0,{speed:?},4.0]"));
    }
    page.picture(&picture("player.png"));
    page.value(&format!("{}.click()", input("loop")));
    sent("\"loop\":[0.0,0.0,1.0]");
}
