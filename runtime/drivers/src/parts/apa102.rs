//! APA102: strips of lights with a clock, each with a brightness of five bits and three colours of eight.
//!
//! 32 zeros begin; each light takes four bytes, `111` and its brightness, blue, green, red; ones end, half a clock for
//! each light, because each light delays the data by half a clock.

/// A light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Light {
    /// 0 to 31.
    pub brightness: u8,
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

/// The length of the data for this number of lights.
pub const fn length(lights: usize) -> usize {
    4 + 4 * lights + end(lights)
}

/// Half a clock for each light; at least four bytes, as in the datasheet.
const fn end(lights: usize) -> usize {
    let needed = lights.div_ceil(16);
    if needed < 4 { 4 } else { needed }
}

/// Encodes a strip; false if `into` is too short.
pub fn write(lights: &[Light], into: &mut [u8]) -> bool {
    if into.len() != length(lights.len()) {
        return false;
    }
    into.fill(0xff);
    into[..4].fill(0);
    for (four, light) in into[4..].as_chunks_mut::<4>().0.iter_mut().zip(lights) {
        *four = [
            0xe0 | light.brightness.min(31),
            light.blue,
            light.green,
            light.red,
        ];
    }
    true
}

/// A simulated strip, light by light: each takes the first four bytes after the zeros that have not been taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    lights: Vec<Light>,
}

impl Strip {
    /// A strip of `lights` dark lights.
    pub fn new(lights: usize) -> Strip {
        Strip {
            lights: vec![Light::default(); lights],
        }
    }

    /// Takes bytes. Each light delays the data by half a clock: lights that the clocks did not reach stay unchanged.
    pub fn take(&mut self, bytes: &[u8]) {
        let Some(start) = bytes.windows(4).position(|window| window == [0; 4]) else {
            return;
        };
        let rest = &bytes[start + 4..];
        let (frames, _) = rest.as_chunks::<4>();
        let marked = frames.iter().take_while(|frame| frame[0] >= 0xe0);
        for (place, (light, four)) in self.lights.iter_mut().zip(marked).enumerate() {
            // Clocks after its own four bytes.
            let after = 8 * (rest.len() - 4 * (place + 1));
            if 2 * after < place {
                break;
            }
            let [head, blue, green, red] = *four;
            *light = Light {
                brightness: head & 31,
                red,
                green,
                blue,
            };
        }
    }

    /// The lights of the strip.
    pub fn lights(&self) -> &[Light] {
        &self.lights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strip_is_the_datasheets() {
        let red = Light {
            brightness: 31,
            red: 255,
            ..Light::default()
        };
        let mut bytes = vec![7; length(1)];
        assert!(write(&[red], &mut bytes));
        assert_eq!(
            bytes,
            [0, 0, 0, 0, 0xff, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff]
        );
        assert!(!write(&[red], &mut bytes[1..]));
    }

    #[test]
    fn strips_of_every_length_show_what_was_meant() {
        let mut random = fastrand::Rng::with_seed(3);
        for count in [0, 1, 2, 63, 64, 65, 144, 1_000] {
            let light = |_| Light {
                brightness: random.u8(..=31),
                red: random.u8(..),
                green: random.u8(..),
                blue: random.u8(..),
            };
            let lights: Vec<_> = (0..count).map(light).collect();
            let mut bytes = vec![0; length(count)];
            assert!(write(&lights, &mut bytes));
            let mut strip = Strip::new(count);
            strip.take(&bytes);
            assert_eq!(strip.lights(), lights);
        }
    }
}
