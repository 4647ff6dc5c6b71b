//! Grants follow the name under which a choreography was loaded, never the name in its manifest.

use std::sync::Arc;

use description::parse;
use guests::{CodeForm, Compiler, GuestError, LoadOptions};
use robot::guest_service::{GuestService, GuestServiceSettings};
use robot::live::private_page;
use tests::rig::FORMS;

use crate::text::{guest, with_manifest};

const ROBOT: &str = r#"format = 1
name = "test"
[boards]
main = { driver = "sim" }
[joints]
A = { range = [-1, 1], channel = 0 }
[grants.puppeteer]
fuel = 7_000_000
priority = 90
[grants.default]
fuel = 500_000
priority = 20
"#;

/// A guest service of this robot.
fn service(form: CodeForm) -> GuestService {
    let robot = parse("test.toml", ROBOT).unwrap_or_else(|error| panic!("{:?}", error.list));
    let page = private_page(&robot);
    let manner = GuestServiceSettings {
        form,
        lockstep: Some(guests::THINKING),
        logged: false,
        compiler: Compiler::here(),
        cache: tests::rig::shared_cache(),
    };
    let window = page.expect("memory").window();
    let gathered = GuestService::start(&Arc::new(robot), window, manner);
    gathered.unwrap_or_else(|why| panic!("{why}")).service
}

#[test]
fn a_grant_is_of_the_name_under_which_it_was_brought() {
    let claims = |name: &str| {
        with_manifest(
            guest(r#"(func (export "pre-process"))"#),
            &format!("name = \"{name}\""),
        )
    };
    for form in FORMS {
        let service = service(form);
        // The name in its manifest, its file, the name that was asked for; then its fuel, and its name.
        let (puppeteer, stranger) = (Some("puppeteer"), Some("stranger"));
        for (own, file, asked, fuel, shown) in [
            ("puppeteer", None, None, 500_000, "puppeteer"),
            ("puppeteer", stranger, None, 500_000, "puppeteer"),
            ("puppeteer", None, stranger, 500_000, "stranger"),
            ("puppeteer", puppeteer, stranger, 500_000, "stranger"),
            ("stranger", puppeteer, None, 7_000_000, "stranger"),
            ("stranger", stranger, puppeteer, 7_000_000, "puppeteer"),
            ("default", None, None, 500_000, "default"),
        ] {
            let options = LoadOptions {
                name: asked.map(str::to_owned),
                ..LoadOptions::default()
            };
            let entered = service.load(&claims(own), file, options.clone());
            let entered = entered.unwrap_or_else(|error| panic!("{error}"));
            let list = service.list();
            let status = list
                .iter()
                .find(|item| item.id == entered.id)
                .expect("there");
            let sentence = format!("{own} of {file:?} as {asked:?}");
            assert_eq!(status.fuel, fuel, "{sentence}");
            assert!(
                entered.name.starts_with(shown),
                "{sentence}: {}",
                entered.name
            );
            // Nor does its priority rise by that name.
            let high = LoadOptions {
                priority: Some(80.0),
                ..options
            };
            let high = service.load(&claims(own), file, high);
            let refused = matches!(high, Err(GuestError::Priority { granted: 20.0, .. }));
            assert_eq!(refused, fuel == 500_000, "{sentence}: {high:?}");
        }
    }
}
