// The instructions of WebAssembly for memory, for Reserve.

#include "textflag.h"

// func growMemory(pages int32) int32
TEXT ·growMemory(SB), NOSPLIT, $0-12
	Get SP
	I32Load pages+0(FP)
	GrowMemory
	I32Store ret+8(FP)
	RET

// func currentMemory() int32
TEXT ·currentMemory(SB), NOSPLIT, $0-4
	Get SP
	CurrentMemory
	I32Store ret+0(FP)
	RET
