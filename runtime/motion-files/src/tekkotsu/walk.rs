//! Parameters of the CMPack walk, `.prm`: bytes, little-endian, in three versions. Called by `lib`.
//! What is written is, byte for byte, what was read; a number that is not finite is
//! refused.

use crate::fault::FileMistake;

const CREATORS: [(&[u8], WalkVersion); 2] = [
    (b"WalkMC-2.2", WalkVersion::Second),
    (b"WalkMC", WalkVersion::First),
];

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkVersion {
    /// Without a creator and without calibration: 392 bytes.
    Raw,
    /// `WalkMC`: 699 bytes.
    First,
    /// `WalkMC-2.2`: 711 bytes.
    Second,
}

/// Parameters of a walk.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkParameters {
    /// The form of the file.
    pub version: WalkVersion,
    /// Each leg: neutral place, lift velocity and down velocity (x, y, z each), lift time, down
    /// time.
    pub legs: [[f64; 11]; 4],
    /// Body height, angle, hop, sway.
    pub body: [f64; 4],
    /// The period, ms.
    pub period: i32,
    /// Of `WalkMC-2.2`: whether it turns by opposite steps.
    pub diff_drive: i32,
    /// Of `WalkMC-2.2`: how far feet reach below the ground.
    pub sag: f32,
    /// Unused.
    pub reserved: f32,
    /// Calibration forward and backward; not in the raw form.
    pub calibration: [[f32; 33]; 2],
    /// The greatest accelerations; not in the raw form.
    pub max_accel: [f32; 4],
    /// The greatest velocities; not in the raw form.
    pub max_velocity: [f32; 4],
}

/// Takes numbers from bytes.
struct ByteReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FileMistake> {
        let end = self.at.saturating_add(N);
        let part = self.bytes.get(self.at..end);
        let part = part.and_then(|part| part.try_into().ok()).ok_or_else(|| {
            let sentence = format!(
                "the file ends at byte {}, within its numbers; fix: check that it is whole",
                self.bytes.len()
            );
            FileMistake::at_byte(self.bytes.len(), sentence)
        })?;
        self.at = end;
        Ok(part)
    }

    fn double(&mut self) -> Result<f64, FileMistake> {
        let at = self.at;
        let value = f64::from_le_bytes(self.take()?);
        finite(value.is_finite(), at).map(|()| value)
    }

    fn single(&mut self) -> Result<f32, FileMistake> {
        let at = self.at;
        let value = f32::from_le_bytes(self.take()?);
        finite(value.is_finite(), at).map(|()| value)
    }

    fn singles<const N: usize>(&mut self) -> Result<[f32; N], FileMistake> {
        let mut all = [0.0; N];
        for place in &mut all {
            *place = self.single()?;
        }
        Ok(all)
    }
}

fn finite(is_finite: bool, at: usize) -> Result<(), FileMistake> {
    if is_finite {
        return Ok(());
    }
    let sentence = "a number that is not finite; fix: check that these are parameters of a walk";
    Err(FileMistake::at_byte(at, sentence))
}

impl WalkParameters {
    /// Reads a file.
    pub(crate) fn read(bytes: &[u8]) -> Result<WalkParameters, FileMistake> {
        let known = CREATORS
            .iter()
            .find(|pair| bytes.starts_with(&creator(pair.0)));
        let (at, version) = known.map_or((0, WalkVersion::Raw), |name| (name.0.len() + 5, name.1));
        let mut from = ByteReader { bytes, at };
        let mut legs = [[0.0; 11]; 4];
        for place in legs.iter_mut().flatten() {
            *place = from.double()?;
        }
        let mut body = [0.0; 4];
        for place in &mut body {
            *place = from.double()?;
        }
        let period = i32::from_le_bytes(from.take()?);
        let (mut diff_drive, mut sag) = (0, 0.0);
        if version == WalkVersion::Second {
            diff_drive = i32::from_le_bytes(from.take()?);
            sag = from.single()?;
        }
        let reserved = from.single()?;
        let mut read = WalkParameters {
            version,
            legs,
            body,
            period,
            diff_drive,
            sag,
            reserved,
            calibration: [[0.0; 33]; 2],
            max_accel: [0.0; 4],
            max_velocity: [0.0; 4],
        };
        if version != WalkVersion::Raw {
            read.calibration = [from.singles()?, from.singles()?];
            read.max_accel = from.singles()?;
            read.max_velocity = from.singles()?;
        }
        if from.at != bytes.len() {
            let sentence = format!(
                "{} bytes too many; fix: check that these are parameters of a walk",
                bytes.len() - from.at
            );
            return Err(FileMistake::at_byte(from.at, sentence));
        }
        Ok(read)
    }

    /// Its bytes.
    pub(crate) fn write(&self) -> Vec<u8> {
        let known = CREATORS.iter().find(|creator| creator.1 == self.version);
        let mut out = known.map_or(Vec::new(), |name| creator(name.0));
        let doubles = self.legs.iter().flatten().chain(&self.body);
        doubles.for_each(|double| out.extend(double.to_le_bytes()));
        out.extend(self.period.to_le_bytes());
        if self.version == WalkVersion::Second {
            out.extend(self.diff_drive.to_le_bytes());
            out.extend(self.sag.to_le_bytes());
        }
        out.extend(self.reserved.to_le_bytes());
        if self.version != WalkVersion::Raw {
            let singles = self.calibration.iter().flatten();
            let singles = singles.chain(&self.max_accel).chain(&self.max_velocity);
            singles.for_each(|single| out.extend(single.to_le_bytes()));
        }
        out
    }

    /// Whether bytes have the length of one of the versions, and its beginning.
    pub(crate) fn is_likely(bytes: &[u8]) -> bool {
        bytes.len() == 392
            || CREATORS
                .iter()
                .any(|pair| bytes.starts_with(&creator(pair.0)))
    }
}

/// The beginning of a file: length, name, NUL.
fn creator(name: &[u8]) -> Vec<u8> {
    let length = u32::try_from(name.len()).unwrap_or(0);
    [&length.to_le_bytes(), name, b"\0"].concat()
}
