//! A disk in memory that forgets: what was not synced may be lost at a power failure, in part or as a whole. It counts
//! its calls, and simulates a power failure or an error at any of them.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use daemon::store::Disk;
use fastrand::Rng;

/// The disk.
#[derive(Debug, Default)]
pub(crate) struct Platter(Mutex<State>);

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<File>,
    /// The names as they are now, and as they are on the disk.
    names: BTreeMap<String, usize>,
    kept_names: BTreeMap<String, usize>,
    /// Changes of names that are not on the disk yet, in their order.
    changes: Vec<(String, Option<usize>)>,
    calls: u64,
    /// The call before which the power fails.
    dies_at: Option<u64>,
    /// The call that fails, and how.
    fails_at: Option<(u64, io::ErrorKind)>,
}

#[derive(Clone, Debug, Default)]
struct File {
    now: Vec<u8>,
    kept: Vec<u8>,
}

impl Platter {
    /// Simulates a power failure before this call.
    pub(crate) fn die_at(&self, call: u64) {
        let mut state = self.lock();
        state.calls = 0;
        state.dies_at = Some(call);
    }

    /// Simulates an error at this call.
    pub(crate) fn fail_at(&self, call: u64, how: io::ErrorKind) {
        let mut state = self.lock();
        state.calls = 0;
        state.fails_at = Some((call, how));
    }

    /// The number of calls since `fail_at` or `die_at` was called.
    pub(crate) fn calls(&self) -> u64 {
        self.lock().calls
    }

    /// What is on the disk after the power failure: everything that was synced, and at random some of the rest.
    pub(crate) fn after(&self, chance: &mut Rng) -> Platter {
        let state = self.lock();
        let mut names = state.kept_names.clone();
        // Names change on the disk in their order. How many of them changed is random.
        let came = chance.usize(0..=state.changes.len());
        for (name, file) in &state.changes[..came] {
            match file {
                Some(file) => names.insert(name.clone(), *file),
                None => names.remove(name),
            };
        }
        let files = state.files.iter().map(|file| {
            // What was written and not synced is there in part, at random.
            let written = match chance.u8(0..4) {
                0 => file.kept.clone(),
                1 => file.now.clone(),
                2 => file.now[..chance.usize(0..=file.now.len())].to_vec(),
                _ => {
                    let mut torn = file.now.clone();
                    let from = chance.usize(0..=torn.len());
                    torn[from..].fill(0);
                    torn
                }
            };
            let is_kept = file.kept == file.now;
            let now = if is_kept { file.kept.clone() } else { written };
            File {
                kept: now.clone(),
                now,
            }
        });
        Platter(Mutex::new(State {
            files: files.collect(),
            names: names.clone(),
            kept_names: names,
            ..State::default()
        }))
    }

    /// The same disk, as if only the process had died.
    pub(crate) fn as_it_is(&self) -> Platter {
        let state = self.lock();
        Platter(Mutex::new(State {
            dies_at: None,
            fails_at: None,
            ..state.clone()
        }))
    }

    /// Changes a file behind the store's back.
    pub(crate) fn meddle(&self, path: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut state = self.lock();
        let file = *state.names.get(path).expect("it is there");
        change(&mut state.files[file].now);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().expect("nobody panicked")
    }

    fn call(&self) -> io::Result<std::sync::MutexGuard<'_, State>> {
        let mut state = self.lock();
        let call = state.calls;
        state.calls += 1;
        if state.dies_at.is_some_and(|at| call >= at) {
            return Err(io::Error::other("the power is gone"));
        }
        match state.fails_at {
            Some((at, how)) if at == call => Err(how.into()),
            _ => Ok(state),
        }
    }
}

impl State {
    fn find(&self, path: &str) -> io::Result<usize> {
        let found = self.names.get(path).copied();
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn name(&mut self, path: &str, file: Option<usize>) {
        match file {
            Some(file) => self.names.insert(path.to_owned(), file),
            None => self.names.remove(path),
        };
        self.changes.push((path.to_owned(), file));
    }
}

impl Disk for Platter {
    fn make_folder(&self, _folder: &str) -> io::Result<()> {
        self.call().map(drop)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let state = self.call()?;
        let head = format!("{folder}/");
        let inside = state.names.keys().filter_map(|key| key.strip_prefix(&head));
        Ok(inside.map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let state = self.call()?;
        Ok(state.files[state.find(path)?].now.clone())
    }

    fn write(&self, path: &str, piece: &[u8], first: bool) -> io::Result<()> {
        let mut state = self.call()?;
        let file = match state.find(path) {
            Ok(file) => file,
            Err(error) if !first => return Err(error),
            Err(_) => {
                state.files.push(File::default());
                let file = state.files.len() - 1;
                state.name(path, Some(file));
                file
            }
        };
        let now = &mut state.files[file].now;
        if first {
            now.clear();
        }
        now.extend_from_slice(piece);
        Ok(())
    }

    fn sync(&self, path: &str) -> io::Result<()> {
        let mut state = self.call()?;
        let file = state.find(path)?;
        state.files[file].kept = state.files[file].now.clone();
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.call()?;
        let file = state.find(from)?;
        // On the disk, too, a name is replaced atomically.
        state.name(to, Some(file));
        state.name(from, None);
        Ok(())
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        let mut state = self.call()?;
        let is_in = |name: &str| match name.rsplit_once('/') {
            Some((inside, _)) => inside == folder,
            None => folder == ".",
        };
        // Like a journal: a sync also syncs everything before it.
        if let Some(last) = state.changes.iter().rposition(|change| is_in(&change.0)) {
            for (name, file) in state.changes.drain(..=last).collect::<Vec<_>>() {
                match file {
                    Some(file) => state.kept_names.insert(name, file),
                    None => state.kept_names.remove(&name),
                };
            }
        }
        Ok(())
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let mut state = self.call()?;
        state.find(path)?;
        state.name(path, None);
        Ok(())
    }

    fn length(&self, path: &str) -> io::Result<u64> {
        let state = self.call()?;
        Ok(state.files[state.find(path)?].now.len() as u64)
    }
}
