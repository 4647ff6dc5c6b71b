;; Fills the engine's table with functions of QuickJS, under the names that its package gave them.
;; `link.bin` is this text as binary; a test compares the two.
(module
  (import "engine" "functions" (table 27 funcref))
  (import "quickjs" "w" (func $malloc (param i32) (result i32)))
  (import "quickjs" "N" (func $free (param i32)))
  (import "quickjs" "$" (func $QTS_NewString (param i32 i32) (result i32)))
  (import "quickjs" "aa" (func $QTS_GetString (param i32 i32) (result i32)))
  (import "quickjs" "T" (func $QTS_FreeCString (param i32 i32)))
  (import "quickjs" "_" (func $QTS_GetFloat64 (param i32 i32) (result f64)))
  (import "quickjs" "Z" (func $QTS_NewFloat64 (param i32 f64) (result i32)))
  (import "quickjs" "Fa" (func $QTS_ArgvGetJSValueConstPointer (param i32 i32) (result i32)))
  (import "quickjs" "ba" (func $QTS_GetArrayBuffer (param i32 i32) (result i32)))
  (import "quickjs" "ca" (func $QTS_GetArrayBufferLength (param i32 i32) (result i32)))
  (import "quickjs" "Q" (func $QTS_FreeValuePointer (param i32 i32)))
  (import "quickjs" "ka" (func $QTS_SetProp (param i32 i32 i32 i32)))
  (import "quickjs" "ja" (func $QTS_GetPropNumber (param i32 i32 i32) (result i32)))
  (import "quickjs" "oa" (func $QTS_ResolveException (param i32 i32) (result i32)))
  (import "quickjs" "pa" (func $QTS_Dump (param i32 i32) (result i32)))
  (import "quickjs" "v" (func $__wasm_call_ctors))
  (import "quickjs" "L" (func $QTS_NewRuntime (result i32)))
  (import "quickjs" "E" (func $QTS_RuntimeSetMaxStackSize (param i32 i32)))
  (import "quickjs" "O" (func $QTS_NewContext (param i32 i32) (result i32)))
  (import "quickjs" "X" (func $QTS_NewArray (param i32) (result i32)))
  (import "quickjs" "F" (func $QTS_GetUndefined (result i32)))
  (import "quickjs" "Ea" (func $QTS_NewFunction (param i32 i32 i32 i32 i32) (result i32)))
  (import "quickjs" "va" (func $QTS_GetGlobalObject (param i32) (result i32)))
  (import "quickjs" "qa" (func $QTS_Eval (param i32 i32 i32 i32 i32 i32) (result i32)))
  (import "quickjs" "na" (func $QTS_Call (param i32 i32 i32 i32 i32) (result i32)))
  (import "quickjs" "ga" (func $QTS_IsJobPending (param i32) (result i32)))
  (import "quickjs" "ha" (func $QTS_ExecutePendingJob (param i32 i32 i32) (result i32)))
  (elem (i32.const 0) func
    $malloc
    $free
    $QTS_NewString
    $QTS_GetString
    $QTS_FreeCString
    $QTS_GetFloat64
    $QTS_NewFloat64
    $QTS_ArgvGetJSValueConstPointer
    $QTS_GetArrayBuffer
    $QTS_GetArrayBufferLength
    $QTS_FreeValuePointer
    $QTS_SetProp
    $QTS_GetPropNumber
    $QTS_ResolveException
    $QTS_Dump
    $__wasm_call_ctors
    $QTS_NewRuntime
    $QTS_RuntimeSetMaxStackSize
    $QTS_NewContext
    $QTS_NewArray
    $QTS_GetUndefined
    $QTS_NewFunction
    $QTS_GetGlobalObject
    $QTS_Eval
    $QTS_Call
    $QTS_IsJobPending
    $QTS_ExecutePendingJob
  ))
