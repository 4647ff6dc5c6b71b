"""Makes a component of a choreography in Python: `python build.py PROJECT motion|score OUT.wasm COMPONENTIZE_PY WIT`.

`dcm-run build` calls it, by `language.toml`. The component is the engine, CPython with the SDK, and the script, a custom
section behind it. The engine is the same for all scripts of a world: it is made once on a machine, which takes ten seconds,
and a robot compiles it once. The law: the same sources give the same script, and the engine is never made twice.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

SDK = Path(__file__).resolve().parent
#: What the engine is made of, beside componentize-py and the contract.
SOURCES = ("engine.py", "choreography.py", "curve.py", "contract.py")
HOOKS = {"motion": ("start", "pre_process", "post_process", "is_alive", "stop"), "score": ("run",)}
USAGE = "usage: python build.py PROJECT motion|score OUT.wasm COMPONENTIZE_PY WIT"


def fail(why: str) -> NoReturn:
    sys.exit(f"error: {why}")


def cache() -> Path:
    """The folder for engines."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "dcm-run" / "engines"


def engine(world: str, tool: str, wit: Path) -> bytes:
    """The engine's component, which is made if this machine has none of these sources."""
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    if version.returncode != 0:
        fail(f"`{tool} --version` failed; fix: pip install componentize-py")
    texts = [version.stdout.encode()]
    texts += [(SDK / it).read_bytes() for it in SOURCES]
    texts += [it.read_bytes() for it in sorted(wit.glob("*.wit"))]
    key = hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]
    path = cache() / f"python-{world}-{key}.wasm"
    if not path.exists():
        print(f"making the engine {path}: once for all scripts, about 10 s", file=sys.stderr, flush=True)
        make(world, tool, wit, path)
    return path.read_bytes()


def make(world: str, tool: str, wit: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        for it in SOURCES:
            (Path(folder) / it).write_bytes((SDK / it).read_bytes())
        words = [tool, "--quiet", "--wit-path", str(wit.resolve()), "--world", f"{world}-engine"]
        words += ["componentize", "engine", "--stub-wasi", "--python-path", ".", "--output", "engine.wasm"]
        environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        made = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment, check=False)
        if made.returncode != 0:
            fail(f"{tool} could not make the engine:\n{made.stderr or made.stdout}")
        # In one step: another build may look for it at the same time.
        (Path(folder) / "engine.wasm").replace(path)


def modules(project: Path) -> dict[str, tuple[str, str]]:
    """The project's modules by their names: file and text."""
    sources = project / "src"
    found = {}
    for path in sorted(sources.rglob("*.py")):
        words = list(path.relative_to(sources).with_suffix("").parts)
        if words[-1] == "__init__":
            words.pop()
        file = path.relative_to(project).as_posix()
        found[".".join(words)] = (file, text_of(file, path.read_bytes()))
    if "main" not in found:
        fail(f"{sources} has no main.py; fix: write one, with the hooks of the choreography")
    return found


def text_of(file: str, source: bytes) -> str:
    try:
        return source.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        fail(f"{file}:{line}: it is not UTF-8: byte {source[error.start]:#x}; fix: save it as UTF-8")


def check(found: dict[str, tuple[str, str]], world: str) -> None:
    """Syntax, hooks and imports: what would fail on the robot."""
    trees = {}
    for name, (file, text) in found.items():
        try:
            trees[name] = ast.parse(text, file)
        except SyntaxError as error:
            fail(f"{file}:{error.lineno}:{error.offset}: {error.msg}\n    {(error.text or '').strip()}")
    check_hooks(trees["main"], world)
    known = engine_modules() | {name.split(".")[0] for name in found}
    for name, tree in trees.items():
        for line, module in imports(tree):
            if module.split(".")[0] not in known:
                fail(
                    f"{found[name][0]}:{line}: `{module}` is not in the engine; fix: copy it into src if it is pure "
                    f"Python, or use one of {', '.join(sorted(known))}"
                )


def check_hooks(main: ast.Module, world: str) -> None:
    defined = names(main)
    every = {plain(it): it for of in HOOKS.values() for it in of}
    for name in sorted(defined):
        near = every.get(plain(name))
        if near and near != name:
            fail(f"src/main.py has `{name}`; fix: the hook is called `{near}`")
        if near and near not in HOOKS[world]:
            fail(
                f"src/main.py has `{name}`, but a {world} has {', '.join(HOOKS[world])}; fix: rename it, or change "
                "`world` in choreography.toml"
            )
    if not hooks(main, world):
        fail(f"src/main.py has none of {', '.join(HOOKS[world])}: nobody would call it")
    for node in main.body:
        check_call(node, HOOKS[world])


def check_call(node: ast.stmt, hooks: tuple[str, ...]) -> None:
    """A hook is called without arguments, and its result is not waited for."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
        named = [it.id for it in node.targets if isinstance(it, ast.Name) and it.id in hooks]
        if named:
            fail(f"src/main.py:{node.lineno}: `{named[0]}` is no function; fix: def {named[0]}()")
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) or node.name not in hooks:
        return
    place, fix = f"src/main.py:{node.lineno}: `{node.name}`", f"fix: def {node.name}()"
    if isinstance(node, ast.ClassDef):
        fail(f"{place} is no function; {fix}")
    if isinstance(node, ast.AsyncFunctionDef):
        fail(f"{place} is `async`, and nobody would wait for it; {fix}")
    if has_yield(node):
        fail(f"{place} has `yield`, and nobody would go on with it; fix: call what it is made of")
    given = node.args
    needed = [*given.posonlyargs, *given.args][: len(given.posonlyargs) + len(given.args) - len(given.defaults)]
    needed += [it for it, usual in zip(given.kwonlyargs, given.kw_defaults) if usual is None]
    # What a decorator makes of it is not known here.
    if needed and not node.decorator_list:
        fail(f"{place} is called without arguments, and needs `{needed[0].arg}`; {fix}")


def has_yield(node: ast.AST) -> bool:
    """Whether it is a generator; functions inside it may be."""
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    return any(
        isinstance(it, (ast.Yield, ast.YieldFrom)) or not isinstance(it, inside) and has_yield(it)
        for it in ast.iter_child_nodes(node)
    )


def names(main: ast.Module) -> set[str]:
    """The names that a module has: functions, classes, variables, what it imports; `*` if they cannot be known."""
    found, nodes = set(), list(main.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {it.asname or it.name for it in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        nodes += ast.iter_child_nodes(node)
    # What functions write from inside.
    for node in ast.walk(main):
        if isinstance(node, ast.Global):
            found |= set(node.names)
        elif isinstance(node, ast.Name) and node.id in ("exec", "globals", "setattr", "vars"):
            found.add("*")
    return found


def hooks(main: ast.Module, world: str) -> list[str]:
    """The hooks that a main module has, or may have."""
    defined = names(main)
    return [it for it in HOOKS[world] if it in defined or "*" in defined]


def manifest(main: str, world: str) -> str:
    """The manifest: the hooks to call. The engine exports all of its world, and begins in the first."""
    called = [HOOKS[world][0], *(it for it in hooks(ast.parse(main), world) if it != HOOKS[world][0])]
    return f"hooks = {json.dumps([it.replace('_', '-') for it in called])}\n"


def plain(name: str) -> str:
    return name.replace("_", "").lower()


def imports(tree: ast.Module) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, it.name) for it in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.append((node.lineno, node.module))
    return found


def engine_modules() -> set[str]:
    """What the engine imports, and so has."""
    tree = ast.parse((SDK / "engine.py").read_text(encoding="utf-8"))
    return {module.split(".")[0] for _, module in imports(tree)} | {"__future__", "curve"}


def section(name: str, text: bytes) -> bytes:
    """A custom section of WebAssembly."""
    body = leb(len(name)) + name.encode() + text
    return b"\0" + leb(len(body)) + body


def leb(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + leb(rest) if rest else bytes([low])


def main() -> None:
    if len(sys.argv) != 6 or sys.argv[2] not in HOOKS:
        fail(USAGE)
    project, world, out, tool, wit = sys.argv[1:]
    found = modules(Path(project))
    check(found, world)
    script = json.dumps({"main": "main", "modules": found}, ensure_ascii=False)
    behind = section("dcm:manifest", manifest(found["main"][1], world).encode())
    behind += section("dcm:script", script.encode())
    Path(out).write_bytes(engine(world, tool, Path(wit)) + behind)


if __name__ == "__main__":
    main()
