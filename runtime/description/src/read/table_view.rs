//! One table of a description together with the defaults of its section.
//! Used by `read`; what it hands out has been examined against the table's shape.
//! What is written wins over the default, key by key.

use crate::quantity::Dimension;
use crate::schema::figure;
use crate::schema::{TableSchema, ValueKind};
use crate::text::Spot;
use crate::tree::{LocatedValue, Table, Value};

/// A table and what it falls back to.
#[derive(Clone, Copy)]
pub(super) struct TableView<'t> {
    own: Option<&'t Table>,
    default: Option<&'t Table>,
    shape: &'static TableSchema,
    /// Its name, or its place if it has none.
    pub(super) spot: Spot,
}

impl<'t> TableView<'t> {
    pub(super) fn new(
        own: Option<&'t Table>,
        default: Option<&'t Table>,
        shape: &'static TableSchema,
        spot: Spot,
    ) -> TableView<'t> {
        TableView {
            own,
            default,
            shape,
            spot,
        }
    }

    pub(super) fn node(&self, key: &str) -> Option<&'t LocatedValue> {
        let of = |table: Option<&'t Table>| table?.get(key);
        of(self.own).or_else(|| of(self.default))
    }

    /// Where `key` is written, or else the entry itself.
    pub(super) fn spot_of(&self, key: &str) -> Spot {
        self.node(key).map_or(self.spot, |node| node.spot)
    }

    pub(super) fn text(&self, key: &str) -> Option<&'t str> {
        self.node(key)?.as_text()
    }

    /// The value that the word at `key` stands for.
    pub(super) fn choice<T: Copy>(&self, key: &str, list: &[(&str, T)]) -> Option<T> {
        let word = self.text(key)?;
        Some(list.iter().find(|pair| pair.0 == word)?.1)
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        match self.node(key)?.value {
            Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub(super) fn whole<N: TryFrom<u64>>(&self, key: &str) -> Option<N> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "examined: a whole number that is not negative"
        )]
        match self.node(key)?.value {
            Value::Number(value, true) => N::try_from(value as u64).ok(),
            _ => None,
        }
    }

    pub(super) fn figure(&self, key: &str) -> Option<f64> {
        figure(self.node(key)?, self.dimension(key)?).ok()
    }

    pub(super) fn range(&self, key: &str) -> Option<cycle::Range> {
        let dimension = self.dimension(key)?;
        let [min, max] = self.node(key)?.as_list()? else {
            return None;
        };
        Some(cycle::Range {
            min: figure(min, dimension).ok()?,
            max: figure(max, dimension).ok()?,
        })
    }

    pub(super) fn point(&self, key: &str) -> Option<[f64; 3]> {
        point(self.node(key)?, self.dimension(key)?)
    }

    /// The texts of a list, each with its place.
    pub(super) fn texts(&self, key: &str) -> Vec<(&'t str, Spot)> {
        let list = self
            .node(key)
            .and_then(LocatedValue::as_list)
            .unwrap_or_default();
        list.iter()
            .filter_map(|located_value| Some((located_value.as_text()?, located_value.spot)))
            .collect()
    }

    /// The whole numbers of a list.
    pub(super) fn wholes(&self, key: &str) -> Vec<u32> {
        let list = self
            .node(key)
            .and_then(LocatedValue::as_list)
            .unwrap_or_default();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "examined: whole numbers from 0 to what 32 bits hold"
        )]
        let whole = |node: &LocatedValue| match node.value {
            Value::Number(value, true) => Some(value as u32),
            _ => None,
        };
        list.iter().filter_map(whole).collect()
    }

    /// The figures of a list.
    pub(super) fn figures(&self, key: &str) -> Vec<f64> {
        let list = self.node(key).and_then(LocatedValue::as_list);
        let dimension = self.dimension(key).unwrap_or(Dimension::Plain);
        let figures = list.unwrap_or_default().iter();
        figures
            .filter_map(|item| figure(item, dimension).ok())
            .collect()
    }

    pub(super) fn strings(&self, key: &str) -> Vec<String> {
        let texts = self.texts(key).into_iter();
        texts.map(|(text, _)| text.to_owned()).collect()
    }

    /// A table inside this one; `None` if neither it nor its default is written.
    pub(super) fn sub(&self, key: &str) -> Option<TableView<'t>> {
        let shape = match self.shape.key(key)?.kind {
            ValueKind::Table(shape) => shape,
            _ => return None,
        };
        let own = self.own.and_then(|table| table.table(key));
        let default = self.default.and_then(|default| default.table(key));
        own.or(default)?;
        Some(TableView::new(own, default, shape, self.spot))
    }

    /// The tables in a list of tables.
    pub(super) fn subs(&self, key: &str) -> Vec<TableView<'t>> {
        let Some(ValueKind::List(ValueKind::Table(shape))) =
            self.shape.key(key).map(|key| &key.kind)
        else {
            return Vec::new();
        };
        let list = self
            .node(key)
            .and_then(LocatedValue::as_list)
            .unwrap_or_default();
        list.iter()
            .filter_map(|located_value| {
                Some(TableView::new(
                    Some(located_value.as_table()?),
                    None,
                    shape,
                    located_value.spot,
                ))
            })
            .collect()
    }

    fn dimension(&self, key: &str) -> Option<Dimension> {
        match &self.shape.key(key)?.kind {
            ValueKind::Figure(value) | ValueKind::Above(value) | ValueKind::NotBelow(value) => {
                Some(*value)
            }
            ValueKind::Range(point) | ValueKind::Point(point) => Some(*point),
            _ => None,
        }
    }
}

pub(super) fn point(node: &LocatedValue, dimension: Dimension) -> Option<[f64; 3]> {
    let [x, y, z] = node.as_list()? else {
        return None;
    };
    let figure = |node| figure(node, dimension).ok();
    Some([figure(x)?, figure(y)?, figure(z)?])
}
