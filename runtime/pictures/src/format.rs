//! The file formats of a picture, chosen by the ending of the file's name. Called by whoever writes a picture.
//! A format that this build lacks is refused before anything is drawn.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

/// The file format of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// A drawing.
    Svg,
    /// Pixels.
    #[cfg(feature = "png")]
    Png,
}

/// Why a file cannot be written as a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// PNG, which this build lacks.
    NoPng,
    /// A file name that ends neither in .svg nor in .png.
    Unknown(PathBuf),
}

impl PictureFormat {
    /// The format that this file's name asks for.
    ///
    /// # Errors
    /// The ending is unknown, or the format is not built in.
    pub fn of(file: &Path) -> Result<PictureFormat, FormatError> {
        let ending = file.extension().unwrap_or_default().to_string_lossy();
        match ending.to_lowercase().as_str() {
            "svg" => Ok(PictureFormat::Svg),
            #[cfg(feature = "png")]
            "png" => Ok(PictureFormat::Png),
            #[cfg(not(feature = "png"))]
            "png" => Err(FormatError::NoPng),
            _ => Err(FormatError::Unknown(file.to_owned())),
        }
    }

    /// Writes a drawing (SVG) to `file` in this format.
    ///
    /// # Errors
    /// The drawing cannot be rendered, or the file cannot be written.
    pub fn write(self, drawing: String, file: &Path) -> Result<()> {
        let bytes = match self {
            PictureFormat::Svg => drawing.into_bytes(),
            #[cfg(feature = "png")]
            PictureFormat::Png => crate::png::pixels(&drawing)?,
        };
        fs::write(file, bytes).map_err(|error| {
            let file = file.display();
            anyhow!("`{file}` cannot be written: {error}; fix: choose another folder")
        })
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::NoPng => write!(f, "PNG is not built in"),
            FormatError::Unknown(file) => write!(
                f,
                "{}: unknown picture format; fix: use a file name that ends in .svg or .png",
                file.display()
            ),
        }
    }
}

impl std::error::Error for FormatError {}
