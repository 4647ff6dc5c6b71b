//! What authors use, without a robot: the stage to rehearse on, curves of few lines, and the NAO that is shipped.

mod flatten;
mod lights;
mod nao;
mod posture;
mod sequence;
mod sine;
mod stage;
