//! The lengths of frames, and how many channels they carry.
//! Used by the frames of both directions and by the table.
//! A frame fits into one transfer of Linux' spidev.

/// The shortest frame, used for questions and answers before the table is known.
pub const SHORT: usize = 64;

/// The longest frame, bytes: Linux' spidev takes no more in one message.
pub const LONGEST: usize = 4096;

/// Bytes of the checksum.
pub const SEAL: usize = 4;

/// Bytes before the words, in both directions.
pub const HEAD: usize = 16;

/// The most channels of a board in one direction.
pub const CHANNELS: usize = (LONGEST - HEAD - SEAL) / 4;

/// The length of the frames of a board with these channels, in both directions: the longer of the two. `None` if it is
/// longer than a transfer.
pub const fn length(outputs: usize, inputs: usize) -> Option<usize> {
    if outputs > CHANNELS || inputs > 2 * CHANNELS {
        return None;
    }
    let (down, up) = (HEAD + 4 * outputs + SEAL, HEAD + 2 * inputs + SEAL);
    let longer = if down > up { down } else { up };
    Some(if longer < SHORT { SHORT } else { longer })
}
