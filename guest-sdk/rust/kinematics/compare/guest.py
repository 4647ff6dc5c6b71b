"""Measures inverse kinematics inside WebAssembly beside the same code natively, in one run.

guest.py WASM LIBRARY [CASES]: WASM and LIBRARY are the crate in `guest`, built for wasm32-unknown-unknown and for this
machine (`build.sh` beside it builds both). Needs the packages in `requirements.txt`; wasmtime compiles with Cranelift, with
fuel counted, as the runtime does.

A call from Python costs more than a solution. So each case is solved many times in one call, and a call that solves nothing
is taken off. The two take turns, so that other load hits both. The results must be equal bit by bit.
"""
import ctypes
import statistics
import sys
import time

import wasmtime

KINDS = ["cold", "point", "near", "follow", "beyond"]
TIMES, ROUNDS = 20, 5


def guest(path):
    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_opt_level = "speed"
    store = wasmtime.Store(wasmtime.Engine(config))
    store.set_fuel(2**60)
    module = wasmtime.Module.from_file(store.engine, path)
    instance = wasmtime.Instance(store, module, [])
    exports = {name: instance.exports(store)[name] for name in ["solve", "digest", "forward"]}
    call = lambda name: lambda *words: exports[name](store, *words)
    return store, call("solve"), call("digest"), call("forward")


def native(path):
    library = ctypes.CDLL(path)
    library.digest.restype = library.forward.restype = ctypes.c_uint64
    return library.solve, library.digest, library.forward


def clock(call, *words):
    before = time.perf_counter_ns()
    call(*words)
    return time.perf_counter_ns() - before


def each(call, *words):
    """What one time costs, in us: the fastest of some rounds."""
    full = min(clock(call, *words, TIMES) for _ in range(ROUNDS))
    none = min(clock(call, *words, 0) for _ in range(ROUNDS))
    return (full - none) / TIMES / 1e3


def main():
    store, *inside = guest(sys.argv[1])
    outside = native(sys.argv[2])
    cases = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    print(f"{cases} cases each; us, medians of the cases; fuel of one solution")
    print(f"{'':10}{'guest':>8}{'90 %':>8}{'native':>8}{'90 %':>8}{'factor':>8}{'fuel':>9}{'90 %':>9}{'steps':>7}{'reached':>9}")
    wrong = 0
    for kind, name in enumerate(KINDS):
        times, fuels, steps = ([], []), [], []
        for case in range(cases):
            times[0].append(each(inside[0], kind, case))
            times[1].append(each(outside[0], kind, case))
            before = store.get_fuel()
            inside[0](kind, case, 0)
            between = store.get_fuel()
            steps.append(inside[0](kind, case, 1))
            fuels.append((between - store.get_fuel()) - (before - between))
            wrong += inside[1](kind, case) % 2**64 != outside[1](kind, case)
        most = lambda all: statistics.quantiles(all, n=10)[-1]
        (a, b), fuel = map(statistics.median, times), statistics.median(fuels)
        numbers = f"{a:8.2f}{most(times[0]):8.2f}{b:8.2f}{most(times[1]):8.2f}{a / b:8.2f}{fuel:9.0f}{most(fuels):9.0f}"
        reached = 100 * sum(it < 1000 for it in steps) / cases
        print(f"{name:10}{numbers}{statistics.median(it % 1000 for it in steps):7.0f}{reached:8.1f}%", flush=True)
    a, b = each(inside[2], 1), each(outside[2], 1)
    print(f"{'forward':10}{a:8.3f}{'':8}{b:8.3f}{'':8}{a / b:8.2f}")
    print("equal bit by bit" if not wrong else f"{wrong} results differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
