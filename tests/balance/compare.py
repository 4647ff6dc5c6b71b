"""Compares what `check` says of balance, and of falls with physics, with a rigid-body simulation of the same
description: MuJoCo's.

compare.py DCM_RUN NAO_TOML COUNT SEED: makes random shows (crouches, bows, leans, lifted feet; slow and fast), has each
judged by `dcm-run check`, simulates each on its own, and prints a table. The simulation knows nothing of the check:
it reads the links from the description, draws straight lines between the keys, and looks whether the torso is still up.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import tomllib

import mujoco
import numpy as np

program, description, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
robot = tomllib.load(open(description, "rb"))
PERIOD = 0.01
LEAD = 1.0


def rad(value):
    if isinstance(value, str):
        return math.radians(float(value.removesuffix("deg"))) if value.endswith("deg") else float(value)
    return float(value)


JOINTS = {it["joint"]: it for it in robot["links"].values() if "joint" in it}
REST = {name: rad(robot["joints"][name].get("rest", 0)) for name in JOINTS if name in robot["joints"]}
VELOCITY = {name: rad(robot["joints"][name].get("velocity", 6)) for name in REST}


def model():
    """The description as MuJoCo reads it."""
    links = robot["links"]
    children = {}
    for name, link in links.items():
        children.setdefault(link.get("parent"), []).append(name)

    def body(name, depth):
        link = links[name]
        origin = link.get("origin", {})
        at = " ".join(map(str, origin.get("at", [0, 0, 0])))
        turn = " ".join(map(str, origin.get("turn", [0, 0, 0])))
        out = [f'<body name="{name}" pos="{at if depth else "0 0 0.5"}" euler="{turn}">']
        if depth == 0:
            out.append("<freejoint/>")
        if "joint" in link:
            axis = " ".join(map(str, link.get("axis", [0, 0, 1])))
            out.append(f'<joint name="{link["joint"]}/{name}" type="hinge" axis="{axis}" armature="0.005" damping="0.2"/>')
        mass = max(link.get("mass", 0), 1e-3)
        centre = " ".join(map(str, link.get("centre", [0, 0, 0])))
        inertia = 0.4 * mass * 0.04 ** 2
        out.append(f'<inertial pos="{centre}" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>')
        sole = link.get("sole", [])
        if sole:
            # A thin plate whose underside is the sole.
            points = [list(it) for it in sole] + [[it[0], it[1], it[2] + 0.01] for it in sole]
            flat = " ".join(str(it) for point in points for it in point)
            meshes.append(f'<mesh name="sole-{name}" vertex="{flat}"/>')
            out.append(f'<geom name="sole/{name}" type="mesh" mesh="sole-{name}" mass="0" friction="1 0.02 0.001"/>')
        else:
            for it in link.get("capsules", []):
                ends = " ".join(map(str, it["from"] + it["to"]))
                out.append(f'<geom type="capsule" fromto="{ends}" size="{it["radius"]}" mass="0"/>')
        for child in children.get(name, []):
            out.extend(body(child, depth + 1))
        out.append("</body>")
        return out

    meshes = []
    tree = "\n".join(body(children[None][0], 0))
    hinges = [(link["joint"], name) for name, link in links.items() if "joint" in link]
    motors = "\n".join(
        f'<position joint="{joint}/{name}" kp="80" kv="5" forcerange="-40 40"/>' for joint, name in hinges)
    text = f"""<mujoco><compiler angle="radian" eulerseq="XYZ" autolimits="true"/>
      <option timestep="0.002" integrator="implicitfast"/>
      <asset>{"".join(meshes)}</asset>
      <default><geom contype="1" conaffinity="2" condim="4"/></default>
      <worldbody><geom type="plane" size="10 10 1" contype="2" conaffinity="1" friction="1 0.02 0.001"/>{tree}</worldbody>
      <actuator>{motors}</actuator></mujoco>"""
    return mujoco.MjModel.from_xml_string(text), [joint for joint, _ in hinges]


MODEL, HINGES = model()


def targets(keys, at):
    """Straight lines between keys, from rest."""
    values = dict(REST)
    for joint, own in keys.items():
        before = (-LEAD, REST[joint])
        for key in own:
            if key[0] > at:
                break
            before = key
        after = next((it for it in own if it[0] > at), None)
        if after is None or at < before[0]:
            values[joint] = before[1]
        else:
            values[joint] = before[1] + (after[1] - before[1]) * (at - before[0]) / (after[0] - before[0])
    return values


def simulate(keys, lasting):
    """Whether it falls, and when."""
    data = mujoco.MjData(MODEL)
    for place, joint in enumerate(HINGES):
        data.qpos[7 + place] = REST.get(joint, 0)
    mujoco.mj_forward(MODEL, data)
    soles = [it for it in range(MODEL.ngeom) if (mujoco.mj_id2name(MODEL, mujoco.mjtObj.mjOBJ_GEOM, it) or "").startswith("sole/")]
    lowest = min(
        (data.geom_xpos[it] + data.geom_xmat[it].reshape(3, 3) @ v)[2]
        for it in soles
        for v in MODEL.mesh_vert[MODEL.mesh_vertadr[MODEL.geom_dataid[it]]:][:MODEL.mesh_vertnum[MODEL.geom_dataid[it]]])
    data.qpos[2] -= lowest - 0.0005
    steps = int(PERIOD / MODEL.opt.timestep)
    # It settles for a second, and stands for another when all is over.
    at = -LEAD - 1.0
    torso = 1
    while at < lasting + 1.5:
        values = targets(keys, at)
        data.ctrl[:] = [values.get(joint, 0) for joint in HINGES]
        for _ in range(steps):
            mujoco.mj_step(MODEL, data)
        at += PERIOD
        up = data.xmat[torso].reshape(3, 3)[2, 2]
        # A bow tilts the torso as well: it has fallen when anything but a sole lies on the ground.
        for contact in data.contact[:data.ncon]:
            geoms = [contact.geom1, contact.geom2]
            other = [it for it in geoms if MODEL.geom_type[it] != mujoco.mjtGeom.mjGEOM_PLANE]
            if other and other[0] not in soles:
                return at
        if up < -0.5:
            return at
    return None


READY = {"HeadYaw": 0, "HeadPitch": 0, "LShoulderPitch": 1.4, "RShoulderPitch": 1.4, "LShoulderRoll": 0.2,
         "RShoulderRoll": -0.2, "LHipYawPitch": 0, "LHipRoll": 0, "RHipRoll": 0, "LHipPitch": -0.44, "RHipPitch": -0.44,
         "LKneePitch": 0.7, "RKneePitch": 0.7, "LAnklePitch": -0.35, "RAnklePitch": -0.35, "LAnkleRoll": 0, "RAnkleRoll": 0,
         "LElbowRoll": -0.6, "RElbowRoll": 0.6}


def show(chance):
    """Random keys: a kind of motion, its size and its pace."""
    kind = chance.choice(["crouch", "bow", "lean", "lift", "arms", "mixed"])
    pose, at = dict(READY), 2.5
    keys = {joint: [(at, value)] for joint, value in pose.items()}
    pace = 10 ** chance.uniform(-0.7, 0.5)

    def go(changes, span):
        nonlocal at
        fastest = max((abs(value - pose[joint]) / (0.8 * VELOCITY[joint]) for joint, value in changes.items()), default=0)
        span = max(span, fastest, 0.05)
        for joint in changes:
            keys[joint].append((at, pose[joint]))
        at = round(at + span, 3)
        for joint, value in changes.items():
            pose[joint] = value
            keys[joint].append((at, value))

    def crouch(depth, tilt=0.0):
        return {**{side + "KneePitch": 0.7 + depth for side in "LR"},
                **{side + "HipPitch": -0.44 - depth / 2 + tilt for side in "LR"},
                **{side + "AnklePitch": -0.35 - depth / 2 for side in "LR"}}

    def lean(angle):
        return {"LHipRoll": -angle, "RHipRoll": -angle, "LAnkleRoll": angle, "RAnkleRoll": angle}

    for _ in range(chance.randint(1, 4)):
        this = chance.choice(["crouch", "bow", "lean", "lift", "arms"]) if kind == "mixed" else kind
        span = chance.uniform(0.3, 1.5) / pace
        if this == "crouch":
            go(crouch(chance.uniform(-0.4, 0.7), chance.uniform(-0.15, 0.15)), span)
        elif this == "bow":
            angle = chance.uniform(-1.1, 0.0)
            go({"LHipPitch": angle, "RHipPitch": angle}, span)
        elif this == "lean":
            go(lean(chance.uniform(-0.35, 0.35)), span)
        elif this == "arms":
            go({"LShoulderPitch": chance.uniform(-1.5, 1.5), "RShoulderPitch": chance.uniform(-1.5, 1.5),
                "LShoulderRoll": chance.uniform(0, 1.0), "RShoulderRoll": chance.uniform(-1.0, 0)}, span)
        else:
            side = chance.choice("LR")
            if chance.random() < 0.6:
                # The weight goes to the other foot first.
                size = chance.uniform(0.1, 0.35)
                go(lean(-size if side == "L" else size), max(span, 0.3))
            up = chance.uniform(0.1, 0.6)
            go({side + "HipPitch": pose[side + "HipPitch"] - up / 2, side + "KneePitch": pose[side + "KneePitch"] + up,
                side + "AnklePitch": pose[side + "AnklePitch"] - up / 2}, span)
            go({joint: READY[joint] for joint in (side + "HipPitch", side + "KneePitch", side + "AnklePitch")}, span)
    go({joint: value for joint, value in READY.items() if pose[joint] != value}, chance.uniform(0.5, 1.5) / min(pace, 1.0))
    return kind, keys, at


def judge(keys, folder, physics, rules):
    """What `check` says by these rules of a body with physics, or of one without."""
    path = os.path.join(folder, "show.csv")
    with open(path, "w") as file:
        file.write("actuator,time,value\n")
        for joint, own in keys.items():
            for at, value in own:
                file.write(f"{joint},{at},{value!r}\n")
    said = subprocess.run([program, "check", path, "--robot", description, "--json", "--chances", "0",
                           "--physics", physics], capture_output=True)
    verdict = json.loads(said.stdout)
    of_rest = [it for it in verdict["findings"] if it["rule"] in rules and "rest" in it["starts"]]
    other = {it["rule"] for it in verdict["findings"] if it["severity"] == "failure"} - set(rules)
    worst = {it["severity"] for it in of_rest}
    return ("fails" if "failure" in worst else "warns" if worst else "passes"), of_rest, verdict["facts"], other


def main():
    chance = random.Random(seed)
    table, at_the_edge = {}, 0
    heavy = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            kind, keys, lasting = show(chance)
            said, found, facts, other = judge(keys, folder, "off", ("balance", "tipping"))
            fell = simulate(keys, lasting)
            # Two seconds a show: there is time for a part of them.
            if number % 4 == 0:
                weighed, falls, _, _ = judge(keys, folder, "on", ("fall",))
                pair = (weighed == "fails", fell is not None)
                heavy[pair] = heavy.get(pair, 0) + 1
                if pair[0] != pair[1] and "-v" in sys.argv:
                    print(f"{number} {kind}: with physics {weighed} {[fall.get('at') for fall in falls]}, "
                          f"the simulation at {fell}")
            row = (said, "falls" if fell is not None else "stands")
            table[row] = table.get(row, 0) + 1
            # Nearer to the edge than the description allows: refused although nothing pushes it here.
            at_the_edge += row == ("fails", "stands") and 0 <= facts.get("margin", -1) < 0.005
            if (said == "fails") == (fell is None) and "-v" in sys.argv:
                rules = [(it["rule"], it.get("at"), round(it.get("value", 0) * 1e3, 1)) for it in found]
                print(f"{number} {kind}: check {said} {rules}, margin {facts.get('margin')}, tipping "
                      f"{facts['tipping']}; the simulation {row[1]} at {fell}; {sorted(other)}")
    print(f"{'check':<8} {'falls':>6} {'stands':>7}")
    for said in ("passes", "warns", "fails"):
        print(f"{said:<8} {table.get((said, 'falls'), 0):>6} {table.get((said, 'stands'), 0):>7}")
    # What is only warned is played.
    played = sum(times for row, times in table.items() if row[0] != "fails")
    false_passes = sum(times for row, times in table.items() if row[0] != "fails" and row[1] == "falls")
    false_alarms = table.get(("fails", "stands"), 0) - at_the_edge
    print(f"{false_passes} of {played} that pass fall; {false_alarms} of {count} are refused and stand, and {at_the_edge} "
          "besides that come within 5 mm of the edge")
    passed_and_fell, refused_and_stood = heavy.get((False, True), 0), heavy.get((True, False), 0)
    judged = sum(heavy.values())
    print(f"with physics, {passed_and_fell} of {judged} pass and fall, {refused_and_stood} are refused and stand")
    if passed_and_fell + refused_and_stood > 0.1 * judged:
        return 1
    # The goal is 2 and 5 of 100, over some hundred shows; of the few that CI has time for chance has its part.
    return 0 if false_passes <= 0.06 * played and false_alarms <= 0.08 * count else 1


sys.exit(main())
