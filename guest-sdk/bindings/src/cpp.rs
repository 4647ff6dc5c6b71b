//! C++: the enums of the contract with scopes of their own. Its functions are those of C.

use crate::contract::{Contract, Shape};
use crate::names::{camel, comment};

pub(crate) fn write(of: &Contract) -> String {
    let mut text = String::new();
    for named in of.interfaces.iter().flat_map(|interface| &interface.types) {
        let Shape::Enum(cases) = &named.shape else {
            continue;
        };
        let docs = comment("///", &named.docs);
        text += &format!("\n{docs}enum class {} : uint32_t {{\n", camel(&named.name));
        for (number, (case, docs)) in cases.iter().enumerate() {
            text += &comment("    ///", docs);
            text += &format!("    {} = {number},\n", camel(case));
        }
        text += "};\n";
    }
    text + "\n"
}
