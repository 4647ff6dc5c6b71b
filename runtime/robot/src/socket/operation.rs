//! The socket's words, as the loop has them.
//! Used by the handler.

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
