//! A NAO V6 as a device of the rack: the turn hands over the newest commands and takes the newest sensors.
//! Mounted at start-up; the client's thread does the I/O.
//! The turn neither waits nor allocates here. Sensors older than three packets do not count as an answer, nor
//! those of a relaxed robot.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{JoinHandle, Thread};

use cycle::{Answer, Incoming, Outgoing};

use super::client::{CAME, GIVEN, LolaThread, ORDERS, POWERED, SENSES, TURN, UNPOWERED};
use super::line::{LineStatus, connect};
use super::triple_buffer::{Consumer, Producer, triple_buffer};
use super::{COMMANDS, LolaOutput, LolaSettings};
use crate::bus::BusFault;
use crate::faults::{Fault, Faults};
use crate::rack::Device;

/// Three packets of 12 ms, in microseconds.
const STALE: u64 = 36_000;

/// A NAO.
#[derive(Debug)]
pub struct Lola {
    settings: LolaSettings,
    shared: Arc<LineStatus>,
    give: Producer<ORDERS>,
    take: Consumer<SENSES>,
    orders: [u64; ORDERS],
    senses: [u64; SENSES],
    faults: Faults,
    thread: Option<JoinHandle<()>>,
    waker: Thread,
}

impl Lola {
    /// Connects to the robot. After that, the client reconnects by itself.
    ///
    /// # Errors
    /// A [`BusFault`]: nothing listens there, or two actuators drive one output.
    pub fn open(settings: &LolaSettings) -> Result<Lola, BusFault> {
        let mut taken = [false; COMMANDS];
        let places = settings
            .actuators
            .iter()
            .map(|actuator| actuator.to.place());
        for place in places {
            if taken.get(place) != Some(&false) {
                return Err(BusFault::Settings);
            }
            taken[place] = true;
        }
        let stream = connect(&settings.socket)?;
        let (give, orders) = triple_buffer();
        let (senses, take) = triple_buffer();
        let shared = Arc::new(LineStatus::new());
        let client = LolaThread::new(
            &settings.socket,
            settings.driven,
            Arc::clone(&shared),
            orders,
            senses,
        );
        let thread = std::thread::Builder::new().name("lola".to_owned());
        let thread = thread.spawn(move || client.run(stream))?;
        let mut lola = Lola {
            settings: settings.clone(),
            shared,
            give,
            take,
            orders: [0; ORDERS],
            senses: [u64::from(f32::NAN.to_bits()); SENSES],
            faults: Faults::default(),
            waker: thread.thread().clone(),
            thread: Some(thread),
        };
        lola.senses[CAME] = 0;
        // A joint that nobody drives has the value NaN, and is sent its measured position.
        for (word, channel) in lola.orders.iter_mut().zip(LolaOutput::all()) {
            if !channel.is_trigger() {
                *word = u64::from(f32::NAN.to_bits());
            }
        }
        Ok(lola)
    }

    /// Hands over the turn's commands.
    fn order(&mut self, out: &Outgoing<'_>) {
        for actuator in &self.settings.actuators {
            let word = &mut self.orders[actuator.to.place()];
            if actuator.to.is_trigger() {
                let fires = out.fires.iter();
                let fires = fires.filter(|fire| usize::from(fire.actuator.0) == actuator.actuator);
                // A count, so that no shot is lost if the client misses a turn.
                *word = word.wrapping_add(fires.count() as u64);
            } else if let Some(target) = out.targets.get(actuator.actuator) {
                *word = u64::from((target.counts as f32).to_bits());
            }
        }
        self.orders[TURN] = out.turn;
        self.orders[POWERED] = u64::from(out.powered);
        self.orders[UNPOWERED] += u64::from(!out.powered);
        self.orders[GIVEN] = self.shared.clock();
        self.give.give(&self.orders);
    }

    /// Reads the robot's last sensors, if they are not too old.
    fn read(&mut self, back: &mut Incoming<'_>) -> Result<(), Fault> {
        self.take.take(&mut self.senses);
        if let Some(fault) = self.shared.fault() {
            return Err(fault);
        }
        if self.shared.is_let_go(self.orders[UNPOWERED]) {
            return Err(Fault::MotorsOff);
        }
        let came = self.senses[CAME];
        if came == 0 || self.shared.clock().saturating_sub(came) > STALE {
            return Err(Fault::Stale);
        }
        for sensor in &self.settings.sensors {
            let value = f32::from_bits(self.senses[sensor.from.place()] as u32);
            // A value that is missing or NaN leaves the reading unchanged.
            if let Some(place) = back
                .counts
                .get_mut(sensor.sensor)
                .filter(|_| value.is_finite())
            {
                *place = f64::from(value);
            }
        }
        Ok(())
    }
}

impl Device for Lola {
    fn exchange(&mut self, out: &Outgoing<'_>, back: &mut Incoming<'_>) -> Answer {
        self.order(out);
        let read = self.read(back);
        match read {
            Ok(()) => self.faults.good += 1,
            Err(fault) => self.faults.count(fault),
        }
        Answer {
            answered: read.is_ok(),
            acknowledged: self.shared.acknowledged.load(Ordering::Acquire),
            error: read.map_or_else(Fault::error, |()| 0),
        }
    }

    fn faults(&self) -> Faults {
        self.faults
    }
}

impl Drop for Lola {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Release);
        self.waker.unpark();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed already.
            let _ = thread.join();
        }
    }
}
