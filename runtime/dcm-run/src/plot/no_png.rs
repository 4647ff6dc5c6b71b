//! What stands in for `png` in a program that is built without pictures in pixels.

use anyhow::Result;

use crate::missing::Missing;

pub(super) fn pixels(_: &str) -> Result<Vec<u8>> {
    Err(Missing::Pictures.into())
}
