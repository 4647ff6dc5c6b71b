//! The index of the DCM's keys: maps each to a place on the page.
//! Owned by the app, and built from the loop's lists of names, which do not change while it runs. A key that
//! is not in the index is looked up by the loop, which also knows aliases.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use protocol::{Ask, ErrorCode, FoundRows, LongNames, RequestError};
use sensors::PageReader;
use tokio::sync::OnceCell;

use crate::loop_client::LoopClient;

/// The prefixes of the DCM's keys.
pub(crate) const PREFIX: [&str; 2] = ["Device/SubDeviceList/", "Device/DeviceList/"];

/// The figures of a board.
const FIGURES: [&str; 4] = ["Ack", "Nack", "Age", "Error"];

/// The key of whether a board is there.
const AVAILABLE: &str = "Available";

/// A place on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PagePlace {
    /// The value that was sent to an actuator.
    Actuator(usize),
    /// The lowest or the highest value of an actuator.
    Bound(usize, bool),
    /// The value of a sensor.
    Sensor(usize),
    /// One of a board's figures.
    Board(usize, usize),
    /// Whether a board is there: 1 or 0.
    Available(usize),
    /// The DCM's clock.
    Time,
    /// A figure of the DCM's cycle.
    Cycle(CycleFigure),
    /// Something of a part that this robot lacks: it reads 0, as in the DCM.
    Absent,
}

/// A figure of the DCM's cycle, under its key of NAOqi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CycleFigure {
    /// From the turn before to this one, ms.
    Time,
    /// The period, ms.
    Target,
    /// The time from which on a turn counts as late, ms.
    Warning,
    /// How many turns were late since the server has started.
    LateTurns,
    /// How late the last late turn was, s.
    LastLate,
}

const CYCLE_KEYS: [(&str, CycleFigure); 5] = [
    ("DCM/CycleTime", CycleFigure::Time),
    ("DCM/TargetCycleTime", CycleFigure::Target),
    ("DCM/CycleTimeWarning", CycleFigure::Warning),
    ("DCM/CycleTimeErrorCounter", CycleFigure::LateTurns),
    ("DCM/CycleTimeErrorLastTime", CycleFigure::LastLate),
];

/// The index. It is built at the first request.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex(OnceCell<KeyTable>);

#[derive(Debug)]
struct KeyTable {
    places: HashMap<String, PagePlace>,
    keys: Vec<String>,
}

impl KeyIndex {
    /// The place of a key.
    ///
    /// # Errors
    /// The key is unknown; the loop's message has similar names.
    pub(crate) async fn find(
        &self,
        key: &str,
        loop_client: &LoopClient,
        page: &PageReader,
        boards: &[String],
    ) -> Result<PagePlace, RequestError> {
        let known = self.known(loop_client, page, boards).await?;
        let bare = key.strip_prefix(PREFIX[0]).unwrap_or(key);
        if let Some(place) = known.places.get(bare) {
            return Ok(*place);
        }
        let name = bare.to_owned();
        let found: FoundRows = loop_client.get(Ask::Find { name }).await?;
        match (found.sensors.as_slice(), found.actuators.as_slice()) {
            ([sensor, ..], _) => Ok(PagePlace::Sensor(usize::from(*sensor))),
            ([], []) => Ok(PagePlace::Absent),
            (_, [actuator]) => Ok(PagePlace::Actuator(usize::from(*actuator))),
            _ => Err(ErrorCode::UnknownName
                .error(format!("`{key}` has several values"))
                .fix("ask for each of its members")),
        }
    }

    /// All keys, with their prefixes.
    pub(crate) async fn keys(
        &self,
        loop_client: &LoopClient,
        page: &PageReader,
        boards: &[String],
    ) -> Result<&[String], RequestError> {
        Ok(&self.known(loop_client, page, boards).await?.keys)
    }

    async fn known(
        &self,
        loop_client: &LoopClient,
        page: &PageReader,
        boards: &[String],
    ) -> Result<&KeyTable, RequestError> {
        let make = || async {
            let names: LongNames = loop_client.get(Ask::Names).await?;
            Ok(KeyTable::of(page, boards, &names.actuators, &names.sensors))
        };
        self.0.get_or_try_init(make).await
    }
}

impl KeyTable {
    fn of(
        page: &PageReader,
        boards: &[String],
        actuators: &[String],
        sensors: &[String],
    ) -> KeyTable {
        let mut places = HashMap::new();
        let mut keys = vec!["DCM/Time".to_owned()];
        places.insert("DCM/Time".to_owned(), PagePlace::Time);
        for (key, figure) in CYCLE_KEYS {
            keys.push(key.to_owned());
            places.insert(key.to_owned(), PagePlace::Cycle(figure));
        }
        // Short names first, and sensors before actuators: `HeadYaw` is the measured position.
        for (place, label) in page.actuators().into_iter().enumerate() {
            places.insert(label.name, PagePlace::Actuator(place));
        }
        for (place, label) in page.sensors().into_iter().enumerate() {
            places.insert(label.name, PagePlace::Sensor(place));
        }
        for (place, path) in sensors.iter().enumerate() {
            keys.push(format!("{}{path}", PREFIX[0]));
            places.insert(path.clone(), PagePlace::Sensor(place));
        }
        for (place, path) in actuators.iter().enumerate() {
            keys.push(format!("{}{path}", PREFIX[0]));
            if let Some(stem) = path.strip_suffix("/Value") {
                places.insert(format!("{stem}/Min"), PagePlace::Bound(place, false));
                places.insert(format!("{stem}/Max"), PagePlace::Bound(place, true));
            }
            places.insert(path.clone(), PagePlace::Actuator(place));
        }
        // The link of each subdevice is that of its board.
        let labels = page.actuators().into_iter().chain(page.sensors());
        for (path, label) in actuators.iter().chain(sensors).zip(labels) {
            let device = path.split('/').next().unwrap_or(path);
            for (figure, word) in FIGURES.into_iter().enumerate() {
                let key = format!("{device}/{word}");
                let place = PagePlace::Board(usize::from(label.board), figure);
                if let Entry::Vacant(free) = places.entry(key) {
                    keys.push(format!("{}{}", PREFIX[0], free.key()));
                    free.insert(place);
                }
            }
        }
        for (board, name) in boards.iter().enumerate() {
            for (figure, word) in FIGURES.into_iter().enumerate() {
                let key = format!("{}{name}/{word}", PREFIX[1]);
                keys.push(key.clone());
                places.insert(key, PagePlace::Board(board, figure));
            }
            let key = format!("{}{name}/{AVAILABLE}", PREFIX[1]);
            keys.push(key.clone());
            places.insert(key, PagePlace::Available(board));
        }
        keys.sort();
        KeyTable { places, keys }
    }
}
