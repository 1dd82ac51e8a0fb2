//! The making of tables in turns, in slices of counted work.

use super::{
    ground::Frozen,
    labels::Labels,
    making::{Made, Making, Sources, TableMaking, TooExpensive},
    table::{Kind, Table},
};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

/// The product of a turn.
#[derive(Clone, Debug)]
pub(super) enum Product {
    Landmarks(Made),
    /// A table for a place.
    Table(usize, Arc<Table>),
    Labels(Option<Labels>),
}

/// The work of a turn, on frozen ground. Clones of a finder share it: the first one does it.
#[derive(Debug)]
struct Worker {
    frozen: Frozen,
    job: Job,
    done: u64,
    product: Option<Result<Product, TooExpensive>>,
}

#[derive(Debug)]
enum Job {
    Landmarks(Box<Making>),
    Table(usize, Box<TableMaking>),
    Labels(Box<Making>),
    None,
}

impl Worker {
    /// Works until this much work is done since the begin, or until the product is made.
    fn run_to(&mut self, target: u64) {
        while self.done < target && self.product.is_none() {
            let (work, product) = match &mut self.job {
                Job::Landmarks(making) => {
                    let (work, made) = making.advance(&self.frozen, target - self.done);
                    (work, made.map(|made| made.map(Product::Landmarks)))
                }
                Job::Table(place, making) => {
                    let (work, table) = making.finish(&self.frozen, target - self.done);
                    (work, table.map(|table| table.map(|table| Product::Table(*place, table))))
                }
                Job::Labels(making) => {
                    let (work, made) = making.advance(&self.frozen, target - self.done);
                    let Frozen { bounds, revision, .. } = &self.frozen;
                    let labels = |of_slot| Labels::new(of_slot, bounds.width(), *revision);
                    (work, made.map(|made| made.map(|made| Product::Labels(made.labels.map(labels)))))
                }
                Job::None => return,
            };
            self.done += work;
            if product.is_some() {
                (self.product, self.job) = (product, Job::None);
            }
        }
    }
}

/// A turn under way. Its state is the work that is paid. How far the worker is does not matter.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    worker: Arc<Mutex<Worker>>,
    paid: u64,
    /// The cells that became cheaper since the begin, as packed nodes.
    cheaper: Arc<BTreeSet<u32>>,
}

impl Turn {
    /// Begins to make all landmarks of a map.
    pub(super) fn of_landmarks(frozen: Frozen, count: usize) -> Self {
        let job = Job::Landmarks(Box::new(Making::begin(&frozen, count)));
        Self::new(frozen, job)
    }

    /// Begins to make the table of a landmark for a place.
    pub(super) fn of_table(frozen: Frozen, (place, kind): (usize, Kind), sources: Sources) -> Self {
        let job = Job::Table(place, Box::new(TableMaking::begin(&frozen, kind, sources)));
        Self::new(frozen, job)
    }

    /// Begins to find the regions.
    pub(super) fn of_labels(frozen: Frozen) -> Self {
        let job = Job::Labels(Box::new(Making::begin(&frozen, 0)));
        Self::new(frozen, job)
    }

    fn new(frozen: Frozen, job: Job) -> Self {
        let worker = Worker { frozen, job, done: 0, product: None };
        Self { worker: Arc::new(Mutex::new(worker)), paid: 0, cheaper: Arc::default() }
    }

    pub(super) fn note_cheaper(&mut self, cheaper: &BTreeSet<u32>) {
        if !cheaper.is_empty() {
            Arc::make_mut(&mut self.cheaper).extend(cheaper);
        }
    }

    pub(super) fn cheaper(&self) -> &Arc<BTreeSet<u32>> {
        &self.cheaper
    }

    /// Pays at most this much work. Returns what was paid, and the product once it is paid.
    pub(super) fn pay(&mut self, budget: u64) -> (u64, Option<Result<Product, TooExpensive>>) {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let target = self.paid.saturating_add(budget);
        worker.run_to(target);
        let is_paid = worker.product.is_some() && worker.done <= target;
        let end = if is_paid { worker.done } else { target };
        let paid = end - std::mem::replace(&mut self.paid, end);
        (paid, worker.product.clone().filter(|_| is_paid))
    }

    pub(super) fn bytes(&self) -> usize {
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        let job = match &worker.job {
            Job::Landmarks(making) | Job::Labels(making) => making.bytes(),
            Job::Table(_, making) => making.bytes(),
            Job::None => 0,
        };
        job + self.cheaper.len() * size_of::<u32>()
    }
}
