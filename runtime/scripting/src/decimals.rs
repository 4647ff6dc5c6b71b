//! Numbers without idle zeros. Used by tables of traces and by the sentences of `check`.

/// Up to `places` decimals, trailing zeros removed.
pub fn decimals(value: f64, places: usize) -> String {
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
