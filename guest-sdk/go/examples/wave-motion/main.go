// Waves with the right arm, from any position of the arm, and puts it back.
package main

import dcm "choreography/sdk"

// What it moves, and what a person can change while it plays.
var (
	RShoulderPitch = dcm.NewJoint("RShoulderPitch")
	RShoulderRoll  = dcm.NewJoint("RShoulderRoll")
	RElbowYaw      = dcm.NewJoint("RElbowYaw")
	RElbowRoll     = dcm.NewJoint("RElbowRoll")
	RWristYaw      = dcm.NewJoint("RWristYaw")
	HeadYaw        = dcm.NewJoint("HeadYaw")
	chest          = dcm.NewGroup("ChestLeds")
	speed          = dcm.NewParam("speed", 0.5, 1.0, 1.5)
	times          = dcm.NewParam("times", 1, 3, 10)
)

// When its movement ends; 0 before the first turn.
var end dcm.Instant

//go:wasmexport pre-process
func preProcess() {
	// All commands are sent in the first turn.
	if end == 0 {
		end = wave()
	}
}

//go:wasmexport is-alive
func isAlive() bool {
	return end == 0 || dcm.Now().Before(end)
}

// The pose of the arm for waving: up, and a little out.
var raised = []dcm.Target{
	RShoulderPitch.Target(-1.3),
	RShoulderRoll.Target(-0.35),
	RElbowYaw.Target(0.35),
	RElbowRoll.Target(0.7),
	RWristYaw.Target(0),
	HeadYaw.Target(-0.25),
}

// Sends a whole wave. Returns when it ends.
func wave() dcm.Instant {
	beat := dcm.Ms(400 / speed.Get())

	// The arm goes up smoothly, from any position: a longer way takes longer.
	at := dcm.Strike(raised, 0.4, 2*beat)
	chest.To(1).At(at)

	// The forearm goes out and in, as often as it waves.
	for range int(times.Get()) {
		RElbowRoll.To(0.2).Eased(dcm.Sine).From(0.7).Starting(at).Over(beat)
		at = at.Add(beat)
		RElbowRoll.To(0.7).Eased(dcm.Sine).From(0.2).Starting(at).Over(beat)
		at = at.Add(beat)
	}

	// The arm returns to rest.
	home := at.Add(3 * beat)
	for _, up := range raised {
		up.To(up.Limits().Rest).Eased(dcm.Jerkless).From(up.Value).Starting(at).At(home)
	}
	chest.To(0).At(home)
	return home
}

// Go asks for it; it is never called.
func main() {}
