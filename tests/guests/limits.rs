//! The limits of a guest's tables, instances and memories, as a score and as a motion.

use guests::{CodeForm, End, GuestLife, LoadOptions};
use tests::rig::{Plan, Rig, everything, with_rig};

use crate::text::{guest, whole};

/// Plays a score that requests this; returns how it ended, and the details.
fn ends(rig: &mut Rig<'_, '_>, bytes: &[u8]) -> (End, String) {
    let loaded = rig.load(bytes, &everything(), &LoadOptions::default());
    let id = loaded.unwrap_or_else(|error| panic!("{error}"));
    rig.until(usize::MAX, |rig| {
        std::thread::sleep(std::time::Duration::from_micros(100));
        rig.fate(id).0 == GuestLife::Gone
    });
    (rig.fate(id).1, rig.status(id).figures.details)
}

#[test]
fn its_tables_count_as_memory_and_there_are_only_so_many() {
    let run = r#"(func (export "run"))"#;
    let tables = |count: usize, elements: u32| {
        guest(&(format!("(table {elements} funcref)").repeat(count) + run))
    };
    // 16 MiB are granted, and an element is a word.
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        for (count, elements) in [(1, 1_000_000), (2, 1_000_000), (4, 100)] {
            let (end, told) = ends(rig, &tables(count, elements));
            assert_eq!(end, End::Finished, "{count} of {elements}: {told}");
        }
        for (count, elements) in [
            (100, 1_000_000),
            (33, 1),
            (3, 1_000_000),
            (1, 1_100_000),
            (1, u32::MAX),
        ] {
            let (end, told) = ends(rig, &tables(count, elements));
            println!("{count} tables of {elements}: {told}");
            assert_eq!(end, End::Trap, "{count} of {elements}");
            assert!(told.contains("table"), "{count} of {elements}: {told}");
        }
        // Together with its memory: 9 MiB and 8 MB are too much. Growing counts as well.
        let (end, told) = ends(
            rig,
            &guest(&format!("(memory 144) (table 1000000 funcref) {run}")),
        );
        assert_eq!(end, End::Trap, "{told}");
        let grows = guest(
            r#"(table $t 1 funcref) (memory 1) (func (export "run")
              (if (i32.ne (table.grow $t (ref.null func) (i32.const 1000000)) (i32.const 1)) (then (unreachable)))
              (if (i32.ne (table.grow $t (ref.null func) (i32.const 1000000)) (i32.const -1)) (then (unreachable)))
              (if (i32.ne (memory.grow (i32.const 140)) (i32.const -1)) (then (unreachable)))
              (if (i32.ne (memory.grow (i32.const 100)) (i32.const 1)) (then (unreachable))))"#,
        );
        let (end, told) = ends(rig, &grows);
        assert_eq!(end, End::Finished, "{told}");
    });
}

#[test]
fn it_has_only_so_many_instances_and_memories() {
    // This many instances of one module, the last of which runs.
    let many = |module: &str, count: usize, export: &str| {
        let instances: String = (0..count)
            .map(|i| format!("(core instance $i{i} (instantiate $m))"))
            .collect();
        whole(&format!(
            r#"(component (core module $m {module} (func (export "run"))) {instances}
            (func (export "{export}") (canon lift (core func $i{} "run"))))"#,
            count - 1
        ))
    };
    with_rig(&Plan::of(CodeForm::InPlace), |rig| {
        // A score may be a whole interpreter with many modules.
        for (module, most, of_scores) in [
            ("", 16, 256),
            ("(memory 1)", 2, 8),
            ("(table 1 funcref)", 4, 32),
        ] {
            let (end, told) = ends(rig, &many(module, of_scores, "run"));
            assert_eq!(end, End::Finished, "{module}: {told}");
            let (end, told) = ends(rig, &many(module, of_scores + 1, "run"));
            println!("{module}: {told}");
            assert_eq!(end, End::Trap, "{module}: {told}");
            // A motion is refused before it is admitted.
            let mut motion = |count| {
                let motion = many(module, count, "start");
                rig.load(&motion, &everything(), &LoadOptions::default())
            };
            assert!(motion(most).is_ok(), "{module}");
            let refused = motion(most + 1).expect_err("too many").to_string();
            println!("{module}: {refused}");
        }
    });
}
