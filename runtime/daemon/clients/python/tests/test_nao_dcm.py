"""What scripts for NAO expect of the DCM, on a simulated one: aliases of any name, made whole or not at all."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from served import Nao, Refusing, on_a_nao, until  # noqa: E402

from naoqi import ALProxy  # noqa: E402

CHEST = [f"ChestBoard/Led/{it}/Actuator/Value" for it in ("Red", "Green", "Blue")]

nao = Nao()
setUpModule, tearDownModule = nao.start, nao.end


@on_a_nao
class Aliases(Refusing):
    def setUp(self) -> None:
        self.dcm, self.memory = ALProxy("DCM", "127.0.0.1", 9559), ALProxy("ALMemory", "127.0.0.1", 9559)

    def light(self, alias: str, value: float) -> None:
        sent = self.dcm.set([alias, "ClearAll", [[value, self.dcm.getTime(20)]]])
        self.assertEqual(sent.wait(10), "arrived")

    def values(self) -> list[float]:
        found: list[float] = self.memory.getListData(CHEST)
        return found

    def test_names_of_the_description_get_other_members(self) -> None:
        self.light("ChestLeds", 1.0)
        self.assertEqual(self.values(), [1.0, 1.0, 1.0])
        self.assertEqual(self.dcm.createAlias(["ChestLeds", CHEST[:1]]), ["ChestLeds", CHEST[:1]])
        self.light("ChestLeds", 0.0)
        self.assertEqual(self.values(), [0.0, 1.0, 1.0])
        # Again, by another proxy of the script; and in the other form.
        other = ALProxy("DCM", "127.0.0.1", 9559)
        other.createAlias(["ChestLeds", CHEST[1:]])
        time = self.dcm.getTime(20)
        self.assertEqual(self.dcm.setAlias(["ChestLeds", "Merge", "time-separate", 0, [time], [[0.0], [1.0]]]).wait(10),
                         "arrived")
        self.assertEqual(self.values(), [0.0, 0.0, 1.0])
        self.dcm.createAlias(["Head", ["HeadPitch", "HeadYaw"]])
        self.assertEqual(self.dcm.setAlias("Head", self.dcm.getTime(20), [0.1, 0.0]).wait(10), "arrived")
        until("the head is there", lambda: abs(self.memory.getData("HeadPitch/Position/Sensor/Value") - 0.1) < 0.02)
        # ALMotion has the description's all the same.
        self.assertEqual(len(ALProxy("ALMotion").getAngles("Head", True)), 2)
        for name in ("ChestLeds", "Head"):
            self.dcm.removeAlias(name)
            self.refused("not-found", self.dcm.removeAlias, name)
        self.light("ChestLeds", 1.0)
        self.assertEqual(self.values(), [1.0, 1.0, 1.0])

    def test_what_is_an_actuator_is_no_alias(self) -> None:
        for name in ("HeadYaw", "HeadYaw/Position/Actuator/Value", "ChestBoard/Led/Red"):
            self.refused("taken", self.dcm.createAlias, [name, CHEST])
        for wrong in (["Mine"], "Mine", ["Mine", "HeadYaw"], ["Mine", []]):
            self.refused("malformed", self.dcm.createAlias, wrong)

    def test_an_alias_that_fails_leaves_the_old_one(self) -> None:
        self.dcm.createAlias(["Mine", CHEST])
        self.light("Mine", 1.0)
        self.assertIn("Nose", self.refused("unknown-name", self.dcm.createAlias, ["Mine", [CHEST[0], "Nose"]]))
        self.light("Mine", 0.0)
        self.assertEqual(self.values(), [0.0, 0.0, 0.0])
        self.refused("unknown-name", self.dcm.createAlias, ["Fresh", [CHEST[0], "Nose"]])
        self.refused("unknown-name", self.dcm.set, ["Fresh", "Merge", [[1.0, self.dcm.getTime(0)]]])


if __name__ == "__main__":
    unittest.main()
