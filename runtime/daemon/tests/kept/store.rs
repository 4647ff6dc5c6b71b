//! Promise 10: after a crash at any point the old or the new version is there, never a mixture. Promise 11: a disk that
//! is full, failing or read-only gives clear errors and loses nothing.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::Arc;

use crate::common::platter::Platter;
use crate::common::{bring, component, digest};
use daemon::store::{ChoreographyStore, Disk, Folder, Index, KEPT_MAX, StoreError};
use fastrand::Rng;

const QUOTA: u64 = 1 << 20;

/// The operations on a store that has two versions of `show`, and `other`, which is tagged.
type Act = fn(&mut ChoreographyStore) -> Result<(), StoreError>;

const ACTS: [(&str, Act); 8] = [
    ("a new version", |value| {
        bring(value, "show", &component(3, 4000)).map(drop)
    }),
    ("a new name", |value| {
        bring(value, "third", &component(4, 10)).map(drop)
    }),
    ("the same again", |value| {
        bring(value, "show", &component(1, 2500)).map(drop)
    }),
    ("a rollback", |store| store.roll_back("show").map(drop)),
    ("a removal", |value| {
        value.remove(&digest(&component(1, 2500)), false)
    }),
    ("a tag", |store| {
        store.tag("evening", Some(&digest(&component(2, 2500))))
    }),
    ("a tag less", |store| store.tag("best", None)),
    ("another name for the same", |value| {
        bring(value, "again", &component(9, 100)).map(drop)
    }),
];

fn furnished() -> Arc<Platter> {
    let platter = Arc::new(Platter::default());
    let mut store = open(&platter).expect("a new store");
    bring(&mut store, "show", &component(1, 2500)).expect("room");
    bring(&mut store, "show", &component(2, 2500)).expect("room");
    bring(&mut store, "other", &component(9, 100)).expect("room");
    let tagged = store.tag("best", Some(&digest(&component(9, 100))));
    tagged.expect("room");
    platter
}

fn open(platter: &Arc<Platter>) -> Result<ChoreographyStore, StoreError> {
    ChoreographyStore::open(Arc::clone(platter) as Arc<dyn Disk>, QUOTA)
}

/// Everything in the index is stored and has its digest; the store is as before the operation, or as after it.
fn sound(platter: &Arc<Platter>, before: &Index, after: &Index, what: &str) -> Index {
    let mut store = open(platter).unwrap_or_else(|why| panic!("{what}: {why:?}"));
    assert!(store.found.is_empty(), "{what}: {:?}", store.found);
    let index = store.index().clone();
    assert!(
        index == *before || index == *after,
        "{what}: {index:#?} is neither {before:#?} nor {after:#?}"
    );
    for digest in index.kept.keys() {
        store
            .read(digest)
            .unwrap_or_else(|why| panic!("{what}: {why:?}"));
    }
    // Nothing is left behind: opened again it is the same, without incomplete uploads.
    let again = open(platter).expect("it was just opened");
    assert_eq!(*again.index(), index, "{what}");
    assert_eq!(
        platter.list("incoming").expect("a folder"),
        [""; 0],
        "{what}"
    );
    let objects = platter.list("choreographies").expect("a folder").len();
    assert_eq!(objects, index.kept.len(), "{what}");
    index
}

fn states(act: Act) -> (Index, Index, u64) {
    let platter = furnished();
    let mut store = open(&platter).expect("a store");
    let before = store.index().clone();
    platter.die_at(u64::MAX);
    act(&mut store).expect("it can be done");
    (before, store.index().clone(), platter.calls())
}

#[test]
fn power_that_goes_at_any_call_leaves_the_old_or_the_new() {
    let mut chance = Rng::with_seed(7);
    let (mut cuts, mut olds, mut news) = (0, 0, 0);
    for (what, act) in ACTS {
        let (before, after, calls) = states(act);
        for call in 0..=calls {
            for _ in 0..40 {
                let platter = furnished();
                let mut store = open(&platter).expect("a store");
                platter.die_at(call);
                let done = act(&mut store);
                drop(store);
                let left = Arc::new(platter.after(&mut chance));
                let index = sound(&left, &before, &after, &format!("{what}, cut at {call}"));
                // An operation that was confirmed is done, whatever happens then.
                if done.is_ok() {
                    assert_eq!(index, after, "{what}, cut at {call}");
                }
                cuts += 1;
                olds += u32::from(index == before);
                news += u32::from(index == after);
            }
        }
    }
    println!("{cuts} cuts of power: {olds} left the old, {news} the new");
    assert!(olds > 100 && news > 100, "chance has tried both");
}

#[test]
fn a_process_that_dies_at_any_call_leaves_the_old_or_the_new() {
    for (what, act) in ACTS {
        let (before, after, calls) = states(act);
        for call in 0..=calls {
            let platter = furnished();
            let mut store = open(&platter).expect("a store");
            platter.die_at(call);
            // The process is dead: its answer does not count.
            let _ = act(&mut store);
            drop(store);
            let left = Arc::new(platter.as_it_is());
            sound(&left, &before, &after, &format!("{what}, killed at {call}"));
        }
    }
}

#[test]
fn a_disk_that_fails_at_any_call_refuses_and_loses_nothing() {
    for how in [
        ErrorKind::StorageFull,
        ErrorKind::ReadOnlyFilesystem,
        ErrorKind::Other,
    ] {
        for (what, act) in ACTS {
            let (before, after, calls) = states(act);
            for call in 0..calls {
                let what = format!("{what}, {how} at {call}");
                let platter = furnished();
                let mut store = open(&platter).expect("a store");
                platter.fail_at(call, how);
                match act(&mut store) {
                    Ok(()) => assert_eq!(*store.index(), after, "{what}"),
                    Err(StoreError::Disk(error)) => assert_eq!(error.kind(), how, "{what}"),
                    Err(other) => panic!("{what}: {other:?}"),
                }
                // It continues as before, and can do the operation when the disk works again.
                let known = store.index().clone();
                assert!(known == before || known == after, "{what}");
                for digest in known.kept.keys() {
                    store
                        .read(digest)
                        .unwrap_or_else(|why| panic!("{what}: {why:?}"));
                }
                drop(store);
                sound(&Arc::new(platter.as_it_is()), &before, &after, &what);
            }
        }
    }
}

#[test]
fn what_is_not_what_it_was_is_put_aside_and_told() {
    let show = digest(&component(2, 2500));
    let path = format!("choreographies/{show}.wasm");
    // Damaged while the store is closed: found at the start.
    let platter = furnished();
    platter.meddle(&path, |value| value[100] ^= 1);
    let mut store = open(&platter).expect("a store");
    assert!(
        store
            .found
            .iter()
            .any(|item| item.contains("moved to `aside`")),
        "{:?}",
        store.found
    );
    assert_eq!(
        store.find("show").expect("the version before"),
        digest(&component(1, 2500))
    );
    assert_eq!(platter.list("aside").expect("a folder").len(), 1);
    // Damaged while it is open: found when the file is read, and never passed on.
    let path = format!("choreographies/{}.wasm", digest(&component(9, 100)));
    platter.meddle(&path, Vec::clear);
    let other = store.find("other").expect("it is known");
    assert!(matches!(store.read(&other), Err(StoreError::Broken(_))));
    assert!(matches!(store.find("other"), Err(StoreError::NotFound(..))));
}

#[test]
fn a_table_that_somebody_edited_is_mended_as_far_as_it_can_be() {
    // Without an index: what is stored is found by its bytes.
    let platter = furnished();
    platter.meddle("index.json", |value| *value = b"{ \"kept\": 3".to_vec());
    let store = open(&platter).expect("a store");
    assert!(
        store.found[0].contains("cannot be read"),
        "{:?}",
        store.found
    );
    assert_eq!(store.index().kept.len(), 3);
    let name = format!("found-{}", &digest(&component(9, 100))[..8]);
    assert_eq!(
        store.find(&name).expect("it was found"),
        digest(&component(9, 100))
    );
    // An index that names missing files, or a path out of the folder.
    let platter = furnished();
    platter.meddle("index.json", |value| {
        let text = String::from_utf8(std::mem::take(value)).expect("text");
        let show = digest(&component(2, 2500));
        *value = text.replace(&show, "../../../etc/passwd").into_bytes();
    });
    let store = open(&platter).expect("a store");
    assert!(
        store.index().kept.keys().all(|key| key.len() == 64),
        "{:?}",
        store.index()
    );
    assert_eq!(store.index().kept.len(), 2);
}

#[test]
fn a_start_that_breaks_off_while_the_table_is_made_anew_loses_nothing() {
    let mut chance = Rng::with_seed(11);
    type Lose = fn(&Platter);
    let lost: [(&str, Lose); 2] = [
        ("cannot be read", |platter| {
            platter.meddle("index.json", |value| value.truncate(40));
        }),
        ("is missing", |value| {
            value.remove("index.json").expect("it was there");
        }),
    ];
    for (what, lose) in lost {
        let platter = furnished();
        lose(&platter);
        platter.die_at(u64::MAX);
        let store = open(&platter).expect("a store");
        assert!(store.found[0].contains(what), "{:?}", store.found);
        for call in 0..=platter.calls() {
            let platter = furnished();
            lose(&platter);
            platter.die_at(call);
            // The process has ended: its answer does not count.
            let _ = open(&platter);
            for left in [platter.after(&mut chance), platter.as_it_is()] {
                let left = Arc::new(left);
                let mut store = open(&left).unwrap_or_else(|why| panic!("{what}, {call}: {why:?}"));
                let kept: Vec<_> = store.index().kept.keys().cloned().collect();
                assert_eq!(kept.len(), 3, "{what}, cut at {call}");
                for digest in kept {
                    store.read(&digest).expect("it is there");
                }
            }
            // A full disk does not prevent the start.
            let platter = furnished();
            lose(&platter);
            platter.fail_at(call, ErrorKind::StorageFull);
            if let Ok(store) = open(&platter) {
                assert_eq!(store.index().kept.len(), 3, "{what}, full at {call}");
            }
            let left = open(&Arc::new(platter.as_it_is())).expect("a store");
            assert_eq!(left.index().kept.len(), 3, "{what}, full at {call}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_today_is_told_and_nothing_is_forgotten() {
    let platter = furnished();
    platter.die_at(u64::MAX);
    let before = open(&platter).expect("a store").index().clone();
    let (calls, mut told) = (platter.calls(), 0);
    for call in 0..calls {
        let platter = furnished();
        platter.fail_at(call, ErrorKind::Other);
        if let Ok(store) = open(&platter) {
            assert_eq!(*store.index(), before, "failed at {call}");
            told += usize::from(
                store
                    .found
                    .iter()
                    .any(|item| item.contains("cannot be read")),
            );
        }
        sound(
            &Arc::new(platter.as_it_is()),
            &before,
            &before,
            &format!("failed at {call}"),
        );
    }
    assert_eq!(told, 3, "each of the three was told");
    // Uploading the same bytes again repairs it.
    let mut store = open(&platter).expect("a store");
    let other = component(9, 100);
    let path = format!("choreographies/{}.wasm", digest(&other));
    platter.remove(&path).expect("it was there");
    assert!(matches!(
        store.read(&digest(&other)),
        Err(StoreError::Disk(_))
    ));
    let (_, known) = bring(&mut store, "other", &other).expect("room");
    assert!(known);
    assert_eq!(store.read(&digest(&other)).expect("it is back"), other);
}

#[test]
fn only_components_come_in_and_only_as_what_they_are() {
    let platter = furnished();
    let mut store = open(&platter).expect("a store");
    let kinds: [(&[u8], &str); 6] = [
        (b"", "empty"),
        (b"\x7fELF and so on", "compiled code"),
        (b"\0asm\x01\0\0\0 and so on", "core module"),
        (b"\0asm\x0e\0\x01\0 and so on", "unknown version"),
        (b"\0as", "not WebAssembly"),
        (b"#!/bin/sh", "not WebAssembly"),
    ];
    for (bytes, what) in kinds {
        let refused = bring(&mut store, "bad", bytes).expect_err("it is none");
        let error = refused.error().to_string();
        assert!(error.contains(what), "{error}");
    }
    let mut upload = store.begin("", None).expect("room");
    upload.write(&component(5, 10)).expect("room");
    let said = digest(b"something else");
    let kept = |_| unreachable!("it is refused before");
    let refused = store
        .install(upload, &said, kept)
        .expect_err("another digest");
    assert!(refused.error().sentence.contains(&said));
    for name in [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "A",
        "a b",
        "-a",
        "a..b",
        "é",
        &"a".repeat(65),
        "a\0",
    ] {
        let refused = bring(&mut store, name, &component(6, 10)).expect_err(name);
        assert!(
            matches!(refused, StoreError::Name(_)),
            "{name}: {refused:?}"
        );
    }
    // Half an upload leaves nothing.
    let mut upload = store.begin("", Some(100)).expect("room");
    upload.write(&component(7, 10)).expect("room");
    drop(upload);
    assert_eq!(platter.list("incoming").expect("a folder"), [""; 0]);
    assert_eq!(platter.list("choreographies").expect("a folder").len(), 3);
}

#[test]
fn bytes_may_have_two_names_and_a_name_takes_only_itself_along() {
    let platter = furnished();
    let mut store = open(&platter).expect("a store");
    let other = component(9, 100);
    let (_, known) = bring(&mut store, "again", &other).expect("room");
    assert!(known, "they are kept once");
    let names = |store: &ChoreographyStore| -> Vec<_> {
        let listed = store.index().list().into_iter();
        let alike = listed.filter(|listed| listed.digest == digest(&other));
        alike
            .map(|listed| (listed.kept.name, listed.current))
            .collect()
    };
    let both = [("again".to_owned(), true), ("other".to_owned(), true)];
    assert_eq!(names(&store), both);
    let boot = protocol::choreographies::BootEntry {
        choreography: "again".to_owned(),
        options: protocol::GuestOptions::default(),
    };
    store
        .change(|index| index.boot = vec![boot])
        .expect("a disk");
    let at_boot = store
        .index()
        .list()
        .into_iter()
        .filter(|listed| listed.boot);
    assert_eq!(
        at_boot.map(|listed| listed.kept.name).collect::<Vec<_>>(),
        ["again"]
    );
    let refused = store.remove("again", false).expect_err("it is needed");
    assert!(matches!(refused, StoreError::InUse(_)), "{refused:?}");
    // Neither the tag nor the boot list prevents it: the bytes stay.
    store.remove("other", false).expect("another name has them");
    drop(store);
    let mut store = open(&platter).expect("a store");
    assert_eq!(names(&store), both[..1]);
    assert_eq!(store.read(&digest(&other)).expect("bytes"), other);
    assert!(matches!(store.find("other"), Err(StoreError::NotFound(..))));
    // The last name removes the bytes as well, and the tag prevents it.
    store.change(|index| index.boot.clear()).expect("a disk");
    let refused = store.remove("again", false).expect_err("it is tagged");
    assert!(matches!(refused, StoreError::InUse(_)), "{refused:?}");
    store.remove("again", true).expect("by force");
    assert!(store.read(&digest(&other)).is_err());
    // A name is removed with all its versions, a digest alone.
    store
        .remove(&digest(&component(2, 2500)), false)
        .expect("nobody needs it");
    let before = store.find("show").expect("the version before");
    assert_eq!(before, digest(&component(1, 2500)));
    bring(&mut store, "show", &component(3, 100)).expect("room");
    store.remove("show", false).expect("nobody needs it");
    assert!(store.index().kept.is_empty() && store.index().names.is_empty());
    assert_eq!(platter.list("choreographies").expect("a folder"), [""; 0]);
}

/// Its bytes stay, since another name has them, and make no room.
#[test]
fn a_full_disk_does_not_keep_a_name_whose_bytes_have_another() {
    for call in 0..4 {
        let platter = furnished();
        let mut store = open(&platter).expect("a store");
        bring(&mut store, "again", &component(9, 100)).expect("room");
        platter.fail_at(call, ErrorKind::StorageFull);
        store.remove("again", false).expect("another name has them");
        drop(store);
        let store = open(&Arc::new(platter.as_it_is())).expect("a store");
        assert!(!store.index().names.contains_key("again"), "full at {call}");
    }
}

/// Random histories of uploads, removals, tags, boot entries and starts, beside a model of the names alone.
#[test]
fn a_removed_choreography_stays_removed() {
    let mut rng = Rng::with_seed(17);
    for _ in 0..40 {
        let platter = Arc::new(Platter::default());
        let mut store = open(&platter).expect("a new store");
        // What came under each name since it was removed, the newest last.
        let mut came: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for _ in 0..120 {
            let name = ["dance", "wave", "nod"][rng.usize(..3)];
            match rng.u32(..40) {
                0..=30 => {
                    let (digest, _) =
                        bring(&mut store, name, &component(rng.u8(..60), 10)).expect("room");
                    let versions = came.entry(name).or_default();
                    versions.retain(|version| *version != digest);
                    versions.push(digest);
                }
                31..=33 => {
                    let is_there = store.remove(name, true).is_ok();
                    assert_eq!(is_there, came.remove(name).is_some());
                }
                34 if came.contains_key(name) => {
                    let boot = protocol::choreographies::BootEntry {
                        choreography: name.to_owned(),
                        options: protocol::GuestOptions::default(),
                    };
                    store
                        .change(|index| index.boot = vec![boot])
                        .expect("a disk");
                }
                35 => {
                    if let Some(newest) = came.get(name).and_then(|versions| versions.last()) {
                        store.tag("best", Some(newest)).expect("room");
                    }
                }
                _ => store = open(&platter).expect("the same store"),
            }
            for name in ["dance", "wave", "nod"] {
                let newest = came.get(name).and_then(|versions| versions.last());
                assert_eq!(store.find(name).ok().as_ref(), newest, "{name}");
            }
            for entry in &store.index().boot {
                let is_there = came.contains_key(entry.choreography.as_str());
                assert!(is_there, "{} plays at boot", entry.choreography);
            }
        }
    }
}

#[test]
fn what_is_kept_may_come_again_although_there_is_no_room() {
    let mut store = open(&Arc::new(Platter::default())).expect("a store");
    let most = component(1, QUOTA as usize - 8);
    bring(&mut store, "all", &most).expect("room");
    let refused = bring(&mut store, "more", &component(2, 10));
    assert!(
        matches!(refused, Err(StoreError::Quota { .. })),
        "{refused:?}"
    );
    let (_, known) = bring(&mut store, "all", &most).expect("it is there");
    assert!(known);
    // A wrong digest is detected.
    let mut upload = store.begin(&digest(&most), Some(100)).expect("it is there");
    upload.write(&component(3, 92)).expect("room");
    let kept = |_| unreachable!("it is refused before");
    let refused = store.install(upload, &digest(&most), kept);
    assert!(
        matches!(refused, Err(StoreError::Digest { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_quota_is_kept_whatever_is_announced() {
    let mut store = open(&Arc::new(Platter::default())).expect("a store");
    assert!(matches!(
        store.begin("", Some(QUOTA + 1)),
        Err(StoreError::Quota { .. })
    ));
    assert!(matches!(
        store.begin("", Some(u64::MAX)),
        Err(StoreError::Large(_))
    ));
    // A wrong length: more bytes come than there is room for.
    let mut upload = store.begin("", Some(10)).expect("room");
    let piece = vec![0; 300_000];
    let refused = (0..10).find_map(|_| upload.write(&piece).err());
    assert!(
        matches!(refused, Some(StoreError::Quota { .. })),
        "{refused:?}"
    );
    drop(upload);
    // Each of the two has room, but not both.
    let half = component(1, 700_000);
    let (mut first, mut second) = (
        store.begin("", None).expect("room"),
        store.begin("", None).expect("room"),
    );
    first.write(&half).expect("room");
    let other = component(2, 700_000);
    second.write(&other).expect("room");
    let kept = |name: &'static str| {
        move |bytes| protocol::choreographies::StoredChoreography {
            name: name.to_owned(),
            bytes,
            came: 1,
            by: String::new(),
            key: None,
            signed: None,
        }
    };
    store
        .install(first, &digest(&half), kept("a"))
        .expect("room");
    let refused = store.install(second, &digest(&other), kept("b"));
    assert!(
        matches!(refused, Err(StoreError::Quota { .. })),
        "{refused:?}"
    );
}

#[test]
fn names_and_tags_of_the_same_bytes_are_limited() {
    let platter = Arc::new(Platter::default());
    let mut store = open(&platter).expect("a store");
    let bytes = component(1, 10);
    let same = digest(&bytes);
    for number in 0..KEPT_MAX {
        bring(&mut store, &format!("name-{number}"), &bytes).expect("a place");
        let tagged = store.tag(&format!("tag-{number}"), Some(&same));
        tagged.expect("a place");
    }
    let refused = bring(&mut store, "one-more", &bytes).expect_err("one too many");
    assert!(matches!(refused, StoreError::TooMany(_, "names")));
    let refused = store.tag("one-more-tag", Some(&same));
    assert!(matches!(refused, Err(StoreError::TooMany(_, "tags"))));
    // Those that exist may be changed.
    bring(&mut store, "name-7", &bytes).expect("its own place");
    store.tag("tag-7", Some(&same)).expect("its own place");
}

#[test]
fn a_link_in_the_folder_leads_no_write_elsewhere() {
    let outside = tempfile::NamedTempFile::new().expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    let disk = Folder::at(folder.path().to_owned()).expect("a folder");
    std::os::unix::fs::symlink(outside.path(), disk.path("first")).expect("a link");
    std::os::unix::fs::symlink(outside.path(), disk.path("next")).expect("a link");
    disk.write("first", b"own", true)
        .expect("a file of its own");
    assert_eq!(disk.read("first").expect("a file"), b"own");
    let appended = disk.write("next", b"own", false);
    assert_eq!(
        appended.map_err(|error| error.kind()),
        Err(ErrorKind::NotFound)
    );
    assert_eq!(std::fs::read(outside.path()).expect("a file"), b"");
}
