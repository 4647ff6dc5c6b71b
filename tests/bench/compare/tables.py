"""Which comparisons there are, and their rows. Called by `run`. The law: a row names the work, and how ours and the
peer are called; nothing is built before it is needed."""
import dataclasses
import typing

import wake
from prepare import HERE, c, cargo, copper, dcm_run, extism, hal, host, module, python, wasm3

SOURCES = HERE / "peers"


@dataclasses.dataclass
class Row:
    work: str
    name: str
    ours: typing.Callable = None
    peer: typing.Callable = None
    units: int = 1          # the time is divided by it
    most: int = 1 << 24     # calls of ours in a round
    paced: bool = False     # turns of 1 kHz: a round has as many as it has milliseconds
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
    written_out = {
        "wasmtime 48, core module": wasm("wasmtime-written-out"),
        "wasmi 2": wasm("wasmi-written-out"),
        "wasm3": lambda: [wasm3(), module("module-written-out")],
    }
    loops = [Row(form, name, ours("hook", form), peer)
             for form in ("in-place", "calls") for name, peer in peers.items()]
    return loops + [Row("in-place, written out", name, ours("hook", "in-place", "written-out"), peer)
                    for name, peer in written_out.items()]


def sample_rows():
    rows = []
    for joints in (26, 256, 1024, 4096):
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
    peers = {
        "native Rust": lambda it: wasm("natives", it),
        "Copper, tasks": lambda it: lambda: [copper(), it],
        "LinuxCNC's HAL, components": lambda it: lambda: [hal(), SOURCES / "hal" / "turns.py", it],
    }
    forms = {"guests in place": "in-place", "guests by calls": "calls", "native hooks of our loop": "native-hooks"}
    return [Row(f"{count} function{'s' if count > 1 else ''}: {form}", name, ours("turns", way, count), peer(count),
                paced=True)
            for count in (1, 8, 64) for form, way in forms.items() for name, peer in peers.items()]


def upload_rows():
    peers = {
        "Extism, a plug-in and its first call": lambda: [extism(), "load", module("extism-module")],
        "Python, a script until its first commands": lambda: [python(), SOURCES / "python" / "upload.py"],
    }
    return [Row(f"{form}, compiled anew", name, ours("upload", form), peer, most=64)
            for form in ("in-place", "calls") for name, peer in peers.items()]


def record_rows():
    return [Row("NAO with 3 guests", f"the crate mcap, {name}", ours("record"),
                lambda way=way: [cargo("peer-record"), way], most=20_000)
            for name, way in (("compressed", "zstd"), ("plain", "plain"))]


def server_rows():
    return [Row(f"{connections} connection{'s' if connections > 1 else ''}", "axum, Hello, World!",
                lambda it=connections: [cargo("peer-server"), "ours", it, dcm_run()],
                lambda it=connections: [cargo("peer-server"), "axum", it], most=128)
            for connections in (1, 8)]


TABLES = {
    "hook": Table(
        "a hook that reads 26 sensors and sends 26 commands", "ns a call",
        "Ours is a call as the scheduler makes it, with fuel, deadline and checks; what the commands then cost the "
        "stage is not in it. Peers do not meter: each in its plain way, on plain functions of the host. In-place and "
        "calls are our two forms of a guest: in-place, the default, compiles reads and commands into it. The guest has "
        "a loop, or every call is written out.",
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
        "a whole turn at 1 kHz with functions that read 26 sensors and send 26 commands each", "ns a turn",
        "Ours is the loop's whole turn: guests with fuel and deadlines, each with a lane of its own, merging of "
        "all lanes by priority, limits, board and page; native hooks of our loop are the same without guests. The "
        "peers' functions are part of the program that calls them, with its rights, and none of the peers merges or "
        "limits what they send: native functions lay it on a tray, Copper's tasks send a message to a sink, HAL's "
        "components write to signals. All begin a turn each ms and sleep between; the time is the turn's own.",
        turn_rows()),
    "upload": Table(
        "from the bytes of a choreography to its first motion", "ns",
        "Ours begins with a component and ends with its commands at the board: checked against the contract, compiled, "
        "linked, started, called in a turn. Extism loads the same module as a plug-in and calls it once, without its "
        "cache. The script reads as many values and writes as many commands to a pipe; its interpreter is started, "
        "which is what a behaviour in Python costs at least.",
        upload_rows()),
    "record": Table(
        "recording", "ns a turn",
        "Ours is what recording adds to the median turn of the loop's thread; its recorder compresses and writes in a "
        "thread of its own. The crate mcap writes a message of as many bytes to a file, all in one thread.",
        record_rows()),
    "server": Table(
        "a small answer of the server", "ns a request",
        "The same client asks both, over connections that stay open, one request after the other on each. Ours answers "
        "`/api/v2/hello` of a simulated NAO while its loop runs, with its checks of host, token and rate (it allows "
        "each address 500 a second in the long run: between rounds the client waits); axum answers with a text.",
        server_rows()),
}