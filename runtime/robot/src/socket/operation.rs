//! Converts the socket's operations into the loop's.
//! Used by the handler. The law: the two lists have the same names.

use crate::live::Operation;
use ::socket::OperationWord;

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
