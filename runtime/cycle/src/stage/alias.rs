//! Lists of actuators, so that one request can address many. Names are kept outside; here are handles.
//! Made by clients outside the turn, read by `intake`.
//! A handle names one list until the alias is dropped; afterwards it is stale.

use super::Stage;
use crate::body::{ActuatorId, Body};
use crate::command::{AliasId, Refusal};

/// How many actuators one alias may have.
pub const ALIAS_MEMBERS: usize = 4096;

/// A place for one alias. Opaque; only [`AliasCell::FREE`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct AliasCell {
    generation: u32,
    used: bool,
    len: u16,
    members: [ActuatorId; ALIAS_MEMBERS],
}

impl AliasCell {
    /// A free place.
    pub const FREE: AliasCell = AliasCell {
        generation: 0,
        used: false,
        len: 0,
        members: [ActuatorId(0); ALIAS_MEMBERS],
    };
}

/// Why an alias was not made. Nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasError {
    /// All places for aliases are in use.
    TableFull,
    /// More members than [`ALIAS_MEMBERS`].
    TooManyMembers,
    /// There is no such actuator in this body.
    NoActuator(ActuatorId),
    /// This actuator is named twice.
    Twice(ActuatorId),
    /// The handle is stale: that alias is gone.
    NoAlias(AliasId),
}

/// All aliases.
#[derive(Debug)]
pub(crate) struct Aliases<'m> {
    cells: &'m mut [AliasCell],
}

impl<'m> Aliases<'m> {
    pub(crate) fn new(cells: &'m mut [AliasCell]) -> Aliases<'m> {
        Aliases { cells }
    }

    pub(crate) fn create(
        &mut self,
        body: &Body<'_>,
        members: &[ActuatorId],
    ) -> Result<AliasId, AliasError> {
        check(body, members)?;
        let place = self
            .cells
            .iter()
            .position(|cell| !cell.used)
            .ok_or(AliasError::TableFull)?;
        let cell = &mut self.cells[place];
        cell.used = true;
        cell.fill(members);
        let place = u16::try_from(place).map_err(|_| AliasError::TableFull)?;
        Ok(AliasId {
            place,
            generation: cell.generation,
        })
    }

    pub(crate) fn change(
        &mut self,
        body: &Body<'_>,
        alias: AliasId,
        members: &[ActuatorId],
    ) -> Result<(), AliasError> {
        check(body, members)?;
        self.cell(alias).ok_or(AliasError::NoAlias(alias))?;
        self.cells[usize::from(alias.place)].fill(members);
        Ok(())
    }

    pub(crate) fn drop(&mut self, alias: AliasId) -> Result<(), AliasError> {
        self.cell(alias).ok_or(AliasError::NoAlias(alias))?;
        let cell = &mut self.cells[usize::from(alias.place)];
        cell.used = false;
        cell.generation = cell.generation.wrapping_add(1);
        Ok(())
    }

    pub(crate) fn members(&self, alias: AliasId) -> Result<&[ActuatorId], Refusal> {
        let cell = self.cell(alias).ok_or(Refusal::NoAlias(alias))?;
        Ok(&cell.members[..usize::from(cell.len)])
    }

    fn cell(&self, alias: AliasId) -> Option<&AliasCell> {
        let cell = self.cells.get(usize::from(alias.place))?;
        (cell.used && cell.generation == alias.generation).then_some(cell)
    }
}

impl AliasCell {
    fn fill(&mut self, members: &[ActuatorId]) {
        self.members[..members.len()].copy_from_slice(members);
        self.len = u16::try_from(members.len()).unwrap_or(0);
    }
}

impl Stage<'_> {
    /// Makes an alias of these actuators.
    ///
    /// # Errors
    /// [`AliasError`], with nothing changed.
    pub fn create_alias(&mut self, members: &[ActuatorId]) -> Result<AliasId, AliasError> {
        self.aliases.create(self.body, members)
    }

    /// Replaces the members of an alias.
    ///
    /// # Errors
    /// [`AliasError`], with nothing changed.
    pub fn change_alias(
        &mut self,
        alias: AliasId,
        members: &[ActuatorId],
    ) -> Result<(), AliasError> {
        self.aliases.change(self.body, alias, members)
    }

    /// Drops an alias; its handle is stale from here on.
    ///
    /// # Errors
    /// [`AliasError::NoAlias`] for a stale handle.
    pub fn drop_alias(&mut self, alias: AliasId) -> Result<(), AliasError> {
        self.aliases.drop(alias)
    }

    /// The alias' members, in its order.
    ///
    /// # Errors
    /// [`Refusal::NoAlias`] for a stale handle.
    pub fn alias_members(&self, alias: AliasId) -> Result<&[ActuatorId], Refusal> {
        self.aliases.members(alias)
    }
}

fn check(body: &Body<'_>, members: &[ActuatorId]) -> Result<(), AliasError> {
    if members.len() > ALIAS_MEMBERS {
        return Err(AliasError::TooManyMembers);
    }
    for (place, &member) in members.iter().enumerate() {
        if member.index() >= body.actuators.len() {
            return Err(AliasError::NoActuator(member));
        }
        if members[..place].contains(&member) {
            return Err(AliasError::Twice(member));
        }
    }
    Ok(())
}

const _: () = assert!(ALIAS_MEMBERS <= u16::MAX as usize);
