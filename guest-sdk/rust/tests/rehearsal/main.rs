//! What authors use, without a robot: the stage to rehearse on, curves of few lines, and the NAO that is shipped.

mod flatten;
mod nao;
mod stage;
