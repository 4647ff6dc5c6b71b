//! Trajectories of ROS in a recording, `.mcap`: messages `trajectory_msgs/msg/JointTrajectory` in CDR. Called by `lib`.
//! The law: what is decoded has the form of the same message in YAML, so that one module knows what it means.

use crate::fault::{FileMistake, WriteFailure};
use crate::tree::TreeNode;

/// Reads the trajectories of a recording.
pub(crate) fn read(_bytes: &[u8]) -> Result<Vec<(String, TreeNode)>, FileMistake> {
    Err(FileMistake::at_byte(0, "recordings are not read yet"))
}

/// Writes a recording.
pub(crate) fn write(_list: &[(String, TreeNode)]) -> Result<Vec<u8>, WriteFailure> {
    Err(WriteFailure::OtherKind {
        document: "a trajectory",
        format: "MCAP",
    })
}
