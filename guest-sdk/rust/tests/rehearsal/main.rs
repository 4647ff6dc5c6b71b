//! What authors use, without a robot: the stage to rehearse on, curves of few lines, and the NAO that is shipped.

mod arm;
mod flatten;
mod head;
mod kinematics;
mod lights;
mod matrices;
mod nao;
mod posture;
mod sequence;
mod sine;
mod stage;
