// {{Name}}: looks to the left and to the right, and back. A score: one long run, which may sleep.
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

// Called once. Commands that still wait when it returns are dropped.
//
//go:wasmexport run
func run() {
	far := dcm.Deg(far.Get())
	for range 2 {
		HeadYaw.To(far).Eased(dcm.Sine).Over(900 * time.Millisecond)
		time.Sleep(1100 * time.Millisecond)
		HeadYaw.To(-far).Eased(dcm.Sine).Over(1200 * time.Millisecond)
		time.Sleep(1400 * time.Millisecond)
	}
	HeadYaw.To(0).Eased(dcm.Sine).Over(900 * time.Millisecond)
	time.Sleep(900 * time.Millisecond)
}

// Go asks for it; it is never called.
func main() {}
