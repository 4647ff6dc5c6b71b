//! Which channel of which board each actuator and sensor has.
//! Filled while parts are read; assigned when all of them are known.
//! No channel has two owners; who asked for none gets the next free one.

use std::collections::HashMap;

use cycle::BoardId;

use crate::problem::Problem;
use crate::robot::Robot;
use crate::text::Spot;

/// The way a channel goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ChannelDirection {
    Out,
    In,
}

/// What an actuator or a sensor asks for.
#[derive(Debug)]
struct ChannelRequest {
    way: ChannelDirection,
    board: BoardId,
    channel: Option<u16>,
    spot: Spot,
}

/// Everything that wants a channel, in the order of actuators and of sensors.
#[derive(Debug, Default)]
pub(super) struct ChannelAllocator {
    requests: Vec<ChannelRequest>,
    /// Outputs that are somebody's besides his own.
    reserved: Vec<ChannelRequest>,
}

impl ChannelAllocator {
    /// The next actuator or sensor is at this channel.
    pub(super) fn add(
        &mut self,
        way: ChannelDirection,
        board: BoardId,
        channel: Option<u16>,
        spot: Spot,
    ) {
        self.requests.push(ChannelRequest {
            way,
            board,
            channel,
            spot,
        });
    }

    /// This output is spoken for.
    pub(super) fn reserve(&mut self, board: BoardId, channel: u16, spot: Spot) {
        self.reserved.push(ChannelRequest {
            way: ChannelDirection::Out,
            board,
            channel: Some(channel),
            spot,
        });
    }

    /// Gives everyone a channel.
    pub(super) fn assign(mut self, robot: &mut Robot, problems: &mut Vec<Problem>) {
        let mut taken = HashMap::new();
        for end in self.requests.iter().chain(&self.reserved) {
            let Some(channel) = end.channel else { continue };
            if let Some(first) = taken.insert((end.way, end.board, channel), end.spot) {
                let way = match end.way {
                    ChannelDirection::Out => "output",
                    ChannelDirection::In => "input",
                };
                let board = robot.boards.get(usize::from(end.board.0));
                let board = board.map_or("?", |board| board.name.as_str());
                let sentence = format!("{way} {channel} of the board `{board}` has two owners");
                let problem = Problem::at(end.spot, sentence, "also here");
                problems.push(problem.and(first, "first here"));
            }
        }
        let mut next = HashMap::new();
        for end in self
            .requests
            .iter_mut()
            .filter(|request| request.channel.is_none())
        {
            let next: &mut u16 = next.entry((end.way, end.board)).or_default();
            while *next < u16::MAX && taken.contains_key(&(end.way, end.board, *next)) {
                *next += 1;
            }
            if *next == u16::MAX {
                problems.push(Problem::at(
                    end.spot,
                    "the board has no free channel left",
                    "for this",
                ));
            }
            taken.insert((end.way, end.board, *next), end.spot);
            end.channel = Some(*next);
        }
        let of = |way| {
            self.requests
                .iter()
                .filter(move |request| request.way == way)
                .filter_map(|request| request.channel)
        };
        for (actuator, channel) in robot.actuators.iter_mut().zip(of(ChannelDirection::Out)) {
            actuator.channel = channel;
        }
        for (sensor, channel) in robot.sensors.iter_mut().zip(of(ChannelDirection::In)) {
            sensor.channel = channel;
        }
    }
}
