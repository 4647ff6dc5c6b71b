"""Installs and builds what a contestant needs, when it is needed. Called by `tables`. The law: everything is built
under `target/compare`, once in a run, and what fails says why in one line."""
import functools
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sysconfig

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILT = ROOT / "target" / "compare"
PYTHON = BUILT / "python"


class Failed(Exception):
    """Why it could not be installed or built."""


def one_line(text):
    """Without this machine's paths, and short."""
    text = text.replace(str(ROOT), ".").replace(str(pathlib.Path.home()), "~")
    return re.sub(r"\s+", " ", re.sub(r"https?://\S+", "the registry", text)).strip()[:200]


def do(*words, folder=ROOT, **variables):
    """Runs a command to its end; what it says if it fails is the reason."""
    try:
        done = subprocess.run([str(it) for it in words], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, **variables})
    except OSError as error:
        raise Failed(str(error)) from None
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no word"]
        first = [line for line in lines if re.match(r"(error|E:|ERROR)", line)]
        raise Failed(f"{words[0]} failed: {(first or lines[-1:])[0]}")
    return done.stdout


@functools.cache
def cargo(package):
    """The program of a package of this workspace."""
    do("nice", "-n", "10", "cargo", "build", "--quiet", "--locked", "--release", "-p", package, folder=HERE,
       CARGO_TARGET_DIR=str(BUILT))
    return BUILT / "release" / package


@functools.cache
def copper():
    """Copper's graph, in a workspace of its own."""
    do("nice", "-n", "10", "cargo", "build", "--quiet", "--locked", "--release", folder=HERE / "peers" / "copper",
       CARGO_TARGET_DIR=str(BUILT))
    return BUILT / "release" / "peer-copper"


@functools.cache
def hal():
    """LinuxCNC's HAL with our two components, which go where it looks for them; the Python that it speaks with."""
    debian("linuxcnc-uspace", "halrun")
    compiler = debian("linuxcnc-uspace-dev", "halcompile")
    if os.geteuid():
        raise Failed("only root can install a component of HAL")
    folder = BUILT / "hal"
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted((HERE / "peers" / "hal").glob("*.comp")):
        shutil.copy(source, folder)
        do(compiler, "--install", source.name, folder=folder)
    return "/usr/bin/python3"


@functools.cache
def dcm_run():
    """The runtime itself, as it is released."""
    do("nice", "-n", "10", "cargo", "build", "--quiet", "--release", "-p", "dcm-run")
    return ROOT / "target" / "release" / "dcm-run"


@functools.cache
def debian(package, program):
    """A program of a package of Debian."""
    if not shutil.which(program):
        if os.geteuid():
            raise Failed(f"{program} is missing, and only root can install {package}")
        do("apt-get", "update", "-qq")
        do("apt-get", "install", "-y", "--no-install-recommends", package, DEBIAN_FRONTEND="noninteractive")
    return shutil.which(program)


@functools.cache
def python(*packages):
    """A Python that has these packages of PyPI."""
    if not (PYTHON / "bin" / "python").exists():
        do("python3", "-m", "venv", PYTHON)
    for package in packages:
        do(PYTHON / "bin" / "python", "-m", "pip", "install", "--quiet", package)
    return PYTHON / "bin" / "python"


@functools.cache
def c(name, *words):
    """A program in C."""
    BUILT.mkdir(parents=True, exist_ok=True)
    program = BUILT / f"c-{name}"
    do("cc", "-O3", "-w", "-o", program, HERE / "peers" / "c" / f"{name}.c", *words, "-lm")
    return program


@functools.cache
def wasm3():
    """wasm3 comes from the registry as sources, inside the crate that wraps it."""
    folder = BUILT / "wasm3"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "src" / "lib.rs").touch()
    (folder / "Cargo.toml").write_text('[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2024"\n'
                                       '[dependencies]\nwasm3-sys = "=0.3.0"\n[workspace]\n')
    listed = do("cargo", "metadata", "--quiet", "--format-version", "1", folder=folder)
    found = re.search(r'"manifest_path":"([^"]*wasm3-sys[^"]*)/Cargo.toml"', listed)
    if not found:
        raise Failed("the crate wasm3-sys has no sources")
    sources = pathlib.Path(found[1]) / "wasm3" / "source"
    # This version prints the result of each call: without that, so that the interpreter alone is measured.
    (folder / "silence.h").write_text("#include <stdio.h>\n#define fprintf(...) ((void) 0)\n")
    return c("wasm3", "-include", folder / "silence.h", f"-I{sources}", *sorted(sources.glob("m3_*.c")))


@functools.cache
def module(kind):
    """The guest as a file, for peers that are not in Rust."""
    path = BUILT / f"{kind}.wasm"
    do(cargo("peer-wasm"), kind, path)
    return path


@functools.cache
def extism():
    """A program with Extism's C library, which is in its package of PyPI."""
    python("extism")
    folder = next(PYTHON.glob("lib/python*/site-packages/extism_sys"))
    return c("extism", f"-L{folder}", "-l:libextism_sys.so", f"-Wl,-rpath,{folder}")


@functools.cache
def host():
    """A Python that finds the module `host`."""
    include = do(python(), "-c", "import sysconfig; print(sysconfig.get_paths()['include'])").strip()
    folder = next(PYTHON.glob("lib/python*/site-packages"))
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    do("cc", "-O3", "-w", "-shared", "-fPIC", f"-I{include}", "-o", folder / f"host{suffix}",
       HERE / "peers" / "c" / "host.c", "-lm")
    return python()


def machine():
    """What it is measured on."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", text) or re.search(r"Model\s*: (.*)", text)
    commit = do("git", "rev-parse", "--short", "HEAD").strip()
    changed = do("git", "status", "--porcelain", "--", "runtime", "guest-sdk", "Cargo.lock").strip()
    return dict(model=model[1] if model else platform.machine(), cores=os.cpu_count(), kernel=platform.release(),
                commit=commit + (" and changes" if changed else ""))
