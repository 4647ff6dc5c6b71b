"""Compares the project's own physics with MuJoCo's, show by show.

compare.py PROGRAM ROBOTS COUNT SEED: for each robot, makes random shows (crouches, bows, leans, lifts, steps, pushes),
plays each with PROGRAM (`rigid-bodies`) and with MuJoCo, on the same rigid bodies, and compares whether and when the
body falls. ROBOTS is the folder of descriptions, for poses and speeds. Ends with 1 if they differ too often.
"""
import json
import math
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

import mujoco
import numpy as np

PERIOD = 0.01
STEP = 0.001


def rad(value):
    number, unit, _ = re.fullmatch(r"([-+.\de]+?)(deg)?(/s)?", str(value)).groups()
    return math.radians(float(number)) if unit else float(number)


def text(*values):
    return " ".join(f"{float(number):.17g}" for value in values for number in np.ravel(value))


def mjcf(model):
    """The rigid bodies as MuJoCo reads them: a joint for each link, tied together where they share a degree of freedom."""
    links, dofs = model["links"], model["dofs"]
    sharers = {number: [i for i, link in enumerate(links) if link["joint"] and link["joint"]["dof"] == number]
               for number in range(len(dofs))}
    ties = []

    def body(index):
        link = links[index]
        out = [f'<body name="{index}" pos="{text(link["at"])}" quat="{text(link["turn"])}">']
        if link["free"]:
            out.append("<freejoint/>")
        joint = link["joint"]
        if joint:
            dof, own = dofs[joint["dof"]], sharers[joint["dof"]]
            assert joint["ratio"] == 1 and joint["offset"] == 0
            stops = dof["stops"]
            limits = f'limited="true" range="{text(stops)}"' if stops else 'limited="false"'
            out.append(f'<joint name="{index}" type="{"slide" if joint["slides"] else "hinge"}" axis="{text(joint["axis"])}" '
                       f'{limits} armature="{dof["armature"] / len(own)}" frictionloss="{dof["friction"] / len(own)}"/>')
            if own[0] != index:
                ties.append(f'<joint joint1="{index}" joint2="{own[0]}" solref="0.005 1"/>')
        xx, yy, zz, xy, xz, yz = link["inertia"]
        out.append(f'<inertial pos="{text(link["center"])}" mass="{link["mass"]}" '
                   f'fullinertia="{text(xx, yy, zz, xy, xz, yz)}"/>')
        for number, collider in enumerate(model["colliders"]):
            if collider["link"] != index:
                continue
            bits = f'contype="{2 * collider["links"]}" conaffinity="{collider["ground"] + 2 * collider["links"]}"'
            shape = collider["shape"]
            if "capsule" in shape:
                one, other = shape["capsule"]
                out.append(f'<geom name="{number}" type="capsule" fromto="{text(one, other)}" size="{shape["radius"]}" {bits}/>')
            else:
                out += [f'<geom name="{number}/{corner}" type="sphere" pos="{text(at)}" size="1e-7" {bits}/>'
                        for corner, at in enumerate(shape["corners"])]
        out += [body(child) for child, link in enumerate(links) if link["parent"] == index]
        return "".join(out) + "</body>"

    tree = "".join(body(index) for index, link in enumerate(links) if link["parent"] is None)
    motors = "".join(f'<position joint="{sharers[number][0]}" kp="1" kv="1" forcerange="-1 1"/>' for number in range(len(dofs)))
    pairs = "".join(f'<exclude body1="{one}" body2="{other}"/>' for one, other in {tuple(pair) for pair in model["ignored"]}
                    if one != other and links[other]["parent"] != one)
    return f"""<mujoco><compiler angle="radian" autolimits="true" balanceinertia="false" boundmass="0"/>
      <option timestep="{STEP}" integrator="implicitfast" cone="elliptic" impratio="10" gravity="0 0 -9.81"/>
      <default><geom friction="0.8 0.005 0.0001" solref="0.005 1"/><joint solreflimit="0.005 1" solreffriction="0.002 1" solimpfriction="0.999 0.999 0.001"/></default>
      <worldbody><geom name="floor" type="plane" size="0 0 1" contype="1" conaffinity="0"/>{tree}</worldbody>
      <contact>{pairs}</contact><equality>{"".join(ties)}</equality><actuator>{motors}</actuator></mujoco>"""


class Robot:
    def __init__(self, program, folder, name, pose):
        self.name = name
        self.spec = tomllib.load(open(f"{folder}/{name}.toml", "rb"))
        self.model = json.loads(subprocess.run([program, "model", name], capture_output=True, check=True).stdout)
        self.mujoco = mujoco.MjModel.from_xml_string(mjcf(self.model))
        self.microseconds = []
        self.dofs = [dof["name"] for dof in self.model["dofs"]]
        joints = [link["joint"]["dof"] for link in self.model["links"] if link["joint"]]
        indices = [i for i, link in enumerate(self.model["links"]) if link["joint"]]
        self.order = {index: dof for index, dof in zip(indices, joints)}
        own = lambda dof: {**self.spec.get("defaults", {}).get("joints", {}), **self.spec["joints"].get(dof, {})}
        torque = [own(dof).get("motor", {}).get("torque", 1.6) for dof in self.dofs]
        # A servo that reaches its torque at two degrees, and twice of it at most.
        self.motors = [[one / 0.035, 0.03 * one / 0.035, 2 * one] for one in torque]
        self.velocity = [rad(own(dof).get("velocity", 6)) for dof in self.dofs]
        stops = [dof["stops"] for dof in self.model["dofs"]]
        self.low, self.high = zip(*[stop or (-math.pi, math.pi) for stop in stops])
        stand = [rad(self.spec["poses"][pose].get(dof, own(dof).get("rest", 0))) for dof in self.dofs]
        self.stand = [min(max(value, low), high) for value, low, high in zip(stand, self.low, self.high)]

    def put(self, data, base, joints):
        data.qpos[:7] = base
        for index, dof in self.order.items():
            data.qpos[self.mujoco.joint(str(index)).qposadr[0]] = joints[dof]

    def standing(self):
        """The first link where the body stands in its pose, on the lowest of its shapes."""
        data = mujoco.MjData(self.mujoco)
        self.put(data, [0, 0, 1, 1, 0, 0, 0], self.stand)
        mujoco.mj_forward(self.mujoco, data)
        floor = [i for i in range(1, self.mujoco.ngeom) if self.mujoco.geom_conaffinity[i] & 1]
        feet = [i for i in floor if self.mujoco.geom_type[i] == mujoco.mjtGeom.mjGEOM_SPHERE]
        if feet:
            # The soles lie flat: turn the body by what they are turned.
            up = sum(data.geom_xmat[i].reshape(3, 3)[:, 2] for i in feet)
            data.qpos[3:7] = [np.linalg.norm(up) + up[2], up[1], -up[0], 0.0]
            mujoco.mju_normalize4(data.qpos[3:7])
            mujoco.mj_forward(self.mujoco, data)
        low = min(data.geom_xpos[i][2] - self.mujoco.geom_size[i][0]
                  - abs(data.geom_xmat[i][8]) * self.mujoco.geom_size[i][1] for i in floor)
        data.qpos[2] -= low
        return [float(number) for number in data.qpos[:7]]

    def play(self, scene):
        """As the program's `play`: height of the first link, and how upright it is, after each turn."""
        model, data, trace = self.mujoco, mujoco.MjData(self.mujoco), []
        for number, (stiffness, damping, torque) in enumerate(scene["motors"]):
            model.actuator_gainprm[number, 0] = stiffness
            model.actuator_biasprm[number, 1:3] = -stiffness, -damping
            model.actuator_forcerange[number] = -torque, torque
        self.put(data, scene["base"], scene["joints"])
        per, began = round(PERIOD / STEP), time.thread_time()
        for turn in range(scene["turns"]):
            data.ctrl[:] = scene["rows"][min(turn, len(scene["rows"]) - 1)]
            if not scene["pushes"]:
                mujoco.mj_step(model, data, per)
            for step in range(per if scene["pushes"] else 0):
                now = (turn * per + step) * STEP
                for push in scene["pushes"]:
                    acts = push["from"] - 1e-9 <= now < push["to"] - 1e-9
                    data.xfrc_applied[push["link"] + 1, :3] = push["force"] if acts else 0
                mujoco.mj_step(model, data)
            trace.append([data.qpos[2], data.xmat[1][8]])
        self.microseconds.append((time.thread_time() - began) / (scene["turns"] * per) * 1e6)
        return trace


def fall(trace):
    """When the body falls, s: tipped by more than 57°, or at less than 60 % of its height."""
    for turn, (height, upright) in enumerate(trace):
        if upright < 0.54 or height < 0.6 * trace[0][0]:
            return (turn + 1) * PERIOD
    return None


class Show:
    """Rows of targets, from a robot's standing pose."""

    def __init__(self, robot, draw):
        self.robot, self.draw = robot, draw
        self.now, self.rows, self.pushes = list(robot.stand), [list(robot.stand)] * 50, []

    def go(self, changes, span):
        robot, to = self.robot, list(self.now)
        for number, dof in enumerate(robot.dofs):
            if dof in changes:
                to[number] = min(max(changes[dof], robot.low[number]), robot.high[number])
        span = max([span] + [abs(a - b) / (0.8 * v) for a, b, v in zip(self.now, to, robot.velocity)])
        count = max(1, round(span / PERIOD))
        self.rows += [[a + (b - a) * (i + 1) / count for a, b in zip(self.now, to)] for i in range(count)]
        self.now = to

    def humanoid(self):
        """What a NAO does near the edge of its balance."""
        draw, start = self.draw, dict(zip(self.robot.dofs, self.robot.stand))
        both = lambda **parts: {side + joint: value for side in "LR" for joint, value in parts.items()}
        for _ in range(draw.randint(1, 3)):
            kind, span = draw.choice(["bow", "bow", "lean", "side", "lift", "arms", "crouch", "step"]), draw.uniform(0.05, 0.6)
            if kind == "bow":
                self.go(both(HipPitch=start["LHipPitch"] - draw.uniform(-0.25, 0.75)), span)
            elif kind == "lean":
                self.go(both(AnklePitch=start["LAnklePitch"] + draw.uniform(-0.3, 0.4)), span)
            elif kind == "side":
                roll = draw.uniform(-0.35, 0.35)
                self.go(both(HipRoll=-roll, AnkleRoll=roll), span)
            elif kind == "crouch":
                bend = draw.uniform(-0.3, 0.7)
                self.go(both(KneePitch=start["LKneePitch"] + bend, AnklePitch=start["LAnklePitch"] - bend / 2,
                             HipPitch=start["LHipPitch"] - bend / 2 + draw.uniform(-0.15, 0.15)), span)
            elif kind == "arms":
                self.go(both(ShoulderPitch=draw.uniform(-1.5, 1.5)), span)
            else:
                side = draw.choice("LR")
                if draw.random() < 0.7:
                    roll = draw.uniform(0.1, 0.33) * (1 if side == "L" else -1)
                    self.go(both(HipRoll=roll, AnkleRoll=-roll), draw.uniform(0.3, 1.0))
                now, bend = dict(zip(self.robot.dofs, self.now)), draw.uniform(0.1, 0.5)
                lifted = {side + "HipPitch": now[side + "HipPitch"] - bend / 2, side + "KneePitch": now[side + "KneePitch"] + bend,
                          side + "AnklePitch": now[side + "AnklePitch"] - bend / 2}
                self.go(lifted, span)
                if kind == "step":
                    ahead = {joint: now[joint] + draw.uniform(-0.15, 0.15) for joint in lifted}
                    self.go(ahead, draw.uniform(0.1, 0.5))
            if draw.random() < 0.5:
                self.rows += [self.now] * draw.randint(5, 60)
            if draw.random() < 0.5:
                self.go(start, draw.uniform(0.1, 0.8))

    def crawler(self):
        """Legs that move anyhow, by as much as a body on four or six legs may or may not stand."""
        draw, start = self.draw, dict(zip(self.robot.dofs, self.robot.stand))
        for _ in range(draw.randint(2, 5)):
            joints, size = draw.sample(self.robot.dofs, draw.randint(1, 6)), draw.uniform(0.1, 0.9)
            self.go({joint: start[joint] + draw.uniform(-size, size) for joint in joints}, draw.uniform(0.05, 0.6))
            if draw.random() < 0.4:
                self.go(start, draw.uniform(0.1, 0.6))

    def scene(self, name, base):
        draw, robot = self.draw, self.robot
        if draw.random() < 0.3:
            heading, begin = draw.uniform(0, math.tau), draw.uniform(0.3, 1.5)
            mass = sum(link["mass"] for link in robot.model["links"])
            force = draw.uniform(0.5, 8) * mass
            self.pushes.append({"from": begin, "to": begin + 0.1, "link": 0,
                                "force": [force * math.cos(heading), force * math.sin(heading), 0]})
        return {"name": name, "base": base, "joints": robot.stand, "motors": robot.motors, "rows": self.rows,
                "turns": len(self.rows) + 150, "pushes": self.pushes}


def compare(program, robot, count, seed):
    base, scenes = robot.standing(), []
    for number in range(count):
        show = Show(robot, random.Random(f"{robot.name} {seed} {number}"))
        show.humanoid() if robot.name == "nao" else show.crawler()
        scenes.append(show.scene(f"{robot.name} {number}", base))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(scenes, file)
        file.flush()
        out = subprocess.run([program, "play", robot.name, file.name], capture_output=True, check=True, text=True).stdout
    played = [json.loads(line) for line in out.splitlines()]
    falls, others, prompt = 0, [], 0
    for scene, own in zip(scenes, played):
        ours, theirs = fall(own["trace"]), fall(robot.play(scene))
        falls += theirs is not None
        if (ours is None) != (theirs is None):
            others.append(f"{scene['name']}: falls at {ours}, with MuJoCo at {theirs}")
        elif ours is not None:
            prompt += abs(ours - theirs) <= 0.05 + 1e-9
    both = falls - sum("MuJoCo at None" not in other for other in others)
    ours, theirs = (statistics.median(times) for times in ([own["microseconds"] for own in played], robot.microseconds))
    rounds, most = sum(own["rounds"] for own in played) / count, max(own["most"] for own in played)
    print(f"{robot.name:10} {count:5} shows, {falls:4} fall; the same verdict {count - len(others):5}; "
          f"{prompt} of {both} falls within 50 ms; {ours:.1f} us a step, MuJoCo {theirs:.1f}; {rounds:.2f} rounds, at most {most}")
    for other in others:
        print("   ", other)
    return count, len(others), both, prompt


def main():
    program, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    shares = [("nao", "stand-ready", 0.6), ("aibo-ers7", "stand", 0.2), ("hexapod", "stand", 0.2)]
    sums = [compare(program, Robot(program, folder, name, pose), max(1, round(count * share)), seed)
            for name, pose, share in shares]
    shows, others, falls, prompt = (sum(column) for column in zip(*sums))
    print(f"{shows - others} of {shows} verdicts are the same; {prompt} of {falls} falls within 50 ms")
    if others > 0.01 * shows or prompt < 0.95 * falls:
        sys.exit("the physics differ from MuJoCo's too often: at most 1 verdict in 100, and 1 instant in 20")


main()
