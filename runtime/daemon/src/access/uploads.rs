//! The places of uploads in progress: so many in all, and so many for each caller.
//! Taken by the route of uploads. The law: whoever uploads slowly, or much at once, leaves places for others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use api::lock;

use super::Principal;

/// The most uploads at once, of everybody and of each caller.
const MOST: usize = 64;
const MOST_EACH: usize = 8;

/// The places.
#[derive(Debug, Default)]
pub struct Uploads(Mutex<HashMap<String, usize>>);

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub struct UploadPlace {
    places: Arc<Uploads>,
    caller: String,
}

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoUploadPlace {
    /// The caller has all that are his.
    OfCaller(usize),
    /// All are taken.
    OfAll,
}

impl Uploads {
    /// A place for this caller.
    ///
    /// # Errors
    /// [`NoUploadPlace`].
    pub fn take(
        self: &Arc<Uploads>,
        who: Option<&Principal>,
    ) -> Result<UploadPlace, NoUploadPlace> {
        // Names may be the same; numbers of tokens are not.
        let caller = who.map_or_else(String::new, |it| match it.token {
            Some(number) => number.to_string(),
            None => it.name.clone(),
        });
        let mut taken = lock(&self.0);
        if taken.get(&caller).is_some_and(|it| *it >= MOST_EACH) {
            return Err(NoUploadPlace::OfCaller(MOST_EACH));
        }
        if taken.values().sum::<usize>() >= MOST {
            return Err(NoUploadPlace::OfAll);
        }
        *taken.entry(caller.clone()).or_default() += 1;
        drop(taken);
        let places = Arc::clone(self);
        Ok(UploadPlace { places, caller })
    }
}

impl Drop for UploadPlace {
    fn drop(&mut self) {
        let mut taken = lock(&self.places.0);
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
    use std::sync::Arc;

    use api::role::AccessRole;

    use super::{NoUploadPlace, Principal, Uploads};

    fn caller(number: u32) -> Principal {
        Principal {
            name: "anna".to_owned(),
            token: Some(number),
            role: AccessRole::Author,
        }
    }

    #[test]
    fn each_caller_has_places_of_his_own_and_gives_them_back() {
        let places = Arc::new(Uploads::default());
        let mut taken: Vec<_> = (0..8)
            .map(|_| places.take(Some(&caller(1))).expect("a place"))
            .collect();
        let more = places.take(Some(&caller(1)));
        assert_eq!(more.err(), Some(NoUploadPlace::OfCaller(8)));
        // Of the same name, but another person.
        for number in 2..9 {
            taken.extend((0..8).map(|_| places.take(Some(&caller(number))).expect("a place")));
        }
        let more = places.take(Some(&caller(9)));
        assert_eq!(more.err(), Some(NoUploadPlace::OfAll));
        taken.clear();
        assert!(places.take(Some(&caller(1))).is_ok());
        assert!(places.0.lock().expect("a map").is_empty());
    }
}
