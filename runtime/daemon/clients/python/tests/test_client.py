"""The client against a server of a few lines: names, errors, connections, times. No robot is needed.

    python3 -m unittest discover -s runtime/daemon/clients/python/tests
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import logging
import os
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from robots import FakeServer  # noqa: E402

import dcm_run.__main__ as command_line  # noqa: E402
import dcm_run.line  # noqa: E402
from dcm_run import ALMemoryProxy, ALProxy, DCMProxy, Robot, RobotError, clock  # noqa: E402
from dcm_run.known import find_known, known_robots, read_flat  # noqa: E402

HEAD = "HeadYaw/Position/Actuator/Value"


class WithFolder(unittest.TestCase):
    """A folder of its own for sockets and settings, so that no robot of this machine is meant."""

    def setUp(self) -> None:
        # The path of a socket is short by law, so the folder's is.
        self.folder = Path(tempfile.mkdtemp(prefix="dcm", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.folder)
        clean = {key: it for key, it in os.environ.items() if not key.startswith("DCM_RUN")}
        patch = mock.patch.dict(os.environ, {**clean, "DCM_RUN_DIR": str(self.folder)}, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def local(self, name: str = "nao") -> FakeServer:
        (self.folder / f"{name}.sock").touch()
        return self.served(FakeServer(str(self.folder / f"{name}.api")))

    def served(self, server: FakeServer) -> FakeServer:
        self.addCleanup(server.end)
        return server

    def pair(self, text: str) -> None:
        (self.folder / "config").mkdir(exist_ok=True)
        (self.folder / "config" / "robots.toml").write_text(text, encoding="utf-8")

    def refused(self, code: str, call, *arguments, **named) -> RobotError:
        with self.assertRaises(RobotError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return caught.exception


class Names(WithFolder):
    def test_the_only_robot_here_is_meant(self) -> None:
        self.local()
        self.assertEqual(Robot().hello()["name"], "nao")
        self.assertEqual(Robot("nao").hello()["name"], "nao")

    def test_one_of_several_must_be_named(self) -> None:
        self.local()
        self.local("desk")
        self.assertIn("desk, nao", str(self.refused("where", Robot)))

    def test_nothing_here_says_what_to_do(self) -> None:
        self.assertIn("dcm-run serve", self.refused("away", Robot).fix or "")
        self.assertIn("`nobody`", str(self.refused("away", Robot, "nobody")))
        self.refused("where", Robot, "../nao")

    def test_a_name_here_counts_before_one_that_was_paired_with(self) -> None:
        self.pair('[nao]\naddress = "127.0.0.1:1"\ntoken = "far"\n')
        near = self.local()
        Robot("nao").hello()
        self.assertNotIn("Authorization", near.asked[-1][3])

    def test_a_paired_robot_is_found_by_name_and_by_address(self) -> None:
        far = self.served(FakeServer())
        self.pair(f'[bob]\naddress = "127.0.0.1:{far.port}"\ntoken = "secret"\n')
        places = ["bob", f"127.0.0.1:{far.port}", f"http://127.0.0.1:{far.port}", None]
        for where in places:
            Robot(where).hello()
            self.assertEqual(far.asked[-1][3]["Authorization"], "Bearer secret")
        Robot("bob", token="mine").hello()
        self.assertEqual(far.asked[-1][3]["Authorization"], "Bearer mine")
        self.assertNotIn("secret", repr(find_known("bob")) + repr(Robot("bob")))

    def test_the_environment_says_what_is_not_said(self) -> None:
        far = self.served(FakeServer())
        with mock.patch.dict(os.environ, DCM_RUN_ROBOT=f"127.0.0.1:{far.port}", DCM_RUN_TOKEN="kept\n"):
            DCMProxy()
        self.assertEqual(far.asked[-1][3]["Authorization"], "Bearer kept")

    def test_a_path_and_a_url_are_places(self) -> None:
        near, far = self.local(), self.served(FakeServer())
        Robot(f"unix:{near.path}").hello()
        Robot(f"unix://{near.path}").hello()
        Robot(f"http://127.0.0.1:{far.port}/").hello()
        for wrong in ["ftp://nao", "http://nao/page", "nao:none", "nao:0", "nao:99999", ":7878"]:
            self.refused("where", Robot, wrong)

    def test_naos_way_to_say_where(self) -> None:
        far = self.served(FakeServer())
        self.local()
        DCMProxy("127.0.0.1", far.port)
        DCMProxy(port=far.port)
        DCMProxy(f"127.0.0.1:{far.port}")
        self.assertEqual(len(far.asked), 3)
        self.assertIsInstance(ALProxy("DCM", "nao"), DCMProxy)
        self.assertIsInstance(ALProxy("ALMemory"), ALMemoryProxy)
        self.assertIn("ALMotion", str(self.refused("not-here", ALProxy, "ALFancy", "127.0.0.1", 9559)))
        self.assertIn("camera", str(self.refused("not-here", ALProxy, "ALVideoDevice", "127.0.0.1", 9559)))
        self.refused("where", DCMProxy, "127.0.0.1", 1, robot="nao")

    def test_naoqis_port_is_told(self) -> None:
        with mock.patch("dcm_run.line.connect", side_effect=ConnectionRefusedError("refused")):
            self.assertIn("7878", str(self.refused("away", DCMProxy, "127.0.0.1", 9559)))

    def test_the_file_is_read_without_tomllib_as_with_it(self) -> None:
        text = '# mine\n[nao]\naddress = "h:1" # here\ntoken = \'a"b\'\n\n["two words"]\naddress = "x\\"y:2"\n'
        robots = {"nao": {"address": "h:1", "token": 'a"b'}, "two words": {"address": 'x"y:2'}}
        self.assertEqual(read_flat(text), robots)
        self.pair(text)
        self.assertEqual([it.name for it in known_robots()], ["nao", "two words"])
        for wrong in ["[nao\n", "[nao]\ntoken = \"t\"\n", "[nao]\naddress = [1]\n"]:
            self.pair(wrong)
            self.assertIn("robots.toml", str(self.refused("known", Robot, "nao")))


class Errors(WithFolder):
    def test_the_robots_words_are_kept(self) -> None:
        server = self.local()
        told = {"error": {"code": "unknown-name", "sentence": "there is no `Yam`", "fix": "did you mean `Yaw`?"}}
        server.refuses["dcm/set"] = (404, told)
        error = self.refused("unknown-name", DCMProxy().set, ["Yam", "Merge", []])
        self.assertIsInstance(error, RuntimeError)
        self.assertEqual(str(error), "there is no `Yam`; fix: did you mean `Yaw`?")
        server.refuses["dcm/set"] = (409, {"error": {"code": "control-held", "sentence": "anna holds control"}})
        self.assertEqual(str(self.refused("control-held", DCMProxy().set, [HEAD, "Merge", []])), "anna holds control")

    def test_what_is_no_answer_is_told(self) -> None:
        server = self.local()
        for status, answer in [(200, b"<html>"), (502, b"<html>"), (500, {"error": "oh"}), (404, [])]:
            server.refuses["memory/getData"] = (status, answer)
            self.refused("strange", ALMemoryProxy().getData, "DCM/Time")

    def test_a_hostile_answer_is_an_error_in_plain_words(self) -> None:
        server = self.local()
        server.refuses = {
            "dcm/getPrefix": (200, b"[" * 200_000),
            "dcm/ping": (422, {"error": {"code": "bad", "sentence": "\x1b[2J\x9bgone" * 1000, "fix": "\a\u202e"}}),
        }
        self.refused("strange", DCMProxy().getPrefix)
        told = str(self.refused("bad", DCMProxy().ping))
        self.assertTrue(told.isprintable() and "gone" in told and len(told) < 5000, told[:100])

    def test_what_cannot_be_sent_is_told(self) -> None:
        dcm = DCMProxy(robot=Robot(f"unix:{self.local().path}"))
        for wrong in [float("nan"), object()]:
            self.refused("malformed", dcm.set, [HEAD, "Merge", [[wrong, 0]]])
        self.refused("malformed", dcm.setAlias, "Head")
        self.refused("malformed", dcm.setAlias, "Head", 10)

    def test_requests_are_followed(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        sent = dcm.set([HEAD, "Merge", [[0.5, 0]]])
        self.assertEqual(sent, {"ticket": 9, "commands": 1, "late": 0, "clipped": 0})
        # It ends while `wait` asks again and again.
        told = [{"ticket": 9, "waiting": 1}] * 4 + [{"ticket": 9, "end": "cleared"}] * 9
        server.sequences["loop/progress"] = [{"progress": [it]} for it in told]
        self.assertEqual((sent.wait(0), dcm.wait(sent, 1), dcm.isRunning(sent)), (None, True, True))
        self.assertEqual((sent.wait(5), dcm.wait(sent), sent.is_running()), ("cleared", False, False))
        dcm.stop(sent)
        self.assertEqual(server.asked[-1][:2], ("POST", "loop/cancel"))
        self.assertIn("robot.stop()", str(self.refused("not-here", dcm.stop, dcm.post.getTime())))
        self.assertEqual((dcm.wait(77), dcm.isRunning(77)), (False, False))

    def test_what_is_not_here_says_how_it_is_done(self) -> None:
        self.local()
        dcm, memory = DCMProxy(), ALMemoryProxy()
        self.assertIn("dcm-run stop", str(self.refused("not-here", dcm.exit)))
        for absent in [dcm.getMethodHelp, dcm.getUsage, memory.getMethodHelp]:
            self.assertIn("help(", str(self.refused("not-here", absent, "getTime")))
        self.refused("not-here", memory.getModuleHelp)
        self.assertIn("getattr", str(self.refused("not-here", dcm.pCall, "getTime", 0)))
        self.assertIn("dcm_page", str(self.refused("not-here", memory.getDataPtr, "key")))
        self.assertIn("setAlias", dcm.getMethodList())
        self.assertIn("getBrokerName", memory.getMethodList())
        for absent in ["exit", "getUsage", "pCall"]:
            self.assertNotIn(absent, dcm.getMethodList())


class Connections(WithFolder):
    def test_one_connection_is_kept(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        for _ in range(5):
            dcm.getTime(0)
        self.assertEqual(len(server.open), 1)

    def test_an_answer_may_come_in_pieces_and_must_end(self) -> None:
        server = self.local()
        server.in_pieces = True
        dcm = DCMProxy()
        self.assertEqual(dcm.version(), "0.1.0")
        for server.in_pieces in (True, False):
            with mock.patch.object(dcm_run.line, "LONGEST", 3):
                self.assertIn("longer", str(self.refused("away", dcm.ping)))
        self.assertTrue(dcm.ping())

    def test_a_server_that_was_started_again_is_found_again(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        server.end()
        again = self.local()
        # Not even a command is lost: the old connection is seen to have ended before anything is sent.
        dcm.set([HEAD, "Merge", [[0.5, 0]]])
        self.assertEqual(again.paths(), ["dcm/set"])

    def test_a_connection_that_rests_is_made_anew(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        with mock.patch.object(dcm_run.line, "IDLE", -1.0):
            dcm.ping()
        self.assertEqual(len(server.open), 2)

    def test_only_what_does_no_harm_is_asked_twice(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        server.breaks = 1
        dcm.getTime(0)
        self.assertEqual(server.paths(), ["dcm/getTime"] * 2)
        server.breaks = 1
        self.assertIn("may have been done", str(self.refused("lost", dcm.set, [HEAD, "Merge", [[0.5, 0]]])))
        self.assertEqual(server.paths()[2:], ["dcm/set"])
        server.breaks = 2
        self.refused("away", dcm.getTime, 0)
        self.assertEqual(server.paths()[3:], ["dcm/getTime"] * 2)
        dcm.set([HEAD, "Merge", [[0.5, 0]]])

    def test_a_robot_that_went_is_away(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        server.end()
        self.assertIn("dcm-run serve", self.refused("away", dcm.ping).fix or "")

    def test_an_answer_may_take_only_so_long(self) -> None:
        server = self.local()
        server.slow = {"dcm/set", "dcm/getPrefix"}
        dcm = DCMProxy(robot=Robot("nao", timeout=0.1))
        self.assertIn("0.1 s", str(self.refused("lost", dcm.set, [HEAD, "Merge", []])))
        self.refused("away", dcm.getPrefix)
        server.go_on.set()
        # What came too late is not taken for this answer.
        self.assertIsInstance(dcm.getTime(0), int)

    def test_an_answer_comes_at_a_pace(self) -> None:
        # A byte now and then, each within the timeout: of the head, and of the body.
        for begin in (b"HTTP/1.1 200 OK\r\nSlow: ", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"):
            (self.folder / "nao.sock").touch()
            path = self.folder / "nao.api"
            path.unlink(missing_ok=True)
            with socket.socket(socket.AF_UNIX) as door:
                door.bind(str(path))
                door.listen()

                def drip() -> None:
                    stream = door.accept()[0]
                    with stream, contextlib.suppress(OSError):
                        stream.sendall(begin)
                        while True:
                            stream.sendall(b"a")
                            time.sleep(0.02)

                thread = threading.Thread(target=drip)
                thread.start()
                self.refused("away", lambda: DCMProxy(robot=Robot("nao", timeout=0.3)).getPrefix())
                thread.join(10)
                self.assertFalse(thread.is_alive(), begin)

    def test_ctrl_c_leaves_no_answer_behind(self) -> None:
        self.local()
        dcm = DCMProxy()
        with mock.patch("http.client.HTTPConnection.getresponse", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, dcm.getPrefix)
        self.assertIsInstance(dcm.getTime(0), int)

    def test_stop_waits_for_nobody(self) -> None:
        server = self.local()
        server.slow = {"dcm/set"}
        dcm = DCMProxy()
        number = dcm.post.set([HEAD, "Merge", []])
        self.assertEqual(dcm.robot.stop(), {"state": "estop"})
        self.assertTrue(dcm.isRunning(number))
        server.go_on.set()
        self.assertFalse(dcm.wait(number, 0))

    def test_threads_share_a_robot(self) -> None:
        self.local()
        dcm = DCMProxy()
        wrong: list[int] = []

        def ask(offset: int) -> None:
            wrong.extend(it for it in range(20) if clock.between(dcm.getTime(0), dcm.getTime(offset)) != offset)

        threads = [threading.Thread(target=ask, args=(it,)) for it in (1, 1000, 100_000)]
        for it in threads:
            it.start()
        for it in threads:
            it.join()
        self.assertEqual(wrong, [])


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificates")
class Certificates(WithFolder):
    def setUp(self) -> None:
        super().setUp()
        pem, key = str(self.folder / "robot.pem"), str(self.folder / "robot.key")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                        "-keyout", key, "-out", pem, "-days", "2", "-subj", "/CN=robot"], check=True,
                       capture_output=True)
        der = ssl.PEM_cert_to_DER_cert(Path(pem).read_text(encoding="ascii"))
        self.fingerprint = hashlib.sha256(der).hexdigest()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem, key)
        self.server = self.served(FakeServer(tls=context))
        self.url = f"https://127.0.0.1:{self.server.port}"

    def test_the_known_certificate_is_believed(self) -> None:
        self.pair(f'[bob]\naddress = "127.0.0.1:{self.server.port}"\nfingerprint = "{self.fingerprint}"\ntoken = "t"\n')
        for where in ["bob", self.url, self.url.replace("https", "http")]:
            with Robot(where) as robot:
                for _ in range(3):
                    robot.hello()
            self.assertEqual(self.server.asked[-1][3]["Authorization"], "Bearer t")
        self.assertEqual(len(self.server.open), 3)
        Robot(self.url, fingerprint=self.fingerprint.upper()).hello()

    def test_another_one_gets_nothing_to_see(self) -> None:
        self.pair(f'[bob]\naddress = "127.0.0.1:{self.server.port}"\nfingerprint = "{"0" * 64}"\ntoken = "t"\n')
        self.assertIn(self.fingerprint, str(self.refused("changed", Robot("bob").hello)))
        self.pair("")
        self.assertIn(self.fingerprint, str(self.refused("stranger", Robot(self.url, token="t").hello)))
        self.assertEqual(self.server.asked, [])


class Calls(WithFolder):
    def test_the_dcm(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        self.assertEqual(dcm.createAlias(["A", [HEAD]]), ["A", [HEAD]])
        # NAOqi answers with an empty text, which nobody looks at.
        self.assertIn("`Nose`", str(self.refused("unknown-name", dcm.createAlias, ["A", [HEAD, "Nose"]])))
        self.assertEqual(dcm.set((HEAD, "Merge", [(0.5, 10, 1)]))["commands"], 1)
        self.assertEqual(server.asked[-1][2], [HEAD, "Merge", [[0.5, 10, 1]]])
        dcm.setAlias("A", 10, [0.5, 0.6])
        self.assertEqual(server.asked[-1][2], ["A", 10, [0.5, 0.6]])
        self.assertEqual(dcm.getPrefix()[0], "Device/SubDeviceList/")
        self.assertIs(dcm.ping(), True)
        self.assertEqual(dcm.version(), "0.1.0")
        self.assertEqual(server.paths()[-2:], ["dcm/ping", "dcm/version"])
        self.assertEqual(dcm.getBrokerName(), "nao")

    def test_a_whole_choreography(self) -> None:
        server = self.local()
        told: list[tuple[int, int]] = []
        robot = Robot(progress=lambda sent, whole: told.append((sent, whole)))
        robot.schedule({"HeadYaw": [(0.5, 0.25), (1, -0.25)], "A b": [(0, 1)]})
        method, path, body, headers = server.asked[-1]
        self.assertEqual((method, path, headers["Content-Type"]), ("POST", "body/schedule", "application/octet-stream"))
        # Half a second after now, as the robot counts it.
        self.assertEqual(struct.unpack("<IQdQdIQd", body), (
            2, 8_000_048_000, 0.25, 8_500_048_000, -0.25, 1, 7_500_048_000, 1.0))
        self.assertEqual(told, [])
        # A long one tells how far it is.
        keys = [(it / 100, 0.5) for it in range(4096)]
        robot.schedule({"A": keys, "B": keys, "C": keys}, start_ns=5)
        whole = 3 * (4 + 4096 * 16)
        self.assertEqual(len(server.asked[-1][2]), whole)
        self.assertEqual((told[0], told[-1]), ((0, whole), (whole, whole)))
        self.assertEqual([it[0] for it in told], sorted(it[0] for it in told))
        for wrong in [{"A": [(1,)]}, {"A": [("x", 1)]}, {"A": [(1e300, 1)]}, {"A": [(float("nan"), 1)]}]:
            self.refused("malformed", robot.schedule, wrong)

    def test_what_is_long_is_compressed_on_its_way_to_another_machine(self) -> None:
        server = self.served(FakeServer())
        keys = [[it / 4096, it] for it in range(4096)]
        robot = Robot(f"http://127.0.0.1:{server.port}", token="t")
        DCMProxy(robot=robot).setAlias(["A", "ClearAll", "time-mixed", [keys] * 4])
        _, path, body, headers = server.asked[-1]
        self.assertEqual((path, headers["Content-Encoding"]), ("dcm/setAlias", "gzip"))
        self.assertEqual(body[3], [keys] * 4)
        self.assertLess(int(headers["Content-Length"]), len(json.dumps(body)) // 2)
        DCMProxy(robot=robot).set([HEAD, "Merge", [[0.5, 10]]])
        self.assertNotIn("Content-Encoding", server.asked[-1][3])

    def test_memory(self) -> None:
        server = self.local()
        memory = ALMemoryProxy()
        self.assertEqual(memory.getData("A b/&c", 0), 0.25)
        self.assertEqual(memory.getListData(["a", "b"]), [0.25, None])
        self.assertEqual(memory.getDataList("Time"), ["DCM/Time"])
        self.assertEqual(server.asked[-2][2], ["a", "b"])

    def test_times_beyond_the_end_of_the_clock_are_brought_back(self) -> None:
        server = self.local()
        dcm = DCMProxy()
        now = dcm.getTime(0)
        later = dcm.getTime(1000)
        self.assertLess(later, 0)
        self.assertEqual(clock.between(now, later), 1000)
        self.assertEqual(clock.between(later, now), -1000)
        dcm.set([HEAD, "Merge", [[0.5, now + 1000]]])
        self.assertEqual(server.asked[-1][2][2], [[0.5, later]])
        dcm.setAlias("A", now + 1000, [0.5])
        self.assertEqual(server.asked[-1][2][1], later)
        dcm.setAlias(["A", "Merge", "time-mixed", [[[0.5, now + 1000.0, 3]], []]])
        self.assertEqual(server.asked[-1][2][3], [[[0.5, later, 3]], []])
        dcm.setAlias(["A", "Merge", "time-separate", 0, [now, now + 1000], [[0.5, 0.6]]])
        self.assertEqual(server.asked[-1][2][4], [now, later])

    def test_what_has_another_shape_is_left_to_the_robot(self) -> None:
        server = self.local()
        for odd in [[], [HEAD], [HEAD, "Merge", 5], [HEAD, "Merge", [[], [1], ["a", "b"], [1, None]]]]:
            DCMProxy().set(odd)
            self.assertEqual(server.asked[-1][2], odd)

    def test_what_lists_itself_is_taken(self) -> None:
        class Array:
            def tolist(self) -> list[float]:
                return [[0.5, 2**31]]  # type: ignore[list-item]

        server = self.local()
        DCMProxy().set([HEAD, "Merge", Array()])
        self.assertEqual(server.asked[-1][2], [HEAD, "Merge", [[0.5, -(2**31)]]])


class Tasks(WithFolder):
    def test_a_call_that_nobody_waits_for(self) -> None:
        server = self.local()
        server.slow = {"dcm/set"}
        dcm = DCMProxy()
        number = dcm.post.set([HEAD, "Merge", []])
        self.assertTrue(dcm.isRunning(number))
        self.assertTrue(dcm.wait(number, 20), "the time ended it")
        server.go_on.set()
        self.assertFalse(dcm.wait(number, 5000), "it returned")
        self.assertFalse(dcm.isRunning(number))
        self.assertNotEqual(dcm.post.ping(), number)
        self.assertFalse(dcm.wait(999, 0))

    def test_what_became_of_it_is_said(self) -> None:
        server = self.local()
        server.refuses["dcm/set"] = (422, {"error": {"code": "wrong-kind", "sentence": "there is no kind `Mix`"}})
        dcm = DCMProxy()
        with self.assertLogs("dcm_run", logging.WARNING) as said:
            dcm.wait(dcm.post.set([HEAD, "Mix", []]), 0)
        self.assertIn("no kind `Mix`", said.output[0])

    def test_only_so_many_are_under_way(self) -> None:
        server = self.local()
        server.slow = {"dcm/set"}
        dcm = DCMProxy()
        with mock.patch("dcm_run.tasks.TASKS_MAX", 2):
            numbers = [dcm.post.set([HEAD, "Merge", []]) for _ in range(2)]
            self.refused("full", dcm.post.set, [HEAD, "Merge", []])
        server.go_on.set()
        for it in numbers:
            dcm.wait(it, 0)


class CommandLine(WithFolder):
    def run_it(self, *words: str) -> tuple[int, str]:
        out = io.StringIO()
        with mock.patch.object(sys, "argv", ["dcm_run", *words]), contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(out):
            return command_line.main(), out.getvalue()

    def test_values_are_read_and_sent(self) -> None:
        server = self.local()
        self.assertEqual(self.run_it("get", "a", "b"), (0, "a 0.25\nb -\n"))
        self.assertEqual(self.run_it("set", HEAD, "-90deg", "--in", "250ms")[0], 0)
        key, kind, [[value, time]] = server.asked[-1][2]
        self.assertEqual((key, kind, time), (HEAD, "ClearAll", 2**31 - 250))
        self.assertAlmostEqual(value, -1.5707963)
        self.assertEqual((command_line.span("2s"), command_line.span("0.5")), (2000, 500))

    def test_an_error_is_one_line(self) -> None:
        self.assertEqual(self.run_it("--robot", "nobody", "get", "a")[0], 1)


if __name__ == "__main__":
    unittest.main()
