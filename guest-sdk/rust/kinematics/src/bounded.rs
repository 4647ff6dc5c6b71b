//! The linear system of one step, within limits: the lowest point of a quadratic form in a box. Solved by Cholesky's
//! decomposition for the joints that are free, with an active set of those that stand at a limit.
//! Called by the solver; it knows nothing of robots.
//! What it returns is in the box, and for a form that is positive definite it leads downwards or is zero.

/// A quadratic form `½ s·H·s - g·s`; only the lower half of `H` is read. A variable that is not used has zeros
/// everywhere, and stays at 0.
pub(crate) struct BoxedForm<'f, const N: usize> {
    pub(crate) form: &'f [[f64; N]; N],
    /// What is added to each entry of the diagonal.
    pub(crate) damping: f64,
    pub(crate) gradient: &'f [f64; N],
    /// How far each variable can go down (not above 0), and up.
    pub(crate) low: &'f [f64; N],
    pub(crate) high: &'f [f64; N],
}

/// Where a variable is.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Free,
    Low,
    High,
}

impl<const N: usize> BoxedForm<'_, N> {
    fn at(&self, row: usize, column: usize) -> f64 {
        self.form[row.max(column)][row.min(column)]
    }

    /// The lowest point in the box. `None` if the form is not positive definite there, or a number is NaN.
    ///
    /// From where it stands it goes towards the lowest point of what is free, to the first limit; there it binds what
    /// has met it. At that lowest point, it frees what is pulled inwards. Each round leads downwards, so no state
    /// comes twice; if the rounds should not be enough, it is on its way.
    pub(crate) fn solve(&self) -> Option<[f64; N]> {
        let mut bounds = [Bound::Free; N];
        let mut step = [0.0; N];
        for (column, bound) in bounds.iter_mut().enumerate() {
            // What cannot move at all is not part of it.
            if self.low[column] >= self.high[column] {
                *bound = Bound::Low;
            }
        }
        for _ in 0..3 * N + 1 {
            let mut lowest = step;
            if !self.solve_free(&bounds, &mut lowest) {
                return None;
            }
            if let Some((first, bound)) = self.advance(&bounds, &mut step, &lowest) {
                bounds[first] = bound;
            } else if let Some(wrong) = self.worst_bound(&bounds, &step) {
                bounds[wrong] = Bound::Free;
            } else {
                break;
            }
        }
        Some(step)
    }

    /// Goes to a point, or as far as the box allows: then what has met which limit first.
    fn advance(
        &self,
        bounds: &[Bound; N],
        step: &mut [f64; N],
        to: &[f64; N],
    ) -> Option<(usize, Bound)> {
        let mut share = 1.0;
        let mut first = None;
        for column in (0..N).filter(|i| bounds[*i] == Bound::Free) {
            let way = to[column] - step[column];
            let (bound, limit) = if to[column] < self.low[column] {
                (Bound::Low, self.low[column])
            } else if to[column] > self.high[column] {
                (Bound::High, self.high[column])
            } else {
                continue;
            };
            let own = (limit - step[column]) / way;
            if first.is_none() || own < share {
                share = own;
                first = Some((column, bound));
            }
        }
        for column in (0..N).filter(|i| bounds[*i] == Bound::Free) {
            let value = step[column] + share * (to[column] - step[column]);
            // Not `clamp`, which panics for limits that are not in order.
            step[column] = value.max(self.low[column]).min(self.high[column]);
        }
        if let Some((column, bound)) = first {
            step[column] = match bound {
                Bound::High => self.high[column],
                _ => self.low[column],
            };
        }
        first
    }

    /// The bound variable that the form pulls inwards most.
    fn worst_bound(&self, bounds: &[Bound; N], step: &[f64; N]) -> Option<usize> {
        let mut worst = None;
        let mut most = 1e-12;
        for column in 0..N {
            if bounds[column] == Bound::Free || self.low[column] >= self.high[column] {
                continue;
            }
            let mut pull = self.gradient[column] - self.damping * step[column];
            for (other, by) in step.iter().enumerate() {
                pull -= self.at(column, other) * by;
            }
            let inwards = if bounds[column] == Bound::Low {
                pull
            } else {
                -pull
            };
            if inwards > most {
                most = inwards;
                worst = Some(column);
            }
        }
        worst
    }

    /// Solves for the free variables while the others stay. False if that is not possible.
    ///
    /// `H = L·D·Lᵀ`, without roots; the rows below a pivot do not wait for each other, and all loops have a length
    /// that the compiler knows. What is bound has a row of its own there, which says that it stays.
    fn solve_free(&self, bounds: &[Bound; N], step: &mut [f64; N]) -> bool {
        let mut rows = *self.form;
        let mut rest = *self.gradient;
        for column in 0..N {
            rows[column][column] += self.damping;
            if bounds[column] != Bound::Free {
                self.bind(column, step[column], &mut rows, &mut rest);
            }
        }
        for column in 0..N {
            if bounds[column] != Bound::Free {
                rest[column] = step[column];
            }
        }
        for pivot in 0..N {
            let size = rows[pivot][pivot];
            // NaN fails here, too.
            if !(size > 0.0 && size.is_finite()) {
                return false;
            }
            let inverse = 1.0 / size;
            // The column below the pivot, before it becomes one of L.
            let column: [f64; N] = core::array::from_fn(|row| rows[row][pivot]);
            for row in pivot + 1..N {
                let factor = column[row] * inverse;
                for other in pivot + 1..=row {
                    rows[row][other] -= factor * column[other];
                }
                rows[row][pivot] = factor;
                rest[row] -= factor * rest[pivot];
            }
            rest[pivot] *= inverse;
        }
        for row in (0..N).rev() {
            for before in 0..row {
                rest[before] -= rows[row][before] * rest[row];
            }
        }
        *step = rest;
        true
    }

    /// Takes a variable out of a system: the others see what it is.
    fn bind(&self, column: usize, value: f64, rows: &mut [[f64; N]; N], rest: &mut [f64; N]) {
        for other in 0..N {
            rest[other] -= self.at(other, column) * value;
            rows[column.max(other)][column.min(other)] = 0.0;
        }
        rows[column][column] = 1.0;
    }
}
