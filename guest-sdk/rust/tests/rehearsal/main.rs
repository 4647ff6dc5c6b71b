//! What authors use, without a robot: the stage to rehearse on, curves of few lines, and the NAO that is shipped.

mod arm;
mod estop;
mod flatten;
mod gains;
mod head;
mod kinematics;
mod layers;
mod lights;
mod matrices;
mod mirror;
mod nao;
mod posture;
mod remote;
mod sequence;
mod sine;
mod stage;
