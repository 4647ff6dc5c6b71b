//! The socket's words, as the cycle and the loop have them.
//! Used by the clerk.

use cycle::Merge;

use super::protocol::{MergeWord, OperationWord};
use crate::live::Operation;

impl From<MergeWord> for Merge {
    fn from(word: MergeWord) -> Merge {
        match word {
            MergeWord::Merge => Merge::Merge,
            MergeWord::ClearAll => Merge::ClearAll,
            MergeWord::ClearAfter => Merge::ClearAfter,
            MergeWord::ClearBefore => Merge::ClearBefore,
        }
    }
}

impl From<OperationWord> for Operation {
    fn from(word: OperationWord) -> Operation {
        match word {
            OperationWord::Arm => Operation::Arm,
            OperationWord::Disarm => Operation::Disarm,
            OperationWord::Hold => Operation::Hold,
            OperationWord::Resume => Operation::Resume,
            OperationWord::Retreat => Operation::Retreat,
            OperationWord::Clear => Operation::Clear,
            OperationWord::Press => Operation::Press,
            OperationWord::Release => Operation::Release,
        }
    }
}
