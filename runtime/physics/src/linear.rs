//! Linear equations with a symmetric positive matrix, of which only the lower half is stored.
//! Factored as `Lᵀ·D·L` from the last row up: a matrix of a tree, whose parents come first, then has no more entries
//! than before, and zeros are skipped.

/// Factors the matrix in place; the diagonal then has the inverses of `D`.
pub(crate) fn factor(matrix: &mut [f64], size: usize) {
    for pivot in (0..size).rev() {
        let (above, row) = matrix.split_at_mut(pivot * size);
        let inverse = 1.0 / row[pivot];
        for column in (0..pivot).rev() {
            let entry = row[column];
            if entry != 0.0 {
                let share = entry * inverse;
                let target = &mut above[column * size..column * size + column + 1];
                for (left, right) in target.iter_mut().zip(&row[..column + 1]) {
                    *left -= share * right;
                }
                row[column] = share;
            }
        }
        row[pivot] = inverse;
    }
}

/// Solves the equations for the right-hand side `x`, with a matrix from `factor`.
pub(crate) fn solve(factored: &[f64], size: usize, x: &mut [f64]) {
    for row in (0..size).rev() {
        let value = x[row];
        if value != 0.0 {
            for column in 0..row {
                x[column] -= factored[row * size + column] * value;
            }
        }
    }
    for row in 0..size {
        let mut value = x[row] * factored[row * size + row];
        for column in 0..row {
            value -= factored[row * size + column] * x[column];
        }
        x[row] = value;
    }
}

/// Multiplies the matrix by a vector.
pub(crate) fn multiply(matrix: &[f64], size: usize, x: &[f64], product: &mut [f64]) {
    product.fill(0.0);
    for row in 0..size {
        let entries = &matrix[row * size..row * size + row];
        let mut sum = matrix[row * size + row] * x[row];
        for (column, entry) in entries.iter().enumerate() {
            if *entry != 0.0 {
                sum += entry * x[column];
                product[column] += entry * x[row];
            }
        }
        product[row] += sum;
    }
}
