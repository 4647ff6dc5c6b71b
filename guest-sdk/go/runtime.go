//go:build wasm

package choreography

import "unsafe"

// What Go's own runtime needs on a robot: memory that is there before the first turn, and lines for what it prints.
// Both reach into package runtime, which the linker allows with -checklinkname=0.

// Go collects garbage when 4 MiB are full, or twice what is used.
const usualReserve = 6 << 20

// A page of WebAssembly's.
const pageSize = 64 << 10

func init() {
	overrideWrite = hear
	Reserve(usualReserve)
}

// Reserve adds this many bytes to what can be allocated in hooks. The memory of a motion does not grow after start: a
// hook that needs more ends the choreography. 6 MiB are reserved already, which is enough for 2 MiB that are kept.
func Reserve(bytes int) {
	begin := growMemory(int32((bytes + pageSize - 1) / pageSize))
	if begin < 0 {
		Warn("there is no memory for ", bytes, " bytes more: it goes on without")
		return
	}
	end := uintptr(currentMemory()) * pageSize
	// What is not touched here would be made by the system in a turn.
	for at := uintptr(begin) * pageSize; at < end; at += 4 << 10 {
		*(*byte)(unsafe.Add(unsafe.Pointer(nil), at)) = 0
	}
	// The runtime takes for granted that nobody else grows the memory. It may use all of it.
	blocMax = end
}

// In memory_wasm.s: the instructions of WebAssembly.
func growMemory(pages int32) int32
func currentMemory() int32

// Where the runtime believes the memory to end.
//
//go:linkname blocMax runtime.blocMax
var blocMax uintptr

// The runtime prints a panic through this, in fragments.
//
//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite func(stream uintptr, text unsafe.Pointer, length int32) int32

// A line that the runtime has begun.
var heard [longest]byte
var heardLength int

// A hook may write four lines, so that the one with a goroutine's number is left out. This can be called where no
// stack may grow.
//
//go:nosplit
func hear(_ uintptr, text unsafe.Pointer, length int32) int32 {
	for at := range length {
		letter := *(*byte)(unsafe.Add(text, at))
		switch {
		case letter == '\n':
			begun := unsafe.String(&heard[0], heardLength)
			if len(begun) > 0 && (len(begun) < 10 || begun[:10] != "goroutine ") {
				logWrite(LevelWarning, begun)
			}
			heardLength = 0
		case heardLength < longest && letter != '\t':
			heard[heardLength] = letter
			heardLength++
		}
	}
	return length
}
