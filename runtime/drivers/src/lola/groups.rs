//! The contents of LoLA's packets: groups under a key, each with its members in their order.
//! Used by both packets, and by the names of the channels.
//! The order of a table is the order on the wire; the index of each value is computed from it.

/// The format of a group's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueForm {
    /// Each as a number of four bytes.
    Float,
    /// Each as a whole number, as short as it goes.
    Whole,
    /// Each as yes or no.
    Truth,
}

/// The members of a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Members {
    Named(&'static [&'static str]),
    /// Lights in a ring, by number in LoLA's own order.
    Numbered(usize),
}

/// One key of a packet, and the array behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) key: &'static str,
    pub(super) form: ValueForm,
    /// The index of its first value among all values of the packet.
    pub(super) first: usize,
    pub(super) members: Members,
}

impl Group {
    const fn named(key: &'static str, members: &'static [&'static str]) -> Group {
        Group {
            key,
            form: ValueForm::Float,
            first: 0,
            members: Members::Named(members),
        }
    }

    const fn numbered(key: &'static str, count: usize) -> Group {
        let mut group = Group::named(key, &[]);
        group.members = Members::Numbered(count);
        group
    }

    const fn form(mut self, form: ValueForm) -> Group {
        self.form = form;
        self
    }

    pub(super) const fn len(&self) -> usize {
        match self.members {
            Members::Named(names) => names.len(),
            Members::Numbered(count) => count,
        }
    }

    /// The indices of its values among all values of the packet.
    pub(super) fn places(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.len()
    }
}

/// The joints, in LoLA's order; RHipYawPitch is missing because it shares LHipYawPitch's motor.
const JOINTS: &[&str] = &[
    "HeadYaw",
    "HeadPitch",
    "LShoulderPitch",
    "LShoulderRoll",
    "LElbowYaw",
    "LElbowRoll",
    "LWristYaw",
    "LHipYawPitch",
    "LHipRoll",
    "LHipPitch",
    "LKneePitch",
    "LAnklePitch",
    "LAnkleRoll",
    "RHipRoll",
    "RHipPitch",
    "RKneePitch",
    "RAnklePitch",
    "RAnkleRoll",
    "RShoulderPitch",
    "RShoulderRoll",
    "RElbowYaw",
    "RElbowRoll",
    "RWristYaw",
    "LHand",
    "RHand",
];
const AXES: &[&str] = &["X", "Y", "Z"];
const SIDES: &[&str] = &["Left", "Right"];
const COLOURS: &[&str] = &["Red", "Green", "Blue"];
/// A real robot sends the status before the current, unlike its maker's documents.
const BATTERY: &[&str] = &["Charge", "Status", "Current", "Temperature"];
const FSR: &[&str] = &[
    "LFoot/FrontLeft",
    "LFoot/FrontRight",
    "LFoot/RearLeft",
    "LFoot/RearRight",
    "RFoot/FrontLeft",
    "RFoot/FrontRight",
    "RFoot/RearLeft",
    "RFoot/RearRight",
];
const TOUCH: &[&str] = &[
    "ChestBoard/Button",
    "Head/Touch/Front",
    "Head/Touch/Middle",
    "Head/Touch/Rear",
    "LFoot/Bumper/Left",
    "LFoot/Bumper/Right",
    "LHand/Touch/Back",
    "LHand/Touch/Left",
    "LHand/Touch/Right",
    "RFoot/Bumper/Left",
    "RFoot/Bumper/Right",
    "RHand/Touch/Back",
    "RHand/Touch/Left",
    "RHand/Touch/Right",
];

/// The groups from the robot, after the four texts of its `RobotConfig`.
pub(super) const INPUTS: [Group; 12] = laid([
    Group::named("Accelerometer", AXES),
    Group::named("Angles", AXES.split_at(2).0),
    Group::named("Battery", BATTERY),
    Group::named("Current", JOINTS),
    Group::named("FSR", FSR),
    Group::named("Gyroscope", AXES),
    Group::named("Position", JOINTS),
    Group::named("Sonar", SIDES),
    Group::named("Stiffness", JOINTS),
    Group::named("Temperature", JOINTS),
    Group::named("Touch", TOUCH),
    Group::named("Status", JOINTS).form(ValueForm::Whole),
]);

/// The groups to the robot. An eye's lights are eight reds, eight greens, eight blues.
pub(super) const OUTPUTS: [Group; 11] = laid([
    Group::named("Position", JOINTS),
    Group::named("Stiffness", JOINTS),
    Group::named("Chest", COLOURS),
    Group::numbered("LEar", 10),
    Group::numbered("REar", 10),
    Group::numbered("LEye", 24),
    Group::numbered("REye", 24),
    Group::named("LFoot", COLOURS),
    Group::named("RFoot", COLOURS),
    Group::numbered("Skull", 12),
    Group::named("Sonar", SIDES).form(ValueForm::Truth),
]);

/// The groups with a role in the device.
pub(super) const POSITIONS: &Group = &OUTPUTS[0];
pub(super) const STIFFNESSES: &Group = &OUTPUTS[1];
pub(super) const SONARS: &Group = &OUTPUTS[10];
pub(super) const MEASURED: &Group = &INPUTS[6];

/// The number of values from the robot.
pub const READINGS: usize = count(&INPUTS);
/// The number of values to the robot.
pub const COMMANDS: usize = count(&OUTPUTS);

const fn laid<const N: usize>(mut groups: [Group; N]) -> [Group; N] {
    let (mut at, mut first) = (0, 0);
    while at < N {
        groups[at].first = first;
        first += groups[at].len();
        at += 1;
    }
    groups
}

const fn count<const N: usize>(groups: &[Group; N]) -> usize {
    groups[N - 1].first + groups[N - 1].len()
}
