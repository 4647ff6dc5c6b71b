"""What `run` and `table` share: languages, projects of them, and calls of `dcm-run`. Needs Python 3.11.

The law: a project is made as a person makes one, by `dcm-run new` or of an example with the SDK's files beside it, in a
folder that is deleted afterwards; nothing is written into the repository.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SDKS = ROOT / "guest-sdk"
ROBOT = ROOT / "tests" / "languages" / "nao.toml"


class Failure(Exception):
    """What did not go well, for people."""


def told(command, **options):
    """The output of a command that must succeed."""
    done = subprocess.run([str(it) for it in command], capture_output=True, text=True, errors="replace", **options)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip()
        raise Failure(f"{' '.join(str(it) for it in command[1:3])} ends with {done.returncode}:\n{said}")
    return done.stdout


def described(language):
    """The `language.toml` of a language."""
    file = SDKS / language / "language.toml"
    if not file.is_file():
        raise Failure(f"there is no language `{language}`; there are {', '.join(languages())}")
    return tomllib.loads(file.read_text())


def languages():
    """All languages that have an SDK: the names of their folders."""
    return sorted(it.parent.name for it in SDKS.glob("*/language.toml"))


def examples(language):
    """The folders of a language's examples."""
    return sorted(it.parent for it in (SDKS / language / "examples").glob("*/choreography.toml"))


def project_of(example, folder):
    """A project in `folder` of an example, with the files of its language's SDK."""
    language = example.parent.parent.name
    description = described(language)
    shutil.copytree(example, folder)
    for of in [language, *description.get("shares", [])]:
        for file in (it for pattern in description.get("files", []) for it in (SDKS / of).glob(pattern)):
            into = folder / "sdk" / file.relative_to(SDKS / of)
            if file.is_file() and not into.exists():
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, into)
    return folder


def checked(dcm_run, wasm):
    """What `check` found out of a choreography that passes; by hooks, what they took."""
    verdict = json.loads(told([dcm_run, "check", wasm, "--robot", ROBOT, "--json"]).splitlines()[0])
    return {it["hook"]: it for it in verdict["facts"]["hooks"]}


def add_dcm_run(options, profile):
    """The option that says which `dcm-run`."""
    built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / profile / "dcm-run"
    usual = os.environ.get("DCM_RUN", built)
    options.add_argument("--dcm-run", default=usual, type=lambda it: pathlib.Path(it).resolve(), metavar="FILE")
