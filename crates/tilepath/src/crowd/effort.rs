//! The effort of steps, and the number of steps in a tick.

/// The effort of one straight (not diagonal) step on normal ground. The stride of a body is the
/// effort that the body makes in one tick. For example, a body whose stride is a quarter of this
/// value takes four ticks for a straight step.
pub const EFFORT_PER_STRAIGHT_STEP: u32 = 70_000;
/// The effort of one diagonal step on normal ground: √2 × the effort of a straight step.
pub const EFFORT_PER_DIAGONAL_STEP: u32 = 98_995;
/// The largest number of steps that a body begins in one tick. [`Crowd::set_steps`](super::Crowd::set_steps) sets another
/// number for a body. A stride that allows more steps does not make the body faster.
pub const MAX_STEPS_PER_TICK: u32 = 4;
