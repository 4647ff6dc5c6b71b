//! Limits of a guest's memories, tables and instances. Wasmtime asks whenever one of them grows.
//! The law: memories and tables count together, and nothing grows inside a turn.

use wasmtime::ResourceLimiter;

/// Core instances, memories and tables that one component may have.
pub(crate) const CORES: usize = 16;
pub(crate) const MEMORIES: usize = 2;
pub(crate) const TABLES: usize = 4;

/// Elements of a table: a compiler makes one for each function that is called by its address.
pub(crate) const TABLE: usize = 8 << 10;

/// How many instances, tables and memories a guest may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstanceLimits {
    pub(crate) instances: usize,
    pub(crate) tables: usize,
    pub(crate) memories: usize,
}

impl InstanceLimits {
    /// A motion's: as many as the pool has for it.
    pub(crate) const MOTION: InstanceLimits = InstanceLimits {
        instances: CORES,
        tables: TABLES,
        memories: MEMORIES,
    };

    /// A score's: a whole interpreter is made of many modules.
    pub(crate) const SCORE: InstanceLimits = InstanceLimits {
        instances: 256,
        tables: 32,
        memories: 8,
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
        if may {
            self.used = used;
        }
        Ok(may)
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
        let may = !self.frozen && desired <= self.table && used <= self.memory;
        if may {
            self.used = used;
        }
        Ok(may)
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
