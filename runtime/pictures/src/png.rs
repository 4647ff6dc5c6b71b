//! Renders a drawing as PNG with a font of its own, so that it works on machines without fonts.
//! Called by `format`. The pixels show what the SVG shows.

use std::sync::Arc;

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

/// The bytes of a PNG of this SVG, a pixel for each of its units.
pub(crate) fn pixels(svg: &str) -> Result<Vec<u8>> {
    let mut letters = Database::new();
    letters.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    let family = letters
        .faces()
        .next()
        .and_then(|face| face.families.first());
    if let Some((name, _)) = family.cloned() {
        letters.set_sans_serif_family(name);
    }
    let options = Options {
        fontdb: Arc::new(letters),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).context("reading the drawing")?;
    let size = tree.size().to_int_size();
    let mut picture =
        Pixmap::new(size.width(), size.height()).context("the picture is too large")?;
    resvg::render(&tree, Transform::identity(), &mut picture.as_mut());
    picture.encode_png().context("encoding the picture")
}
