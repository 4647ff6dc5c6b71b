//! The code that is generated from the descriptions of recordings is stored beside them, so that a build needs no
//! compiler for protobuf. Here it is generated again, and compared. `UPDATE_EXPECT=1` writes it.

use std::fs;
use std::path::Path;

use prost::Message;

use crate::ROOT;

const FILES: [&str; 2] = ["recording.proto", "viewers.proto"];

#[test]
fn what_is_kept_is_what_the_descriptions_make() {
    let record = Path::new(ROOT).join("runtime/recording/src");
    let described = protox::compile(FILES, [&record]).expect("they are sound");
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(
        folder.path().join("recording.bin"),
        described.encode_to_vec(),
    )
    .expect("a file");
    prost_build::Config::new()
        .out_dir(folder.path())
        .btree_map(["."])
        .compile_fds(described)
        .expect("Rust is made of them");
    let mut made = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let entry = entry.expect("a file");
        let kept = record.join("made").join(entry.file_name());
        let new = fs::read(entry.path()).expect("a file");
        made += 1;
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&kept, &new).expect("a file");
        }
        let same = fs::read(&kept).is_ok_and(|value| value == new);
        assert!(
            same,
            "{} is not what the descriptions make; fix: UPDATE_EXPECT=1 cargo test -p tests --test all record::made",
            kept.display()
        );
    }
    assert_eq!(made, 3, "files");
}
