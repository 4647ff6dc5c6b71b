//! A NAO over LoLA: its packets, the device against a robot made from LoLA's description alone, and every
//! interleaving of what the turn shares with LoLA's thread.

mod device;
mod interleavings;
mod packets;
mod robot;
mod turns;
