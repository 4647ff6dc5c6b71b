"""Compares this crate with Pinocchio, an independent library of kinematics.

compare.py POSES DCM_RUN [COUNT [SEED]]: POSES is the built example `poses`, DCM_RUN the built program. For each of the
shipped robots with links, and for each arm in `arms`, takes COUNT random postures (10,000 otherwise), has both libraries
place all links and compute the centre of mass and a Jacobian, and prints the largest differences. Then it has the crate
solve the way back for some of the postures, and Pinocchio says where the solutions are.

The two do not read the same thing. Pinocchio reads an arm's URDF, and a robot's description through `model` below; the
crate reads what `dcm-run urdf import` makes of the URDF, and `tables.py` of a description.
Needs the packages in `requirements.txt`. Exits with 1 if a difference is larger than rounding explains.
"""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import numpy as np
import pinocchio as pin

import tables

HERE = pathlib.Path(__file__).resolve().parent
ROBOTS = HERE.parents[3] / "runtime/description/robots"
# What rounding may do: f64 has 16 digits, and there are some hundred operations on the way to a link.
ROUNDING = 1e-12
# How far the solutions may be that the crate calls reached: it was told 1e-7.
REACHED = 1.1e-7
ARMS = {"ur5-like": "tool", "panda-like": "tool", "iiwa-like": "tool", "xarm6-like": "tool", "so-arm100-like": "tool"}
# The link whose Jacobian is compared, and which is brought to random places.
BODIES = {"nao": "left-hand", "aibo-ers7": "LFr-lower", "hexapod": "RRear-tibia"}


def model(links):
    """A description as Pinocchio reads it: a joint of its own for each link that moves."""
    out = pin.Model()
    joints, hung = {None: 0}, {None: pin.SE3.Identity()}
    for it in links:
        origin = hung[it["parent"]] * pin.SE3(pin.rpy.rpyToMatrix(*it["turn"]), np.array(it["at"]))
        joint = joints[it["parent"]]
        if it["joint"]:
            kind = pin.JointModelPrismaticUnaligned if it["slides"] else pin.JointModelRevoluteUnaligned
            joint = out.addJoint(joint, kind(np.array(it["axis"])), origin, it["name"] + "/joint")
            origin = pin.SE3.Identity()
        joints[it["name"]], hung[it["name"]] = joint, origin
        out.addFrame(pin.Frame(it["name"], joint, 0, origin, pin.FrameType.BODY))
        inertia = pin.Inertia(it["mass"], np.array(it["centre"]), np.zeros((3, 3)))
        out.appendBodyToJoint(joint, inertia, origin)
    return out


def ways(robot, joints, links, urdf):
    """The matrix and offset that lead from the table's joints to Pinocchio's: of the URDF itself, or of the description."""
    matrix, offset = np.zeros((robot.nv, len(joints))), np.zeros(robot.nv)
    places = {name: place for place, (name, _, _) in enumerate(joints)}
    if urdf:
        moves = []
        for it in xml.etree.ElementTree.parse(urdf).getroot().iter("joint"):
            if it.get("type") != "fixed":
                mimic = it.find("mimic")
                own = {"joint": it.get("name")} if mimic is None else mimic.attrib
                moves.append((it.get("name"), own["joint"], own.get("multiplier", 1), own.get("offset", 0)))
    else:
        moves = [(it["name"] + "/joint", it["joint"], it["ratio"], it["offset"]) for it in links if it["joint"]]
    for name, joint, ratio, zero in moves:
        own = robot.joints[robot.getJointId(name)]
        matrix[own.idx_v, places[joint]] = float(ratio)
        offset[own.idx_v] = float(zero)
    return matrix, offset


class Body:
    """One robot, in both libraries."""

    def __init__(self, poses, name, description, tip, urdf=None):
        self.name, self.tip, self.poses = name, tip, poses
        self.joints, self.links = tables.read(description)
        self.robot = pin.buildModelFromUrdf(str(urdf)) if urdf else model(self.links)
        self.data = self.robot.createData()
        self.matrix, self.offset = ways(self.robot, self.joints, self.links, urdf)
        self.frames = [self.robot.getFrameId(it["name"], pin.FrameType.BODY) for it in self.links]
        self.end = self.robot.getFrameId(tip, pin.FrameType.BODY)
        self.range = np.array([[low, high] for _, low, high in self.joints])
        # Pinocchio gives the mass of what no joint moves to its universe, and leaves it out of the centre.
        self.stiff = self.robot.inertias[0]
        self.folder = tempfile.TemporaryDirectory()
        self.table = pathlib.Path(self.folder.name) / "table.txt"
        self.table.write_text(tables.text(self.joints, self.links))

    def random(self, generator, count):
        low, high = self.range.T
        return generator.uniform(low, high, (count, len(self.joints)))

    def ask(self, lines, *words):
        text = "\n".join(" ".join(map(repr, map(float, line))) for line in lines) + "\n"
        done = subprocess.run([self.poses, self.table, self.tip, *words], input=text, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr}")
        return [np.array(line.split(), dtype=float) for line in done.stdout.splitlines()]

    def centre(self, values):
        centre, mass = pin.centerOfMass(self.robot, self.data, values), self.data.mass[0]
        # The root's own mass, where Pinocchio does not count it.
        whole = sum(it["mass"] for it in self.links)
        if whole - mass > 1e-9:
            own = self.stiff.lever if self.stiff.mass else np.zeros(3)
            centre = (centre * mass + own * (whole - mass)) / whole
        return centre

    def compare(self, postures):
        worst = dict.fromkeys(["place", "turn", "centre", "jacobian"], 0.0)
        for values, answer in zip(postures, self.ask(postures)):
            own = self.matrix @ values + self.offset
            pin.computeJointJacobians(self.robot, self.data, own)
            pin.updateFramePlacements(self.robot, self.data)
            for place, frame in enumerate(self.frames):
                it = self.data.oMf[frame]
                x, y, z, w, i, j, k = answer[7 * place:7 * place + 7]
                worst["place"] = max(worst["place"], np.abs(it.translation - [x, y, z]).max())
                turn = pin.Quaternion(w, i, j, k).toRotationMatrix()
                worst["turn"] = max(worst["turn"], np.abs(it.rotation - turn).max())
            rest = answer[7 * len(self.links):]
            worst["centre"] = max(worst["centre"], np.abs(self.centre(own) - rest[:3]).max())
            theirs = pin.getFrameJacobian(self.robot, self.data, self.end, pin.LOCAL_WORLD_ALIGNED) @ self.matrix
            ours = rest[3:].reshape(-1, 6).T
            worst["jacobian"] = max(worst["jacobian"], np.abs(theirs - ours).max())
        return worst

    def pose(self, values):
        pin.framesForwardKinematics(self.robot, self.data, self.matrix @ values + self.offset)
        return self.data.oMf[self.end]

    def way_back(self, postures, starts, kind):
        """Solves for where the tip is in these postures. How many were reached, how far off Pinocchio has the worst of
        them, how many left their limits, how many were told wrongly, and the median of the steps."""
        lines = []
        for values, start in zip(postures, starts):
            pose = self.pose(values)
            turn = pin.Quaternion(pose.rotation)
            lines.append([*start, *pose.translation, turn.w, turn.x, turn.y, turn.z])
        reached, worst, outside, wrong, steps = 0, 0.0, 0, 0, []
        for line, answer in zip(lines, self.ask(lines, kind)):
            count = len(self.joints)
            found, (is_reached, distance, angle, used) = answer[:count], answer[count:]
            low, high = self.range.T
            outside += bool((found < low).any() or (found > high).any())
            pose = self.pose(found)
            off = np.linalg.norm(pose.translation - line[count:count + 3])
            turn = pin.Quaternion(*line[count + 3:]).toRotationMatrix()
            turned = np.linalg.norm(pin.log3(pose.rotation.T @ turn)) if kind == "pose" else 0.0
            wrong += abs(off - distance) > 1e-9 or abs(turned - angle) > 1e-6
            steps.append(used)
            if is_reached:
                reached += 1
                worst = max(worst, off, turned)
        return reached, worst, outside, wrong, statistics.median(steps)


def main():
    poses, program = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    generator = np.random.default_rng(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    bodies = [Body(poses, name, ROBOTS / f"{name}.toml", tip) for name, tip in BODIES.items()]
    with tempfile.TemporaryDirectory() as folder:
        for name, tip in ARMS.items():
            urdf, made = HERE / f"arms/{name}.urdf", pathlib.Path(folder) / f"{name}.toml"
            made.write_bytes(subprocess.run([program, "urdf", "import", urdf], check=True, capture_output=True).stdout)
            bodies.append(Body(poses, name, made, tip, urdf))
    print(f"{count} postures each; the largest differences from Pinocchio {pin.__version__}")
    print(f"{'':16}{'links':>6}{'joints':>7}{'place m':>10}{'turn':>10}{'centre m':>10}{'jacobian':>10}")
    failed = False
    for body in bodies:
        worst = body.compare(body.random(generator, count))
        failed |= any(not it < ROUNDING for it in worst.values())
        numbers = "".join(f"{worst[it]:10.1e}" for it in ["place", "turn", "centre", "jacobian"])
        print(f"{body.name:16}{len(body.links):6}{len(body.joints):7}{numbers}", flush=True)
    count = max(count // 10, 1)
    print(f"\n{count} places each, of random postures, from other random postures; where Pinocchio has the solutions")
    print(f"{'':16}{'goal':>6}{'reached':>9}{'worst':>10}{'outside':>9}{'told wrong':>12}{'steps':>7}")
    for body in bodies:
        kinds = ["pose", "point"] if len(body.joints) >= 6 and body.name in ARMS else ["point"]
        for kind in kinds:
            postures, starts = body.random(generator, count), body.random(generator, count)
            reached, worst, outside, wrong, steps = body.way_back(postures, starts, kind)
            failed |= outside > 0 or wrong > 0 or worst > REACHED
            share = f"{100 * reached / count:8.1f}%"
            print(f"{body.name:16}{kind:>6}{share:>9}{worst:10.1e}{outside:9}{wrong:12}{steps:7.0f}", flush=True)
    sys.exit(int(failed))


if __name__ == "__main__":
    main()
