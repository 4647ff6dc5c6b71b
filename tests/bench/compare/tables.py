"""Which comparisons there are, and their rows. Called by `run`. The law: a row names the work, and how ours and the
peer are called; nothing is built before it is needed."""
import dataclasses
import typing

import wake
from prepare import HERE, c, cargo, extism, host, module, python, wasm3

SOURCES = HERE / "peers"


@dataclasses.dataclass
class Row:
    work: str
    name: str
    ours: typing.Callable = None
    peer: typing.Callable = None
    units: int = 1          # the time is divided by it
    most: int = 1 << 24     # calls of ours in a round
    paired: typing.Callable = None  # measures both itself, instead of `ours` and `peer`


@dataclasses.dataclass
class Table:
    title: str
    unit: str
    text: str
    rows: list


def ours(*words):
    return lambda: [cargo("ours"), *map(str, words)]


def wasm(*words):
    return lambda: [cargo("peer-wasm"), *map(str, words)]


def hook_rows():
    peers = {
        "native Rust": wasm("native"),
        "wasmtime 48, core module": wasm("wasmtime"),
        "wasmtime 48, component": wasm("component"),
        "wasmi 2": wasm("wasmi"),
        "wasm3": lambda: [wasm3(), module("module")],
        "LuaJIT by mlua, create_function": lambda: [cargo("peer-lua"), "function"],
        "LuaJIT by mlua, FFI": lambda: [cargo("peer-lua"), "ffi"],
        "CPython, functions in C": lambda: [host(), SOURCES / "python" / "hook.py"],
        "Extism": lambda: [extism(), "hook", module("extism-module")],
    }
    return [Row(form, name, ours("hook", form), peer)
            for form in ("in-place", "calls") for name, peer in peers.items()]


def sample_rows():
    rows = []
    for joints in (26, 256, 1024):
        peers = {
            **{f"a joint trajectory controller, {degree}":
               lambda degree=degree, joints=joints: [cargo("peer-sample"), degree, joints]
               for degree in ("linear", "cubic", "quintic")},
            "a straight loop in C": lambda joints=joints: [c("sample"), joints],
            "numpy": lambda joints=joints: [python("numpy"), SOURCES / "python" / "sample.py", "numpy", joints],
            "Ruckig, update() from Python":
                lambda joints=joints: [python("ruckig"), SOURCES / "python" / "sample.py", "ruckig", joints],
        }
        for work, name in (("sampling alone", "sample"), ("whole turn", "sample-turn")):
            rows += [Row(f"{joints} joints, {work}", peer, ours(name, joints), command, joints, 50_000)
                     for peer, command in peers.items()]
    return rows


def wake_rows():
    return [Row(("under load, " if loaded else "idle, ") + name, "cyclictest", paired=wake.pairs(name, loaded))
            for loaded in (False, True) for name in wake.QUANTILES]


def reader_rows():
    peers = {"unix socket": "socket", "iceoryx2": "iceoryx2"}
    return [Row("newest frame of 52 values", name, ours("page"), lambda way=way: [cargo("peer-ipc"), way])
            for name, way in peers.items()]


def turn_rows():
    peers = {"native Rust functions": lambda guests: wasm("natives", guests)}
    return [Row(f"{guests} guests, {form}", name, ours("turns", form, guests), peer(guests))
            for guests in (1, 8, 63) for form in ("in-place", "calls") for name, peer in peers.items()]


TABLES = {
    "hook": Table(
        "a hook that reads 26 sensors and sends 26 commands", "ns a call",
        "Ours is a call as the scheduler makes it, with fuel, deadline and checks; what the commands then cost the "
        "stage is not in it. Peers do not meter: each in its plain way, on plain functions of the host. In-place and "
        "calls are our two forms of a guest: in-place, the default, compiles reads and commands into it.",
        hook_rows()),
    "sample": Table(
        "sampling of many joints at 1 kHz", "ns a joint",
        "Each joint has a line with a point in every 100 ms. 'Sampling alone' is what moving adds to a turn in which "
        "all joints hold; 'whole turn' is everything the loop does: merging, limits, counts, board. Peers only sample. "
        "The joint trajectory controller is our rendering of its sampling in plain Rust. "
        "Ruckig computes the next step of a jerk-limited motion. ros2_control is in no registry here: measured "
        "elsewhere, at another time, its sampling took 3.5 to 4.2 ns a joint, which is not of this run.",
        sample_rows()),
    "wake": Table(
        "how late a loop of 1 ms wakes", "ns",
        "`dcm-run bench` beside cyclictest: SCHED_FIFO 80, the same processor, 5 s each. Under load: `stress-ng --cpu "
        "1` on the other processor. cyclictest counts whole microseconds: half of one is added to it.", wake_rows()),
    "reader": Table(
        "a reader in another process", "ns a read",
        "A process on the other processor writes 52 values 1,000 times a second; the reader takes the newest and adds "
        "them up, as often as it can. Most reads find the values of the last read: then the socket and iceoryx2 say "
        "that nothing came, and the reader adds up what it kept.", reader_rows()),
    "turns": Table(
        "a whole turn with guests that read 26 sensors and send 26 commands each", "ns a turn",
        "Ours is the loop's whole turn: guests with fuel and deadlines, each with a lane of its own, merging of "
        "all lanes by priority, limits, board and page. Native functions only read and lay their commands on a tray.",
        turn_rows()),
}

NOT_YET = [
    "A whole turn beside Copper and LinuxCNC's HAL.",
    "Recording beside the crate mcap; upload to first motion beside Extism and Python; the server beside axum.",
]
