//! The languages that are inside the program: what `build.rs` found in `guest-sdk`. Read by `language` and by `new`.
//! A project stands alone, so that everything it needs beside its toolchain is here.

/// A folder of `guest-sdk`. Names of files are relative, with `/`.
#[derive(Debug)]
pub(crate) struct EmbeddedLanguage {
    /// The folder's name, by which `--lang` names it.
    pub(crate) id: &'static str,
    /// Its `language.toml`.
    pub(super) description: &'static str,
    /// The files for the folder `sdk` of a project.
    pub(crate) sdk: &'static [(&'static str, &'static [u8])],
    /// The files of `template`.
    pub(crate) template: &'static [(&'static str, &'static [u8])],
}

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// All of them, by name.
pub(crate) fn all() -> &'static [EmbeddedLanguage] {
    EMBEDDED
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::language::Language;
    use super::super::pattern;
    use super::all;

    /// Also finds a new folder that cargo has not noticed.
    #[test]
    fn each_folder_of_guest_sdk_with_a_description_is_a_language() {
        let sdks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../guest-sdk");
        let folders = std::fs::read_dir(&sdks).expect("SDKs").flatten();
        let folders = folders.filter(|folder| folder.path().join("language.toml").is_file());
        let mut there: Vec<_> = folders
            .map(|folder| folder.file_name().to_string_lossy().into_owned())
            .collect();
        there.sort();
        let embedded: Vec<_> = all().iter().map(|item| item.id).collect();
        assert_eq!(
            embedded, there,
            "`touch runtime/dcm-run/build.rs` embeds what is there"
        );
        assert!(embedded.contains(&"rust"));
    }

    #[test]
    fn each_language_is_complete() {
        for one in all() {
            let language = Language::read(one.id, one.description).expect("a sound description");
            for pattern in &language.files {
                let is_there = one.sdk.iter().any(|pair| pattern::matches(pattern, pair.0));
                assert!(is_there, "{}: nothing is embedded for `{pattern}`", one.id);
            }
            for other in &language.shares {
                let other = all()
                    .iter()
                    .find(|item| item.id == other)
                    .expect("a language");
                let shared = one.sdk.iter().any(|item| other.sdk.contains(item));
                assert!(shared, "{} has nothing of {}", one.id, other.id);
            }
            for world in &language.worlds {
                let file = |name: &str| {
                    let in_world = format!("{}/{name}", world.name());
                    let in_both = format!("common/{name}");
                    let is_it = |pair: &&(&str, &[u8])| pair.0 == in_world || pair.0 == in_both;
                    one.template.iter().find(is_it).map(|template| template.1)
                };
                for name in ["choreography.toml", "README.md", ".gitignore"] {
                    let is_there = file(name).is_some();
                    assert!(
                        is_there,
                        "{}: its template for a {} has no {name}",
                        one.id,
                        world.name()
                    );
                }
            }
        }
    }
}
