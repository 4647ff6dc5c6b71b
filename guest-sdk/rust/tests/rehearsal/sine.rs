//! Sine waves on actuators.
