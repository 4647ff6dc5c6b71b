//! How a guest reaches sensors and commands: decided for a robot, and by the world of a component.
//! Used by whoever compiles, caches or describes a guest. Code of one form is never run as the other.

/// How a guest reaches sensors and commands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum CodeForm {
    /// Both are compiled into it.
    #[default]
    InPlace,
    /// Each is a call of the host.
    Calls,
}

impl CodeForm {
    /// Its name in settings, messages and file names.
    pub fn name(self) -> &'static str {
        match self {
            CodeForm::InPlace => "in-place",
            CodeForm::Calls => "calls",
        }
    }

    /// The form of this name.
    pub fn of(word: &str) -> Option<CodeForm> {
        [CodeForm::InPlace, CodeForm::Calls]
            .into_iter()
            .find(|item| item.name() == word)
    }
}
