//! Figures without idle zeros. Used by the tables of `trace` and by the sentences of `check`.

/// So many places behind the point at most, and none that says nothing.
pub(crate) fn short(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}
