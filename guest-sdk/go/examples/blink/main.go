// Blinks now and then, sometimes twice: a hook that does nothing in most turns. Lights with one name are a group. It
// has a random generator of its own, so that it blinks alike in each run.
package main

import (
	"math"
	"time"

	dcm "choreography/sdk"
)

var (
	red   = dcm.NewGroup("FaceLedsRed")
	green = dcm.NewGroup("FaceLedsGreen")
	blue  = dcm.NewGroup("FaceLedsBlue")
	pause = dcm.NewParam("pause", 0.5, 4.0, 20.0) // seconds, on average
	light = dcm.NewParam("light", 0.0, 0.7, 1.0)
)

// The time of the next blink.
var next = dcm.Now()

//go:wasmexport pre-process
func preProcess() {
	now := dcm.Now()
	if now.Before(next) {
		return
	}
	blink(now)
	rest := pause.Get() * (0.4 + 1.2*roll())
	if roll() < 0.2 {
		blink(now.Add(280 * time.Millisecond))
		rest += 0.28
	}
	next = now.Add(max(dcm.S(rest), 300*time.Millisecond))
}

// Closes the eyes and opens them: they close faster than they open.
func blink(at dcm.Instant) {
	light := light.Get()
	colour(red, light*0.6, at)
	colour(green, light*0.8, at)
	colour(blue, light, at)
}

func colour(eyes dcm.Group, light float64, at dcm.Instant) {
	eyes.To(light).At(at)
	eyes.To(0).At(at.Add(60 * time.Millisecond))
	eyes.To(0).At(at.Add(110 * time.Millisecond))
	eyes.To(light).At(at.Add(230 * time.Millisecond))
}

var dice uint32 = 0x9e3779b9

// A random number from 0 to 1: Marsaglia's xorshift. Its state is never 0.
func roll() float64 {
	dice ^= dice << 13
	dice ^= dice >> 17
	dice ^= dice << 5
	return float64(dice) / math.MaxUint32
}

// Go asks for it; it is never called.
func main() {}
