//! Limits of a guest's memories, tables and instances. Wasmtime asks whenever one of them grows.
//! Memories and tables count together, and nothing grows inside a turn.

use wasmtime::ResourceLimiter;

/// Elements of a table: a compiler makes one for each function that is called by its address.
pub(crate) const TABLE: usize = 8 << 10;

/// How many instances, tables and memories a guest may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstanceLimits {
    /// Core instances.
    pub(crate) instances: usize,
    pub(crate) tables: usize,
    pub(crate) memories: usize,
    /// Bytes of what Wasmtime keeps of them, in a pool.
    pub(crate) bytes: usize,
}

impl InstanceLimits {
    /// A motion's: as many as the pool has for it.
    pub(crate) const MOTION: InstanceLimits = InstanceLimits {
        instances: 16,
        tables: 4,
        memories: 2,
        bytes: 64 << 10,
    };

    /// A motion's whose code is an interpreter: CPython has 38 instances in 408 KiB, QuickJS 3.
    pub(crate) const INTERPRETER: InstanceLimits = InstanceLimits {
        instances: 48,
        tables: 4,
        memories: 2,
        bytes: 512 << 10,
    };

    /// A score's: a whole interpreter is made of many modules.
    pub(crate) const SCORE: InstanceLimits = InstanceLimits {
        instances: 256,
        tables: 32,
        memories: 8,
        bytes: usize::MAX,
    };
}

/// What a guest may have of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryLimits {
    pub(crate) memory: usize,
    pub(crate) table: usize,
    /// Nothing may grow: that would ask the system for pages inside a turn.
    pub(crate) frozen: bool,
    /// How many it may have of each.
    pub(crate) most: InstanceLimits,
    /// Bytes that its memories and tables have together.
    pub(crate) used: usize,
    /// How often they could not grow since they last grew.
    pub(crate) refused: u32,
    /// The most bytes that they would have had together.
    pub(crate) wanted: usize,
}

impl MemoryLimits {
    /// Notes whether they may grow to so many bytes together.
    fn grow(&mut self, used: usize, may: bool) -> bool {
        if may {
            (self.used, self.refused) = (used, 0);
        } else {
            self.refused = self.refused.saturating_add(1);
            self.wanted = self.wanted.max(used);
        }
        may
    }

    /// What was refused, and the fix; a guest that traps afterwards does so because of it.
    pub(crate) fn told(&self) -> Option<String> {
        let times = match self.refused {
            0 => return None,
            1 => "once".to_owned(),
            many => format!("{many} times"),
        };
        let megabytes = |bytes: usize| bytes as f64 / 1e6;
        if self.frozen {
            return Some(format!(
                "its memory could not grow, {times}: inside a turn it does only as far as its manifest asks; fix: \
                 `memory = {}`, or more, in its manifest",
                self.wanted.next_multiple_of(1 << 20)
            ));
        }
        Some(format!(
            "its memory could not grow to {:.1} MB, {times}: it is granted {:.1} MB; fix: `memory = {}`, or more, in \
             its grant in the robot's description",
            megabytes(self.wanted),
            megabytes(self.memory),
            self.wanted.next_multiple_of(4 << 20)
        ))
    }
}

impl ResourceLimiter for MemoryLimits {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let used = self.used.saturating_add(desired.saturating_sub(current));
        let may = !self.frozen && used <= self.memory;
        Ok(self.grow(used, may))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current);
        let more = more.saturating_mul(size_of::<usize>());
        let used = self.used.saturating_add(more);
        if desired > self.table {
            return Ok(false);
        }
        let may = !self.frozen && used <= self.memory;
        Ok(self.grow(used, may))
    }

    fn instances(&self) -> usize {
        self.most.instances
    }

    fn tables(&self) -> usize {
        self.most.tables
    }

    fn memories(&self) -> usize {
        self.most.memories
    }
}
