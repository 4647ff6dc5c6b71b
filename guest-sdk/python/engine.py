"""The engine of Python: CPython as componentize-py makes it, and what stands between it and a script.

`build.py` makes a component of this once; it is the same for all scripts of a world. When a guest starts, the engine reads
the script, a text beside it, and runs its modules. The law: an error in a script ends the guest, with its traceback.
"""

import builtins
import errno
import importlib.abc
import importlib.machinery
import json
import linecache
import sys
import time
import traceback
from types import CodeType, ModuleType
from typing import NoReturn

# A script has no files: it has what is imported here. `build.py` reads this list.
import abc, array, ast, base64, bisect, calendar, cmath, codecs, collections, collections.abc, colorsys, contextlib  # noqa
import copy, csv, dataclasses, datetime, decimal, enum, fractions, functools, gc, graphlib, hashlib, heapq, html  # noqa
import inspect, io, itertools, keyword, locale, logging, math, numbers, operator, pprint, queue, random, re  # noqa
import reprlib, string, struct, statistics, textwrap, types, typing, unicodedata, warnings, weakref, zlib  # noqa

import choreography
import wit_world.imports.types
from contract import Answer, Level, clock, log, script

# For each answer of the host, componentize-py calls what stands here when the engine is made. A lookup takes a tenth of
# the fuel of an enum's own constructor.
wit_world.imports.types.Answer = {it.value: it for it in Answer}.__getitem__

#: The hooks that the script has.
hooks: dict[str, object] = {}
HOOKS = ("start", "pre_process", "post_process", "is_alive", "stop", "run")

#: Memory that is free after `start`: it does not grow inside a turn.
RESERVE = 1 << 20

#: The frames of a traceback that are told: the last ones.
FRAMES = 20


class Script(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a script."""

    def __init__(self, modules: dict[str, list[str]]) -> None:
        self.modules = modules

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name in self.modules:
            file, source = self.modules[name]
            linecache.cache[file] = (len(source), None, source.splitlines(True), file)
            package = file.endswith("__init__.py")
            return importlib.machinery.ModuleSpec(name, self, origin=file, is_package=package)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        file, source = self.modules[module.__name__]
        exec(compile(source, file, "exec"), module.__dict__)


#: Functions of `os` with paths. In an engine without files a call of WASI traps, and the guest ends without a word.
PATHS = ("access", "chdir", "getcwd", "link", "listdir", "lstat", "mkdir", "open", "readlink", "remove", "rename",
         "replace", "rmdir", "scandir", "stat", "symlink", "truncate", "unlink", "utime")  # fmt: skip


def no_files(path: object = None, *_: object, **__: object) -> NoReturn:
    """Stands in place of whatever opens a file. Tracebacks look for files, too, and go on without."""
    raise FileNotFoundError(errno.ENOENT, "a choreography has no files", path)


def close_files() -> None:
    builtins.open = io.open = io.open_code = no_files
    importlib.machinery.SourceFileLoader.get_data = lambda _, path: no_files(path)
    for module in (sys.modules["os"], sys.modules.get("posix")):
        for name in PATHS:
            if hasattr(module, name):
                setattr(module, name, no_files)


class Lines(io.TextIOBase):
    """What is printed goes to the log, line by line."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.rest = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            log.write(self.level, line)
        return len(text)

    def flush(self) -> None:
        if self.rest:
            self.write("\n")


def text() -> str:
    words = range((script.length() + 7) // 8)
    whole = b"".join(script.word(place).to_bytes(8, "little") for place in words)
    return whole[: script.length()].decode()


def now() -> float:
    return clock.now() / 1e9


def boot() -> None:
    """Runs the script's main module, and finds its hooks."""
    sys.stdout, sys.stderr = Lines(Level.INFO), Lines(Level.WARNING)
    close_files()
    # The robot's time: there is no other.
    time.time = time.monotonic = time.perf_counter = now
    time.time_ns = time.monotonic_ns = time.perf_counter_ns = clock.now
    time.sleep = lambda seconds: choreography.sleep(choreography.s(seconds)) and None
    random.seed(clock.now())
    told = json.loads(text())
    sys.meta_path.insert(0, Script(told["modules"]))
    main = importlib.import_module(told["main"])
    hooks.update((name, getattr(main, name)) for name in HOOKS if callable(getattr(main, name, None)))


def settle() -> None:
    """After `start`: what is there by now stays, and some memory is free."""
    spare = bytearray(RESERVE)
    del spare
    gc.collect()
    gc.freeze()


def failed() -> None:
    """Ends the guest with the traceback of the script's own frames."""
    error = sys.exc_info()[1]
    *rest, last = told(error)
    # The last words first, for people who see only one line.
    script.fail(last.strip() + "\n" + "".join(rest).rstrip())


def told(error: BaseException) -> list[str]:
    """The traceback, and before it those of what led to it. Not by the module `traceback`: it looks for sources in files,
    and compiles lines to place marks below them, where the compiler looks for a file."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    lines = [*told(before), "\nwhich led to:\n\n"] if before else []
    stack = [line for frame, at in traceback.walk_tb(error.__traceback__) for line in place(frame.f_code, at)]
    return [*lines, "Traceback (most recent call last):\n", *stack[-FRAMES:], *traceback.format_exception_only(error)]


def place(code: CodeType, at: int) -> list[str]:
    """A frame of the script, or of what it has called."""
    file = code.co_filename
    if file == __file__ or "importlib" in file:
        return []
    lines = linecache.cache.get(file, (0, None, []))[2]
    source = f"    {lines[at - 1].strip()}\n" if at <= len(lines) else ""
    return [f'  File "{file}", line {at}, in {code.co_name}\n{source}']


def call(name: str) -> object:
    hook = hooks.get(name)
    if hook is None:
        return None
    try:
        if name in ("start", "run"):
            return hook()
        choreography.begin_turn()
        return hook()
    except BaseException:
        failed()


def begin(name: str) -> None:
    try:
        boot()
    except BaseException:
        failed()
    call(name)


class WitWorld:
    """What the component exports."""

    def run(self) -> None:
        begin("run")
        sys.stdout.flush()

    def start(self) -> None:
        begin("start")
        settle()

    def pre_process(self) -> None:
        call("pre_process")

    def post_process(self) -> None:
        call("post_process")

    def is_alive(self) -> bool:
        return "is_alive" not in hooks or bool(call("is_alive"))

    def stop(self) -> None:
        call("stop")
