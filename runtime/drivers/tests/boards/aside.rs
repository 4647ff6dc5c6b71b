//! Parts that run aside: they get the turn's outputs, their readings come back, old readings do not count, and the turn
//! never waits.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::desk::turn;
use cycle::Answer;
use drivers::aside::{Aside, PartChannels, PartDevice, PartTiming};
use drivers::bus::{BusFault, Transfer};
use drivers::faults::Fault;
use drivers::parts::{apa102, as5048a, lights, lsm6ds, mcp3008, senses, tlc5947, tlc59711};
use drivers::rack::Device;

const PACE: PartTiming = PartTiming {
    period: Duration::from_millis(1),
    timeout_periods: 20,
};

fn places(outputs: usize, inputs: usize) -> PartChannels {
    PartChannels {
        outputs: (0..outputs).map(Some).collect(),
        inputs: (0..inputs).map(Some).collect(),
    }
}

/// What a part received, and how it must behave.
#[derive(Debug, Default)]
struct Told {
    runs: u64,
    outputs: Vec<f64>,
    powered: bool,
    fault: Option<Fault>,
    takes: Duration,
}

/// A part whose inputs are its outputs.
#[derive(Clone, Debug, Default)]
struct Echo(Arc<Mutex<Told>>);

impl PartDevice for Echo {
    fn run(&mut self, outputs: &[f64], powered: bool, inputs: &mut [f64]) -> Result<(), Fault> {
        let takes = self.0.lock().expect("nobody panicked").takes;
        std::thread::sleep(takes);
        let mut told = self.0.lock().expect("nobody panicked");
        told.runs += 1;
        (told.outputs, told.powered) = (outputs.to_vec(), powered);
        // One turn's outputs are together, however often the turn writes them.
        assert!(
            outputs
                .iter()
                .all(|output| output.to_bits() == outputs[0].to_bits())
        );
        inputs.copy_from_slice(outputs);
        told.fault.map_or(Ok(()), Err)
    }
}

impl Echo {
    fn set(&self, f: impl FnOnce(&mut Told)) {
        f(&mut self.0.lock().expect("nobody panicked"));
    }
}

/// Turns until `so` holds, with one target for all joints; returns the last answer and reading.
fn until(
    device: &mut Aside,
    from: &mut u64,
    counts: f64,
    is_so: impl Fn(Answer, f64) -> bool,
) -> (Answer, f64) {
    let began = Instant::now();
    loop {
        *from += 1;
        let (answer, read) = turn(device, 40, *from, true, counts);
        if is_so(answer, read) {
            return (answer, read);
        }
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "it never is: {answer:?}, {read}"
        );
        std::thread::sleep(Duration::from_micros(300));
    }
}

#[test]
fn what_the_turn_sends_is_shown_and_what_was_read_comes_back_with_the_turn_it_is_of() {
    let echo = Echo::default();
    let mut aside = Aside::start(echo.clone(), places(40, 40), PACE).expect("a thread");
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!(
        echo.0.lock().expect("nobody panicked").runs,
        0,
        "not before the first turn"
    );
    let mut number = 0;
    let (_, first) = turn(&mut aside, 40, number, true, 7.0);
    assert!(first.is_nan(), "nothing was read yet");
    for counts in [7.0, -3.5, 1e9] {
        let began = number;
        let (answer, _) = until(&mut aside, &mut number, counts, |answer, read| {
            answer.answered && read == counts
        });
        assert!(
            (began..=number).contains(&answer.acknowledged),
            "{answer:?}"
        );
        assert_eq!(answer.error, 0);
    }
    // As fast as a turn can be, and never are the outputs of two turns mixed.
    for counts in 0..200_000 {
        number += 1;
        let (answer, read) = turn(&mut aside, 40, number, counts % 2 == 0, f64::from(counts));
        assert!(!answer.answered || read.fract() == 0.0 || read == 1e9);
    }
    turn(&mut aside, 40, number + 1, false, 5.0);
    std::thread::sleep(Duration::from_millis(20));
    echo.set(|value| assert!(!value.powered && value.outputs[39] == 5.0));
    assert_eq!(aside.faults().exchanges(), number + 2);
    drop(aside);
    let runs = echo.0.lock().expect("nobody panicked").runs;
    std::thread::sleep(Duration::from_millis(10));
    assert_eq!(
        echo.0.lock().expect("nobody panicked").runs,
        runs,
        "it ended"
    );
}

#[test]
fn a_part_that_fails_is_missing_when_its_readings_are_too_old_and_comes_back_by_itself() {
    let echo = Echo::default();
    let pace = PartTiming {
        timeout_periods: 150,
        ..PACE
    };
    let mut aside = Aside::start(echo.clone(), places(1, 1), pace).expect("a thread");
    let mut number = 0;
    for fault in [
        Fault::Transfer(BusFault::Gone),
        Fault::Corrupt,
        Fault::Silence,
    ] {
        until(&mut aside, &mut number, 1.0, |answer, _| answer.answered);
        echo.set(|value| value.fault = Some(fault));
        // For as long as it is patient, what was read last is the answer; what the part left while failing is not.
        let began = Instant::now();
        let (answer, read) = until(&mut aside, &mut number, 2.0, |answer, _| !answer.answered);
        assert!(
            began.elapsed() >= Duration::from_millis(50),
            "{:?}",
            began.elapsed()
        );
        assert!(
            read.is_nan(),
            "readings of what did not answer stay as they were"
        );
        assert_eq!((answer.error, answer.acknowledged), (fault.error(), 0));
        assert!(aside.faults().of(fault) > 0);
        echo.set(|value| value.fault = None);
    }
    until(&mut aside, &mut number, 3.0, |answer, read| {
        answer.answered && read == 3.0
    });
}

#[test]
fn a_part_that_is_too_slow_is_stale_and_the_turn_does_not_wait_for_it() {
    let echo = Echo::default();
    echo.set(|told| told.takes = Duration::from_millis(150));
    let mut aside = Aside::start(echo, places(1, 1), PACE).expect("a thread");
    let began = Instant::now();
    for number in 0..1_000 {
        turn(&mut aside, 1, number, true, 0.0);
    }
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    let mut number = 1_000;
    let (answer, _) = until(&mut aside, &mut number, 0.0, |as5048a, _| {
        as5048a.error != 0
    });
    assert_eq!(answer.error, Fault::Stale.error());
}

/// A bus with a simulated chip at its end.
struct Wired<C, F> {
    chip: Arc<Mutex<C>>,
    with: F,
}

impl<C, F> std::fmt::Debug for Wired<C, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wired")
    }
}

impl<C: Send, F: FnMut(&mut C, &[u8], &mut [u8]) + Send> Transfer for Wired<C, F> {
    fn transfer(&mut self, down: &[u8], up: &mut [u8]) -> Result<(), BusFault> {
        (self.with)(&mut self.chip.lock().expect("nobody panicked"), down, up);
        Ok(())
    }
}

fn wired<C, F: FnMut(&mut C, &[u8], &mut [u8])>(chip: C, with: F) -> (Wired<C, F>, Arc<Mutex<C>>) {
    let chip = Arc::new(Mutex::new(chip));
    (
        Wired {
            chip: Arc::clone(&chip),
            with,
        },
        chip,
    )
}

#[test]
fn chains_of_chips_and_strips_show_the_outputs_powered_or_not() {
    let outputs: Vec<f64> = (0..48).map(|i| f64::from(i * 100) + 0.4).collect();
    let (bus, chain) = wired(
        <[tlc5947::SimTlc5947; 2]>::default(),
        |[near, far], down, _| {
            down.iter()
                .for_each(|item| _ = far.shift(near.shift(*item)));
            near.latch();
            far.latch();
        },
    );
    let mut part = lights::Tlc5947::new(bus, 2);
    part.run(&outputs, false, &mut []).expect("a bus");
    let shown = chain.lock().expect("nobody panicked").clone();
    let levels: Vec<_> = shown.iter().flat_map(|item| *item.levels()).collect();
    let wanted: Vec<_> = (0..48).map(|i| (i * 100).min(tlc5947::HIGHEST)).collect();
    assert_eq!(levels, wanted);
    // What nobody drives is dark, what is too much is the most.
    part.run(&[f64::NAN, 1e9, -5.0, f64::INFINITY], true, &mut [])
        .expect("a bus");
    let shown = chain.lock().expect("nobody panicked").clone();
    assert_eq!(shown[0].levels()[..5], [0, 4095, 0, 4095, 0]);

    let (bus, chain) = wired(
        <[tlc59711::SimTlc59711; 2]>::default(),
        |[near, far], down, _| {
            down.iter()
                .for_each(|item| _ = far.shift(near.shift(*item)));
            near.latch();
            far.latch();
        },
    );
    let function = tlc59711::Function {
        brightness: [1, 2, 3],
        blank: false,
    };
    let mut part = lights::Tlc59711::new(bus, 2, function);
    part.run(&outputs[..24], false, &mut []).expect("a bus");
    let shown = chain.lock().expect("nobody panicked").clone();
    assert_eq!(
        shown.each_ref().map(|tlc59711| tlc59711.shows().1),
        [function; 2]
    );
    let levels: Vec<_> = shown
        .iter()
        .flat_map(|tlc59711| *tlc59711.shows().0)
        .collect();
    assert_eq!(levels, (0..24).map(|i| i * 100).collect::<Vec<_>>());

    let (bus, strip) = wired(apa102::Strip::new(12), |strip, down, _| strip.take(down));
    let mut part = lights::Apa102::new(bus, 12);
    part.run(&outputs, false, &mut []).expect("a bus");
    let shown = strip.lock().expect("nobody panicked").lights()[1];
    let light = apa102::Light {
        brightness: 31,
        red: 255,
        green: 255,
        blue: 255,
    };
    assert_eq!(shown, light);
    part.run(&[3.0, 1.0, 2.0, 300.0], false, &mut [])
        .expect("a bus");
    let shown = strip.lock().expect("nobody panicked").lights().to_vec();
    assert_eq!(
        shown[0],
        apa102::Light {
            brightness: 3,
            red: 1,
            green: 2,
            blue: 255
        }
    );
    assert_eq!(shown[1], apa102::Light::default());
}

fn encoder(angle: u16) -> as5048a::SimAs5048a {
    let mut chip = as5048a::SimAs5048a::default();
    chip.angle = angle;
    chip
}

/// What is wrong with a wire.
type Bend = fn(&mut [u8]);
type Bent = (as5048a::SimAs5048a, Option<Bend>);
const LOW: Bend = |up| up.fill(0);
const HIGH: Bend = |up| up.fill(0xff);

#[test]
fn sensors_are_read_and_what_cannot_be_so_is_a_fault_by_name() {
    let inputs = [0, 1, 2, 300, 400, 512, 1022, 1023];
    let (bus, _) = wired(mcp3008::SimMcp3008 { inputs }, |chip, down, up| {
        up.copy_from_slice(&chip.transfer([down[0], down[1], down[2]]));
    });
    let mut part = senses::Mcp3008::new(bus);
    let mut read = [0.0; 8];
    part.run(&[], true, &mut read).expect("a chip");
    assert_eq!(read, inputs.map(f64::from));

    let chip = (encoder(9_000), None::<Bend>);
    let (bus, chip) = wired(chip, |(chip, bend), down, up| {
        up.copy_from_slice(&chip.transfer([down[0], down[1]]));
        bend.iter().for_each(|item| item(up));
    });
    let mut part = senses::As5048a::new(bus);
    let mut read = [0.0];
    let mut ask = |set: &dyn Fn(&mut Bent)| {
        set(&mut chip.lock().expect("nobody panicked"));
        part.run(&[], true, &mut read).map(|()| read[0])
    };
    assert_eq!(ask(&|_| {}), Ok(9_000.0));
    assert_eq!(
        ask(&|pair| pair.0.angle = 0),
        Ok(0.0),
        "a sound angle, like any other"
    );
    assert_eq!(
        ask(&|pair| pair.1 = Some(LOW)),
        Err(Fault::Silence),
        "and no angle"
    );
    assert_eq!(ask(&|pair| pair.1 = Some(HIGH)), Err(Fault::Silence));
    assert_eq!(
        ask(&|pair| pair.1 = Some(|up| up[1] ^= 4)),
        Err(Fault::Corrupt),
        "parity"
    );
    assert_eq!(
        ask(&|pair| (pair.1, pair.0.lost) = (None, true)),
        Err(Fault::UnexpectedFrame),
        "no magnet"
    );
    assert_eq!(ask(&|pair| pair.0.lost = false), Ok(0.0));
    // It refused a word; its flag is cleared, and then all is well.
    assert_eq!(
        ask(&|pair| _ = pair.0.transfer([0x7f, 0xff])),
        Err(Fault::Refused(wire::Refused::Form))
    );
    assert_eq!(ask(&|pair| pair.0.angle = 77), Ok(77.0));

    let ranges = lsm6ds::Ranges {
        turn: lsm6ds::Turn::Dps250,
        pull: lsm6ds::Pull::G2,
    };
    let (bus, chip) = wired(
        (lsm6ds::SimLsm6ds::default(), Some(HIGH)),
        |(chip, bend), down, up| {
            chip.transfer(down, up);
            bend.iter().for_each(|item| item(up));
        },
    );
    let mut part = senses::Lsm6ds::new(bus, ranges);
    let mut read = [f64::NAN; 7];
    assert_eq!(part.run(&[], true, &mut read), Err(Fault::Silence));
    let bend = |bend: Option<Bend>| chip.lock().expect("nobody panicked").1 = bend;
    bend(Some(|up| up[1] = 0x33));
    assert_eq!(
        part.run(&[], true, &mut read),
        Err(Fault::Mismatch),
        "another chip"
    );
    bend(None);
    chip.lock()
        .expect("nobody panicked")
        .0
        .measure([256, 0, 0, 0, 0, 0, 16_393]);
    assert_eq!(part.run(&[], true, &mut read), Ok(()));
    assert!(
        (read[5] - 9.806_65).abs() < 1e-3 && read[6] == 26.0,
        "{read:?}"
    );
    // It lost its power, and its settings with it: it is silent once, and then set up again.
    chip.lock().expect("nobody panicked").0 = lsm6ds::SimLsm6ds::default();
    assert_eq!(part.run(&[], true, &mut read), Err(Fault::Silence));
    chip.lock().expect("nobody panicked").0.measure([1; 7]);
    assert_eq!(part.run(&[], true, &mut read), Ok(()));
    assert_eq!(chip.lock().expect("nobody panicked").0.register(0x10), 0x60);
}

#[test]
fn a_sensor_that_runs_aside_is_a_board_like_any_other() {
    let chip = (encoder(4_321), None::<Bend>);
    let (bus, chip) = wired(chip, |(chip, bend), down, up| {
        up.copy_from_slice(&chip.transfer([down[0], down[1]]));
        bend.iter().for_each(|item| item(up));
    });
    let mut aside = Aside::start(senses::As5048a::new(bus), places(0, 1), PACE).expect("a thread");
    let mut number = 0;
    until(&mut aside, &mut number, 0.0, |answer, read| {
        answer.answered && read == 4_321.0
    });
    chip.lock().expect("nobody panicked").1 = Some(LOW);
    let (answer, _) = until(&mut aside, &mut number, 0.0, |answer, _| !answer.answered);
    assert_eq!(answer.error, Fault::Silence.error());
    chip.lock().expect("nobody panicked").1 = None;
    until(&mut aside, &mut number, 0.0, |answer, read| {
        answer.answered && read == 4_321.0
    });
}
