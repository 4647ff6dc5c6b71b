//! Names, and patterns of names: `{L,R}Foot/Led/{Red,Green,Blue}` stands for six.
//! Used by `layers` for every section in which things are named.
//! A pattern stands for a bounded row of names, the last braces turning fastest.

/// The most names one pattern may stand for.
pub(crate) const NAMES_MAX: usize = 4096;

/// The most names in one section.
pub(crate) const SECTION_MAX: usize = 4096;

/// The longest name: what the page has room for.
pub(crate) const NAME_MAX: usize = sensors::LABEL_NAME_MAX;

/// All names of a pattern; a name without braces is itself.
///
/// # Errors
/// What is wrong with the pattern.
pub(crate) fn expand(pattern: &str) -> Result<Vec<String>, &'static str> {
    let mut names = vec![String::new()];
    let mut rest = pattern;
    while let Some(open) = rest.find(['{', '}']) {
        let (plain, from) = rest.split_at(open);
        let Some((inner, after)) = from.strip_prefix('{').and_then(|rest| rest.split_once('}'))
        else {
            return Err("unmatched brace");
        };
        if inner.contains('{') {
            return Err("braces cannot be nested");
        }
        let parts = alternatives(inner)?;
        if names.len() * parts.len() > NAMES_MAX {
            return Err("it stands for more than 4096 names");
        }
        names = names
            .iter()
            .flat_map(|name| parts.iter().map(move |part| format!("{name}{plain}{part}")))
            .collect();
        rest = after;
    }
    for name in &mut names {
        name.push_str(rest);
    }
    Ok(names)
}

fn alternatives(inner: &str) -> Result<Vec<String>, &'static str> {
    let Some((from, to)) = inner.split_once("..") else {
        return Ok(inner
            .split(',')
            .map(|part| part.trim().to_owned())
            .collect());
    };
    match (from.trim().parse::<u16>(), to.trim().parse::<u16>()) {
        (Ok(from), Ok(to)) if from <= to && usize::from(to - from) < NAMES_MAX => {
            Ok((from..=to).map(|i| i.to_string()).collect())
        }
        _ => Err("`..` needs two whole numbers, the lower one first"),
    }
}

/// What is wrong with a name, if anything is.
pub(crate) fn fault(name: &str) -> Option<String> {
    let odd = |c: &char| !(c.is_alphanumeric() || "/_-.: ".contains(*c));
    if name.trim() != name || name.is_empty() {
        return Some("a name is not empty, and neither begins nor ends with a space".to_owned());
    }
    if name.len() > NAME_MAX {
        return Some(format!("a name has at most {NAME_MAX} bytes"));
    }
    name.chars()
        .find(odd)
        .map(|c| format!("a name can have letters, digits and `/_-.: `, but not {c:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_its_names_the_last_braces_turning_fastest() {
        let names = expand("{L,R}Foot/{Red, Blue}").unwrap();
        assert_eq!(
            names,
            ["LFoot/Red", "LFoot/Blue", "RFoot/Red", "RFoot/Blue"]
        );
        assert_eq!(expand("US/{1..3}x").unwrap(), ["US/1x", "US/2x", "US/3x"]);
        assert_eq!(expand("HeadYaw").unwrap(), ["HeadYaw"]);
    }

    #[test]
    fn a_bad_pattern_is_refused() {
        for bad in ["{a", "a}", "}{", "{{a}}", "{3..1}", "{a..b}", "{1..60000}"] {
            assert!(expand(bad).is_err(), "{bad}");
        }
        assert!(expand("{1..100}{1..100}").is_err());
    }
}
