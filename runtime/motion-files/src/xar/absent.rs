//! Why a file of Choregraphe has no motion that could be played, or not all of one. Called by `xar`.
//! It says what to do instead.

use roxmltree::{Document, Node};

use crate::fault::{FileMistake, quoted};

/// Why a text is no XML that is read.
pub(super) fn not_xml(text: &str, error: &roxmltree::Error) -> FileMistake {
    if matches!(error, roxmltree::Error::UnexpectedEndOfStream) {
        let sentence = "the file ends here, within its XML; fix: check that it is whole";
        return FileMistake::at(text, text.len(), sentence);
    }
    if matches!(error, roxmltree::Error::DtdDetected) {
        let at = text.find("<!DOCTYPE").unwrap_or(0);
        let sentence = "a document type is not read; fix: remove it, and what it declares";
        return FileMistake::at(text, at, sentence);
    }
    let at = error.pos();
    let sentence = error.to_string();
    let sentence = sentence
        .rsplit_once(" at ")
        .map_or(&*sentence, |pair| pair.0)
        .to_owned();
    let sentence = format!(
        "{}; fix: check that the file is whole",
        printable::printable(&sentence)
    );
    FileMistake::new(at.row.max(1) as usize, at.col.max(1) as usize, sentence)
}

/// Whether a document lists the files of a project of Choregraphe: a `.pml`.
fn is_package(document: &Document<'_>) -> bool {
    document.root_element().tag_name().name() == "Package"
}

/// Why there is no motion.
pub(super) fn no_motion(document: &Document<'_>, is_disabled: bool) -> FileMistake {
    if is_package(document) {
        let behaviour = document
            .descendants()
            .find(|descendant| descendant.tag_name().name() == "BehaviorDescription");
        let of = |name: &str| behaviour.and_then(|behaviour| behaviour.attribute(name));
        let file = of("xar").unwrap_or("behavior.xar");
        let folder = of("src").filter(|value| *value != ".");
        let file = folder.map_or(file.to_owned(), |folder| format!("{folder}/{file}"));
        let sentence = format!(
            "this is the list of a project's files, without its motions; fix: give the file beside it, {}",
            quoted(&file)
        );
        return FileMistake::new(1, 1, sentence);
    }
    let sentence = if is_disabled {
        "the timelines with curves are not enabled: Choregraphe does not play them; fix: write enable=\"1\""
    } else {
        "the project has no timeline with curves; fix: check that its motion is not a script"
    };
    FileMistake::new(1, 1, sentence)
}

/// What is said of an animation that its player begins again by itself.
pub(super) fn repeats(timeline: Node<'_, '_>) -> Option<String> {
    let cycles = timeline.attribute("repeatCycles")?.trim();
    (!matches!(cycles, "" | "0" | "1")).then(|| {
        format!(
            "repeatCycles is {}: the motion is played once; fix: play it as often",
            quoted(cycles)
        )
    })
}
