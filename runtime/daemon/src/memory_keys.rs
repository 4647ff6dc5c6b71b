//! What a name means: places on the page, for those who ask by the DCM's keys.
//! Kept by the app; made from the loop's own lists, which do not change while it runs. The law: a name of the
//! description is found here; what is not is asked of the loop.

use std::collections::HashMap;

use api::error::ErrorCode;
use sensors::PageReader;
use socket::{Ask, ReplyBody, Trouble};
use tokio::sync::OnceCell;

use crate::loop_client::LoopClient;

/// The base names of the DCM's keys.
pub(crate) const PREFIX: [&str; 2] = ["Device/SubDeviceList/", "Device/DeviceList/"];

/// A place on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PagePlace {
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
pub(crate) struct KeyIndex(OnceCell<KeyTable>);

#[derive(Debug)]
struct KeyTable {
    places: HashMap<String, PagePlace>,
    keys: Vec<String>,
}

impl KeyIndex {
    /// What a key means.
    ///
    /// # Errors
    /// Nothing: the loop says what is near to it.
    pub(crate) async fn find(
        &self,
        key: &str,
        loop_client: &LoopClient,
        page: &PageReader,
        boards: &[String],
    ) -> Result<PagePlace, Trouble> {
        let known = self.known(loop_client, page, boards).await?;
        let bare = key.strip_prefix(PREFIX[0]).unwrap_or(key);
        if let Some(place) = known.places.get(bare) {
            return Ok(*place);
        }
        let name = bare.to_owned();
        match loop_client.ask(Ask::Find { name }).await? {
            ReplyBody::Found { actuators, sensors } => {
                match (sensors.as_slice(), actuators.as_slice()) {
                    ([sensor, ..], _) => Ok(PagePlace::Sensor(usize::from(*sensor))),
                    (_, [actuator]) => Ok(PagePlace::Actuator(usize::from(*actuator))),
                    _ => Err(ErrorCode::UnknownName
                        .trouble(format!("`{key}` means several values"))
                        .fix("ask for each of its members")),
                }
            }
            other => Err(ErrorCode::NoLoop.trouble(format!("the loop answered {other:?}"))),
        }
    }

    /// All keys, long.
    pub(crate) async fn keys(
        &self,
        loop_client: &LoopClient,
        page: &PageReader,
        boards: &[String],
    ) -> Result<&[String], Trouble> {
        Ok(&self.known(loop_client, page, boards).await?.keys)
    }

    async fn known(
        &self,
        loop_client: &LoopClient,
        page: &PageReader,
        boards: &[String],
    ) -> Result<&KeyTable, Trouble> {
        let make = || async {
            match loop_client.ask(Ask::Names).await? {
                ReplyBody::Names { actuators, sensors } => {
                    Ok(KeyTable::of(page, boards, &actuators, &sensors))
                }
                other => Err(ErrorCode::NoLoop.trouble(format!("the loop answered {other:?}"))),
            }
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
        // Short names first, sensors before actuators: `HeadYaw` is where the head is.
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
        for (board, name) in boards.iter().enumerate() {
            for (figure, word) in ["Ack", "Nack", "Age", "Error"].into_iter().enumerate() {
                let key = format!("{}{name}/{word}", PREFIX[1]);
                keys.push(key.clone());
                places.insert(key, PagePlace::Board(board, figure));
            }
        }
        keys.sort();
        KeyTable { places, keys }
    }
}
