//! Lights: colours, flashes, cycles.
