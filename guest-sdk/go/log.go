//go:build wasm

package choreography

import (
	"math"
	"strconv"
	"unsafe"
)

// The longest line, bytes; the rest is cut off.
const longest = 256

// Where a line is put together: longer by more than any number or word that is added to it.
var line [longest + 64]byte

// Debug writes a line for whoever wants to know everything.
func Debug(parts ...any) Answer {
	return write(LevelDebug, parts)
}

// Info writes a line that a person follows: dcm.Info("it is ", distance, " m away"). The parts are texts, numbers
// (float64, int, int64, uint32, uint64), truths, spans and answers. Numbers have at most three decimals.
func Info(parts ...any) Answer {
	return write(LevelInfo, parts)
}

// Warn writes a line about what should not be.
func Warn(parts ...any) Answer {
	return write(LevelWarning, parts)
}

// No part leaves this function, so that callers keep the parts on their stacks.
func write(level Level, parts []any) Answer {
	to := line[:0]
	for _, part := range parts {
		to = to[:min(len(to), longest)]
		switch it := part.(type) {
		case string:
			to = append(to, it[:min(len(it), longest-len(to))]...)
		case float64:
			to = decimals(to, it)
		case int:
			to = strconv.AppendInt(to, int64(it), 10)
		case int64:
			to = strconv.AppendInt(to, it, 10)
		case uint32:
			to = strconv.AppendUint(to, uint64(it), 10)
		case uint64:
			to = strconv.AppendUint(to, it, 10)
		case bool:
			to = strconv.AppendBool(to, it)
		case Span:
			to = append(decimals(to, it.Seconds()*1e3), " ms"...)
		case Answer:
			to = append(to, it.String()...)
		default:
			to = append(to, "(a part that cannot be logged)"...)
		}
	}
	return logWrite(level, unsafe.String(&line[0], len(to)))
}

func decimals(to []byte, value float64) []byte {
	if math.Abs(value) < 1e15 {
		return strconv.AppendFloat(to, math.Round(value*1e3)/1e3, 'f', -1, 64)
	}
	return strconv.AppendFloat(to, value, 'g', -1, 64)
}

// String is the answer in words.
func (answer Answer) String() string {
	words := [...]string{
		AnswerDone:        "done",
		AnswerUnknown:     "unknown",
		AnswerForbidden:   "forbidden",
		AnswerFull:        "full",
		AnswerNotFinite:   "not finite",
		AnswerOutOfReach:  "out of reach",
		AnswerInsideATurn: "inside a turn",
		AnswerTaken:       "taken",
		AnswerWrongKind:   "wrong kind",
		AnswerTooMuch:     "too much",
		AnswerEnding:      "ending",
	}
	if int(answer) < len(words) {
		return words[answer]
	}
	return "unknown answer"
}
