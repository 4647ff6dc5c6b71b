// {{Name}}: looks to the left and to the right, and back. A motion: the loop calls its hooks in every turn.
package main

import (
	"time"

	dcm "choreography/sdk"
)

// What it moves and reads, and what a person can change while it plays.
var (
	HeadYaw = dcm.NewJoint("HeadYaw")
	far     = dcm.NewParam("far", 5, 30, 60)
)

// When it ends; 0 before the first turn.
var end dcm.Instant

// Called in every turn, before the values are computed. Other hooks: start, post-process, stop.
//
//go:wasmexport pre-process
func preProcess() {
	if end != 0 {
		return
	}
	far := dcm.Deg(far.Get())
	HeadYaw.Through(
		dcm.At(800*time.Millisecond, far),
		dcm.At(2000*time.Millisecond, -far),
		dcm.At(2800*time.Millisecond, 0),
	).Now()
	end = dcm.Now().Add(2800 * time.Millisecond)
}

// Called in every turn; false ends the choreography.
//
//go:wasmexport is-alive
func isAlive() bool {
	return end == 0 || dcm.Now().Before(end)
}

// Go asks for it; it is never called.
func main() {}
