//! The places of uploads or downloads in progress: so many in all, and so many for each caller.
//! Taken by their routes. A slow caller, or one with many transfers, leaves places for others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use network::lock;
use protocol::{ErrorCode, RequestError};

use super::Principal;

/// The places of one kind of transfer.
#[derive(Debug)]
pub struct Transfers {
    most: usize,
    most_each: usize,
    taken: Mutex<HashMap<String, usize>>,
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub struct TransferPlace {
    places: Arc<Transfers>,
    caller: String,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTransferPlace {
    /// The caller has all of its own.
    OfCaller(usize),
    /// All are taken.
    OfAll,
}

impl Transfers {
    /// At most `most` at once, and `most_each` of one caller.
    pub fn new(most: usize, most_each: usize) -> Arc<Transfers> {
        Arc::new(Transfers {
            most,
            most_each,
            taken: Mutex::default(),
        })
    }

    /// A place for this caller.
    ///
    /// # Errors
    /// [`NoTransferPlace`].
    pub fn take(
        self: &Arc<Transfers>,
        who: Option<&Principal>,
    ) -> Result<TransferPlace, NoTransferPlace> {
        let caller = Principal::key(who);
        let mut taken = lock(&self.taken);
        if taken
            .get(&caller)
            .is_some_and(|count| *count >= self.most_each)
        {
            return Err(NoTransferPlace::OfCaller(self.most_each));
        }
        if taken.values().sum::<usize>() >= self.most {
            return Err(NoTransferPlace::OfAll);
        }
        *taken.entry(caller.clone()).or_default() += 1;
        drop(taken);
        let places = Arc::clone(self);
        Ok(TransferPlace { places, caller })
    }
}

impl NoTransferPlace {
    /// The refusal of such a transfer: an upload, or a download.
    pub fn refuse(self, kind: &str) -> RequestError {
        let sentence = match self {
            NoTransferPlace::OfCaller(most) => {
                format!("{most} of your {kind}s are running already")
            }
            NoTransferPlace::OfAll => format!("too many {kind}s are running"),
        };
        ErrorCode::Busy
            .error(sentence)
            .fix("try again when one of them has ended")
    }
}

impl Drop for TransferPlace {
    fn drop(&mut self) {
        let mut taken = lock(&self.places.taken);
        if let Some(count) = taken.get_mut(&self.caller) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.caller);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoTransferPlace, Transfers};
    use crate::access::principal::caller;

    #[test]
    fn each_caller_has_places_of_his_own_and_gives_them_back() {
        let places = Transfers::new(64, 8);
        let mut taken: Vec<_> = (0..8)
            .map(|_| places.take(Some(&caller(1))).expect("a place"))
            .collect();
        let more = places.take(Some(&caller(1)));
        assert_eq!(more.err(), Some(NoTransferPlace::OfCaller(8)));
        // Of the same name, but another person.
        for number in 2..9 {
            taken.extend((0..8).map(|_| places.take(Some(&caller(number))).expect("a place")));
        }
        let more = places.take(Some(&caller(9)));
        assert_eq!(more.err(), Some(NoTransferPlace::OfAll));
        taken.clear();
        assert!(places.take(Some(&caller(1))).is_ok());
        assert!(places.taken.lock().expect("a map").is_empty());
    }
}
