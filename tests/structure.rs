//! Rules about the structure of the sources: each type has a name of its own, functions are short, and files do not
//! import each other in circles. Each failure says what to do instead.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::ROOT;
use crate::tidy::{read, sources};

/// Names that may be defined more than once, and why. The SDK, the choreographies and the tests are programs of their
/// own: their names are not compared.
const SHARED_NAMES: &[(&str, &str)] = &[
    (
        "Args",
        "the arguments of a verb: each has its own, in its own file",
    ),
    ("Verb", "the subcommands of a verb: likewise"),
];

/// The maximum length of a function, in lines.
const FUNCTION_MAX: usize = 70;

/// The files of a crate's `src`, without generated code and without tests; and their texts.
///
/// `recording/src/made` is written by a program: its types have the names of messages in `recording.proto`. There a
/// `Turn`, a `Command` or an `Event` is the recorded form of what the crates call so, and three names (`dcm.Run`,
/// `dcm.Turn`, `dcm.Guest`) are the schemas in recordings that robots have. So these names are not compared.
fn files(of: &Path) -> BTreeMap<PathBuf, String> {
    let inside = |path: &PathBuf| {
        let rest = path.strip_prefix(of).expect("below the crate");
        !rest
            .iter()
            .any(|part| part == "made" || part == "tests" || part == "tests.rs")
    };
    let paths = sources(of.to_str().expect("UTF-8"), ".rs");
    let paths = paths.into_iter().filter(inside);
    paths
        .map(|path| {
            let text = read(&path);
            let code = text.split("#[cfg(test)]").next().unwrap_or("").to_owned();
            (path, code)
        })
        .collect()
}

fn crates() -> Vec<PathBuf> {
    let manifests = sources("runtime", "Cargo.toml").into_iter();
    let folders = manifests.map(|manifest| manifest.parent().expect("a folder").join("src"));
    folders
        .filter(|folder| folder.is_dir() && !folder.iter().any(|item| item == "fuzz"))
        .collect()
}

/// The name of the type that this line defines.
fn type_name(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let code = match code.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(')')?.1,
        Some(rest) => rest,
        None => code,
    };
    let (word, rest) = code.trim_start().split_once(' ')?;
    // A `type` in the implementation of a trait is no definition.
    let is_type = matches!(word, "struct" | "enum" | "union" | "trait")
        || word == "type" && !line.starts_with(' ');
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &rest[..end.unwrap_or(rest.len())];
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn the_name_of_a_type_is_defined_once() {
    let mut defined = BTreeMap::<String, Vec<String>>::new();
    for (path, text) in crates().iter().flat_map(|item| files(item)) {
        for (place, line) in text.lines().enumerate() {
            if let Some(name) = type_name(line) {
                let inside = path.strip_prefix(ROOT).expect("below the root");
                let place = format!("{}:{}", inside.display(), place + 1);
                defined.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    assert!(
        defined.len() > 800,
        "only {} types were found",
        defined.len()
    );
    for (name, _) in SHARED_NAMES {
        let places = defined.remove(*name).unwrap_or_default();
        assert!(
            places.len() > 1,
            "{name} is no exception any more: take it off the list"
        );
    }
    defined.retain(|_, places| places.len() > 1);
    assert!(
        defined.is_empty(),
        "one idea has one type, in the lowest room that knows it; another idea has another name: {defined:#?}"
    );
}

#[test]
fn functions_are_of_one_thought() {
    let mut long = Vec::new();
    let mut seen = 0;
    for (path, text) in crates().iter().flat_map(|item| files(item)) {
        let lines: Vec<_> = text.lines().collect();
        for (place, line) in lines.iter().enumerate() {
            let code = line.trim_start();
            let is_function =
                code.starts_with("fn ") || code.starts_with("pub") && code.contains(" fn ");
            if !is_function || line.ends_with(';') {
                continue;
            }
            let end = format!("{}}}", &line[..line.len() - code.len()]);
            let length = lines[place..].iter().position(|line| **line == end);
            let length = length.map_or(1, |length| length + 1);
            seen += 1;
            if length > FUNCTION_MAX {
                let inside = path.strip_prefix(ROOT).expect("below the root");
                long.push(format!(
                    "{}:{}: {length} lines",
                    inside.display(),
                    place + 1
                ));
            }
        }
    }
    assert!(seen > 2_000, "only {seen} functions were found");
    assert!(long.is_empty(), "split by thought:\n{}", long.join("\n"));
}

type Module = Vec<String>;

/// The modules of a crate, by their paths, and the code of each.
fn modules(of: &Path) -> BTreeMap<Module, String> {
    let name = |path: &Path| {
        let path = path.strip_prefix(of).expect("below").with_extension("");
        let mut name: Module = path
            .iter()
            .map(|path| path.to_string_lossy().into())
            .collect();
        if name
            .last()
            .is_some_and(|name| name == "mod" || name == "lib" || name == "main")
        {
            name.pop();
        }
        name
    };
    let without_comments = |text: String| {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let all = files(of).into_iter();
    all.map(|(path, text)| (name(&path), without_comments(text)))
        .collect()
}

/// The paths of a `use`, its braces multiplied out.
fn expanded(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![tree.to_owned()];
    };
    let close = tree.rfind('}').unwrap_or(tree.len());
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in tree[open + 1..close].chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("one").push(c);
    }
    let whole = parts.iter().filter(|part| !part.is_empty());
    whole
        .flat_map(|item| expanded(&format!("{}{item}", &tree[..open])))
        .collect()
}

/// Every path in a module's code.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for piece in code.split_inclusive(';') {
        match piece.find("use ") {
            Some(at)
                if piece[at..].ends_with(';')
                    && piece[..at].trim_end().ends_with([';', '}', ']', ')', 'b'])
                    || piece.trim_start().starts_with("use ")
                    || piece.trim_start().starts_with("pub use ") =>
            {
                let tree: String = piece[at + 4..]
                    .chars()
                    .filter(|c| !c.is_whitespace() && *c != ';')
                    .collect();
                found.extend(expanded(&tree));
            }
            _ => rest.push_str(piece),
        }
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = rest.split(|value| !is_path(value));
    found.extend(words.filter(|word| word.contains("::")).map(str::to_owned));
    found
}

/// The module of the crate that a path in `here` leads to.
fn target(path: &str, here: &Module, all: &BTreeMap<Module, String>) -> Option<Module> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut full = match *parts.first()? {
        "crate" => Vec::new(),
        "self" | "super" => here.clone(),
        first => {
            let mut child = here.clone();
            child.push(first.to_owned());
            all.contains_key(&child).then(|| here.clone())?
        }
    };
    while let Some(word @ ("crate" | "self" | "super")) = parts.first().copied() {
        parts.remove(0);
        if word == "super" {
            full.pop()?;
        }
    }
    full.extend(parts.into_iter().map(str::to_owned));
    while !all.contains_key(&full) {
        full.pop()?;
    }
    Some(full)
}

/// Modules that lead back to `from` over others that are neither its parents nor its children.
fn circle(from: &Module, edges: &Imports) -> Option<Vec<Module>> {
    let mut ways = vec![vec![from.clone()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop() {
        for next in edges
            .get(way.last().expect("a module"))
            .into_iter()
            .flatten()
        {
            if next == from {
                return Some(way);
            }
            if seen.insert(next.clone()) {
                ways.push([way.clone(), vec![next.clone()]].concat());
            }
        }
    }
    None
}

type Imports = BTreeMap<Module, BTreeSet<Module>>;

/// What the modules of a crate import of it, besides their parents and children.
fn imports(of: &Path) -> Imports {
    let all = modules(of);
    let related = |a: &Module, b: &Module| a.starts_with(b) || b.starts_with(a);
    let imports_of = |(here, code): (&Module, &String)| {
        let paths = paths(code);
        let targets = paths.iter().filter_map(|path| target(path, here, &all));
        let imported = targets.filter(|to| !to.is_empty() && !related(to, here));
        (here.clone(), imported.collect())
    };
    all.iter().map(imports_of).collect()
}

/// The same with each top-level module folded into one node.
fn folded(imports: &Imports) -> Imports {
    let mut folded = Imports::new();
    for (here, imported) in imports.iter().filter(|(here, _)| !here.is_empty()) {
        let of_room = folded.entry(here[..1].to_vec()).or_default();
        let rooms = imported.iter().map(|to| to[..1].to_vec());
        of_room.extend(rooms.filter(|room| room[0] != here[0]));
    }
    folded
}

#[test]
fn neither_files_nor_rooms_import_each_other_in_circles_but_parent_and_child() {
    let mut circles = BTreeMap::new();
    let mut all_edges = 0;
    for of in crates() {
        let files = imports(&of);
        all_edges += files.values().map(BTreeSet::len).sum::<usize>();
        for imports in [&files, &folded(&files)] {
            for way in imports.keys().filter_map(|from| circle(from, imports)) {
                let way: Vec<_> = way.iter().map(|module| module.join("::")).collect();
                let mut members = way.clone();
                members.sort();
                let sentence = format!("{}: {} -> {}", of.display(), way.join(" -> "), way[0]);
                circles.insert(members, sentence);
            }
        }
    }
    assert!(all_edges > 500, "only {all_edges} imports were found");
    let circles: Vec<_> = circles.into_values().collect();
    assert!(
        circles.is_empty(),
        "move what both need below both:\n{}",
        circles.join("\n")
    );
}

#[test]
fn both_digests_of_a_choreography_are_the_same() {
    // Neither `guests` nor `network` imports the other, and no crate below both knows SHA-256: there are two functions.
    for bytes in [&b""[..], b"\0asm", &[0xff; 100]] {
        assert_eq!(guests::digest(bytes), network::hex::digest(bytes));
    }
}
