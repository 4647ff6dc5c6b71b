//! How long after one series of values another one follows it: from the frames of the page, the latency of a joint.
//! Called by `dcm-run latency`. A series that does not move, or is not followed, has no delay.

/// The share of the movement that the delayed series must explain.
const EXPLAINED_LEAST: f64 = 0.9;

/// How many turns after `cause` the series `effect` follows it, up to `most`; an offset between both does not count.
/// The delay is that for which the difference between both has the least variance; between two turns `cause` is a line.
/// `None` if the standard deviation of `cause` is below `least`, or if `effect` does not follow it.
pub fn delay(cause: &[f64], effect: &[f64], most: usize, least: f64) -> Option<f64> {
    let count = cause.len().min(effect.len());
    let used = count.checked_sub(most + 1).filter(|value| *value > most)?;
    let effect = &effect[count - used..count];
    let earlier = |turns: usize| &cause[count - used - turns..count - turns];
    let spread = covariance(effect, effect);
    if covariance(earlier(0), earlier(0)).sqrt() < least {
        return None;
    }
    let mut best = (f64::INFINITY, 0.0);
    for turns in 0..most {
        let off = |turns: usize| -> Vec<f64> {
            let pairs = effect.iter().zip(earlier(turns));
            pairs.map(|(effect, cause)| effect - cause).collect()
        };
        let (now, next) = (off(turns), off(turns + 1));
        let (a, b) = (covariance(&now, &now), covariance(&next, &next));
        let c = covariance(&now, &next);
        // Between both turns the variance is a parabola.
        let bend = a - 2.0 * c + b;
        let part = if bend > 0.0 {
            ((a - c) / bend).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let rest = 1.0 - part;
        let variance = rest * rest * a + 2.0 * rest * part * c + part * part * b;
        // Of several that are equally good, the shortest.
        if variance < best.0 - 1e-12 * spread {
            best = (variance, turns as f64 + part);
        }
    }
    (best.0 <= (1.0 - EXPLAINED_LEAST) * spread).then_some(best.1)
}

fn covariance(a: &[f64], b: &[f64]) -> f64 {
    let count = a.len() as f64;
    let mean = |item: &[f64]| item.iter().sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let products = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b));
    products.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::delay;

    /// A smooth movement: random targets, reached in straight lines of random length.
    fn movement(random: &mut fastrand::Rng, count: usize) -> Vec<f64> {
        let mut values = vec![0.0];
        while values.len() < count {
            let (from, turns) = (*values.last().unwrap_or(&0.0), random.usize(5..60));
            let to = 2.0 * random.f64() - 1.0;
            let line = (1..=turns).map(|i| from + (to - from) * i as f64 / turns as f64);
            values.extend(line);
        }
        values.truncate(count);
        values
    }

    /// The value `turns` earlier, on the line between two turns.
    fn at(values: &[f64], place: usize, turns: f64) -> f64 {
        let (whole, part) = (turns.floor(), turns.fract());
        let place = place.saturating_sub(whole as usize);
        values[place] * (1.0 - part) + values[place.saturating_sub(1)] * part
    }

    #[test]
    fn random_delays_are_found_whatever_the_offset_and_the_noise() {
        let mut random = fastrand::Rng::with_seed(85);
        for _ in 0..200 {
            let cause = movement(&mut random, 1024);
            let late = match random.bool() {
                true => f64::from(random.u8(0..40)),
                false => 39.0 * random.f64(),
            };
            let (offset, noise) = (random.f64() - 0.5, 0.01 * random.f64());
            let mut effect = Vec::new();
            for place in 0..cause.len() {
                let value = at(&cause, place, late) + offset;
                effect.push(value + noise * (2.0 * random.f64() - 1.0));
            }
            let found = delay(&cause, &effect, 50, 0.01).expect("it follows");
            assert!((found - late).abs() < 0.1, "{found}: {late}");
        }
    }

    #[test]
    fn what_stands_or_does_not_follow_has_no_delay() {
        let mut random = fastrand::Rng::with_seed(1);
        let cause = movement(&mut random, 1024);
        let other = movement(&mut random, 1024);
        assert_eq!(delay(&cause, &other, 50, 0.01), None);
        assert_eq!(delay(&[0.3; 1024], &cause, 50, 0.01), None);
        assert_eq!(delay(&cause, &[0.3; 1024], 50, 0.01), None);
        assert_eq!(delay(&cause[..90], &cause[..90], 50, 0.01), None);
        assert_eq!(delay(&[], &[], 50, 0.01), None);
        assert_eq!(delay(&cause, &cause, 50, 0.01), Some(0.0));
        let unknown = vec![f64::NAN; 1024];
        assert_eq!(delay(&cause, &unknown, 50, 0.01), None);
    }
}
