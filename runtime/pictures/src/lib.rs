//! Pictures of values over time: charts with axes and legends, and strips with a row for each joint.
//!
//! `chart` holds the values. `panel` groups them by unit, `scale` places the ticks, `style` picks colours and
//! dashes, `thin` drops points that nobody could see, `svg` draws. `strip` and `floor_plan` draw other pictures.
//! `png` renders a drawing with a font of its own, so that it works on machines without any. Called by the command
//! line (`plot`, `check`). The same values give the same bytes, and a missing value leaves a gap.

mod chart;
mod floor_plan;
mod format;
mod panel;
#[cfg(feature = "png")]
mod png;
mod scale;
mod strip;
mod style;
mod svg;
mod thin;

pub use chart::{Chart, Mark, SECONDS, SERIES_MAX, Series};
pub use floor_plan::{FloorPlan, FloorPoint, FloorTrack, Footprint};
pub use format::{FormatError, PictureFormat};
pub use strip::{Band, StripChart, StripRow};

/// The default width of a chart, pixels.
pub const WIDTH: u32 = 960;
