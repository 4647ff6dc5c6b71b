//! What a name means: places on the page, for those who ask by the DCM's keys.
//! Kept by the app; made from the loop's own lists, which do not change while it runs. The law: a name of the
//! description is found here; what is not is asked of the loop.

use std::collections::HashMap;

use sensors::PageReader;
use socket::{Ask, Told, Trouble};
use tokio::sync::OnceCell;

use crate::line::Line;

/// The base names of the DCM's keys.
pub(crate) const PREFIX: [&str; 2] = ["Device/SubDeviceList/", "Device/DeviceList/"];

/// A place on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// What was sent to an actuator.
    Actuator(usize),
    /// The lowest value that an actuator may be sent, or the highest.
    Bound(usize, bool),
    /// What a sensor reads.
    Sensor(usize),
    /// One of a board's figures.
    Board(usize, usize),
    /// The DCM's clock.
    Time,
}

/// All names.
#[derive(Debug, Default)]
pub(crate) struct Names(OnceCell<Known>);

#[derive(Debug)]
struct Known {
    places: HashMap<String, Place>,
    keys: Vec<String>,
}

impl Names {
    /// What a key means.
    ///
    /// # Errors
    /// Nothing: the loop says what is near to it.
    pub(crate) async fn find(
        &self,
        key: &str,
        line: &Line,
        page: &PageReader,
        boards: &[String],
    ) -> Result<Place, Trouble> {
        let known = self.known(line, page, boards).await?;
        let bare = key.strip_prefix(PREFIX[0]).unwrap_or(key);
        if let Some(place) = known.places.get(bare) {
            return Ok(*place);
        }
        let name = bare.to_owned();
        match line.ask(Ask::Find { name }).await? {
            Told::Found { actuators, sensors } => {
                match (sensors.as_slice(), actuators.as_slice()) {
                    ([sensor, ..], _) => Ok(Place::Sensor(usize::from(*sensor))),
                    (_, [actuator]) => Ok(Place::Actuator(usize::from(*actuator))),
                    _ => Err(
                        Trouble::new("unknown-name", format!("`{key}` means several values"))
                            .fix("ask for each of its members"),
                    ),
                }
            }
            other => Err(Trouble::new(
                "no-loop",
                format!("the loop answered {other:?}"),
            )),
        }
    }

    /// All keys, long.
    pub(crate) async fn keys(
        &self,
        line: &Line,
        page: &PageReader,
        boards: &[String],
    ) -> Result<&[String], Trouble> {
        Ok(&self.known(line, page, boards).await?.keys)
    }

    async fn known(
        &self,
        line: &Line,
        page: &PageReader,
        boards: &[String],
    ) -> Result<&Known, Trouble> {
        let make = || async {
            match line.ask(Ask::Names).await? {
                Told::Names { actuators, sensors } => {
                    Ok(Known::of(page, boards, &actuators, &sensors))
                }
                other => Err(Trouble::new(
                    "no-loop",
                    format!("the loop answered {other:?}"),
                )),
            }
        };
        self.0.get_or_try_init(make).await
    }
}

impl Known {
    fn of(page: &PageReader, boards: &[String], actuators: &[String], sensors: &[String]) -> Known {
        let mut places = HashMap::new();
        let mut keys = vec!["DCM/Time".to_owned()];
        places.insert("DCM/Time".to_owned(), Place::Time);
        // Short names first, sensors before actuators: `HeadYaw` is where the head is.
        for (place, label) in page.actuators().into_iter().enumerate() {
            places.insert(label.name, Place::Actuator(place));
        }
        for (place, label) in page.sensors().into_iter().enumerate() {
            places.insert(label.name, Place::Sensor(place));
        }
        for (place, path) in sensors.iter().enumerate() {
            keys.push(format!("{}{path}", PREFIX[0]));
            places.insert(path.clone(), Place::Sensor(place));
        }
        for (place, path) in actuators.iter().enumerate() {
            keys.push(format!("{}{path}", PREFIX[0]));
            if let Some(stem) = path.strip_suffix("/Value") {
                places.insert(format!("{stem}/Min"), Place::Bound(place, false));
                places.insert(format!("{stem}/Max"), Place::Bound(place, true));
            }
            places.insert(path.clone(), Place::Actuator(place));
        }
        for (board, name) in boards.iter().enumerate() {
            for (figure, word) in ["Ack", "Nack", "Age", "Error"].into_iter().enumerate() {
                let key = format!("{}{name}/{word}", PREFIX[1]);
                keys.push(key.clone());
                places.insert(key, Place::Board(board, figure));
            }
        }
        keys.sort();
        Known { places, keys }
    }
}
