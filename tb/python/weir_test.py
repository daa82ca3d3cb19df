# SPDX-License-Identifier: Apache-2.0
"""The Python module as a user sees it: scripts/weir-python -m unittest discover -s tb/python -p '*_test.py'"""
import ast
import inspect
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy
import weir

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCAST = ROOT / "vectors/scenarios/incast_star4_dt_late_xoff.toml"
BURST = ROOT / "vectors/scenarios/burst_star20_dsh_tomahawk.toml"
DCQCN = ROOT / "vectors/scenarios/incast_star9_lossy_dcqcn.toml"
GROUP = "tor.port[0].pg[0]"


class Load(unittest.TestCase):
    def test_a_scenario_says_what_it_is(self):
        scenario = weir.load(BURST)
        self.assertEqual(scenario.name, "burst_star20_dsh_tomahawk")
        self.assertEqual(scenario.until_ps, 260_000_000)
        self.assertEqual(scenario.switches, ["tor"])
        self.assertEqual(len(scenario.hosts), 20)
        self.assertEqual(scenario.cell_bytes("tor"), 208)

    def test_overrides_are_those_of_set(self):
        overrides = {"scenario.until": "20 us", "scenario.seed": 7,
                     "switch.tor.profile.lossy.priorities": [7]}
        scenario = weir.load(BURST, overrides)
        self.assertEqual(scenario.until_ps, 20_000_000)
        self.assertEqual(scenario.seed, 7)

    def test_what_cannot_be_is_a_config_error_that_names_it(self):
        with self.assertRaisesRegex(weir.ConfigError, "profile.lossless.polcy"):
            weir.load(BURST, {"switch.tor.profile.lossless.polcy": "dsh"})
        with self.assertRaisesRegex(weir.ConfigError, "nowhere.toml"):
            weir.load("nowhere.toml")
        self.assertTrue(issubclass(weir.ConfigError, ValueError))


class Run(unittest.TestCase):
    def test_the_summary_is_that_of_the_program(self):
        summary = weir.load(INCAST).run()["summary"]
        self.assertEqual(summary["scenario"], "incast_star4_dt_late_xoff")
        self.assertGreater(summary["totals"]["delivered_packets"], 0)

    def test_many_runs_in_one_process_give_the_same(self):
        scenario = weir.load(BURST, {"scenario.until": "50 us"})
        self.assertEqual(scenario.run()["summary"], scenario.run()["summary"])

    def test_series_are_arrays_of_one_length_in_ascending_time(self):
        names = [GROUP, "tor.port[17].pg[0]", "tor.pool[lossless].domain[0]"]
        result = weir.load(BURST).run(series=names, every="200 ns")
        self.assertEqual(list(result["series"]), names)
        for name in names:
            series = result["series"][name]
            time = series["time_ps"]
            self.assertEqual(time.dtype, numpy.int64)
            self.assertGreater(len(time), 500)
            self.assertTrue((numpy.diff(time.astype(numpy.int64)) > 0).all())
            for field in ("private", "shared", "headroom", "threshold", "xoff"):
                self.assertEqual(len(series[field]), len(time), (name, field))
        background = result["series"]["tor.port[17].pg[0]"]
        self.assertTrue(background["xoff"].any(), "the background reaches its threshold")
        paused = background["xoff"].argmax()
        self.assertFalse(background["xoff"][:paused].any())
        self.assertGreaterEqual(int(background["shared"][:paused + 1].max()) + 60,
                                int(background["threshold"][paused]))
        pool = result["series"]["tor.pool[lossless].domain[0]"]
        self.assertLessEqual(int(pool["shared"].max()), int(pool["threshold"][0]))

    def test_differences_of_series_have_a_sign(self):
        group = weir.load(BURST).run(series="tor.port[17].pg[0]")["series"]["tor.port[17].pg[0]"]
        room = group["threshold"] - group["shared"]
        self.assertLess(room.min(), 0, "T falls below what the group holds")
        self.assertGreaterEqual(room.min(), -int(group["shared"].max()))

    def test_queues_and_rates_are_those_of_the_summary_at_the_end(self):
        scenario = weir.load(DCQCN, {"scenario.until": "2 ms"})
        result = scenario.run(series=["tor.port[8].queue[3]", "h2.rate[incast]"], every="1 us")
        queue = result["series"]["tor.port[8].queue[3]"]
        self.assertEqual(set(queue["min"]), {200})
        self.assertEqual(set(queue["max"]), {800})
        self.assertGreater(queue["waiting"].max(), 800, "K_max is passed at the start")
        marked = result["summary"]["totals"]["ecn_marked_packets"]
        self.assertTrue((numpy.diff(queue["marked"]) >= 0).all())
        self.assertTrue(marked - 2 <= queue["marked"][-1] <= marked, "the last period may be cut")
        rates = result["series"]["h2.rate[incast]"]
        self.assertEqual(set(rates["peer"]), {scenario.hosts.index("h8")})
        self.assertTrue((rates["rate_bps"] <= rates["target_bps"]).all())
        self.assertLess(rates["rate_bps"].min(), 20e9)
        self.assertEqual(rates["time_ps"][0], 23_000_000)
        self.assertGreater(rates["cnps"][-1], 5)
        self.assertLess(rates["alpha_ppm"][-1], 1_000_000)

    def test_series_that_are_no_names_are_config_errors(self):
        scenario = weir.load(BURST)
        for series in (3, [3], [GROUP, None], {"a": 1}, None):
            with self.assertRaisesRegex(weir.ConfigError, "a name or a list of names"):
                scenario.run(series=series)

    def test_the_peak_of_every_step_is_the_watermark_of_the_summary(self):
        name = "tor.pool[lossless].domain[0]"
        result = weir.load(BURST, {"scenario.until": "220 us"}).run(series=[name], every="0 s")
        peak = result["summary"]["totals"]["peak_shared_cells"]
        self.assertEqual(int(result["series"][name]["shared"].max()), peak)

    def test_watching_changes_nothing(self):
        scenario = weir.load(BURST, {"scenario.until": "220 us"})
        self.assertEqual(scenario.run()["summary"], scenario.run(series=[GROUP])["summary"])

    def test_names_that_say_nothing_are_config_errors(self):
        scenario = weir.load(BURST)
        for name in ("leaf.port[0].pg[0]", "tor.port[32].pg[0]", "tor.port[0].pg[8]",
                     "tor.port[0].pg[0].x", "tor.pool[lossy].domain[0]",
                     "tor.pool[lossless].domain[1]", "tor"):
            with self.assertRaisesRegex(weir.ConfigError, "series"):
                scenario.run(series=[name])
        for name, legal in (("tor.port[0].queue[3]", "a queue with a WRED profile"),
                            ("h0.rate[incast]", "a traffic entry of the host that has rate")):
            with self.assertRaisesRegex(weir.ConfigError, legal):
                scenario.run(series=[name])
        with self.assertRaisesRegex(weir.ConfigError, "samples rates"):
            rates = DCQCN.read_text().replace('[monitor]\nperiod = "23 us"', "")
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(rates)
                file.flush()
                weir.load(file.name).run(series=["h0.rate[incast]"])
        with self.assertRaisesRegex(weir.ConfigError, "every"):
            scenario.run(every="often")

    def test_ctrl_c_ends_it_and_its_child(self):
        # Who is started in the background of a shell ignores the signal.
        script = ("import signal, sys, weir\n"
                  "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                  f"scenario = weir.load({str(BURST)!r}, {{'scenario.until': '100 s'}})\n"
                  "print('runs', flush=True)\nscenario.run()\n")
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE, start_new_session=True) as process:
            self.assertEqual(process.stdout.readline(), "runs\n")
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            try:
                _, errors = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            self.assertIn("KeyboardInterrupt", errors)
            with self.assertRaises(ProcessLookupError, msg="its child still runs"):
                os.killpg(process.pid, 0)

    def test_the_last_port_and_group_are_legal(self):
        result = weir.load(BURST, {"scenario.until": "5 us"}).run(series=["tor.port[31].pg[7]"])
        self.assertEqual(int(result["series"]["tor.port[31].pg[7]"]["shared"].max(initial=0)), 0)


class Program(unittest.TestCase):
    """What the program does, as functions."""

    def test_headroom_is_that_of_the_command(self):
        answer = weir.headroom(rate="400G", cable="100m", cell=254)
        self.assertEqual(answer["port"]["cell_bytes"], 254)
        self.assertEqual(answer["methods"]["paper"]["cells"], 285, "docs/guide/headroom.md")
        one = weir.headroom(rate="400G", cable="100m", cell=254, method="paper")
        self.assertEqual(list(one["methods"]), ["paper"])

    def test_headroom_of_what_cannot_be_is_a_config_error(self):
        with self.assertRaisesRegex(weir.ConfigError, "cable"):
            weir.headroom(rate="400G", cable="often")

    def test_lint_names_its_findings(self):
        answer = weir.lint(ROOT / "vectors/chips/dsh_trident2.toml")
        self.assertEqual(answer["errors"], len([finding for finding in answer["findings"]
                                                if finding["severity"] == "error"]))
        self.assertIn("E103", [finding["code"] for finding in answer["findings"]])
        with self.assertRaisesRegex(weir.ConfigError, "nowhere.toml"):
            weir.lint("nowhere.toml")

    def test_events_are_those_of_the_summary(self):
        with tempfile.TemporaryDirectory() as folder:
            summary = weir.run(INCAST, out=f"{folder}/run", overrides={"scenario.seed": 3})
            frames = weir.events(f"{folder}/run", "pfc_frames")
            self.assertEqual(summary["seed"], 3)
            self.assertEqual(frames["time_ps"].dtype, numpy.int64)
            pauses = (frames["direction"] == "sent") & (frames["quanta"] > 0)
            self.assertEqual(int(pauses.sum()), summary["totals"]["pauses_sent"])
            self.assertGreater(int(pauses.sum()), 0)
            with self.assertRaisesRegex(weir.ConfigError, "must be one of .*pfc_frames"):
                weir.events(f"{folder}/run", "frames")
        with self.assertRaisesRegex(weir.ConfigError, "no such file"):
            weir.events(folder, "pfc_frames")

    def test_a_damaged_database_is_a_config_error(self):
        with tempfile.TemporaryDirectory() as folder:
            weir.run(INCAST, out=f"{folder}/run", overrides={"scenario.until": "100 us"})
            file = pathlib.Path(folder, "run/events.sqlite")
            whole = file.read_bytes()
            for damaged in (b"no database" * 1000, whole[:len(whole) // 2]):
                file.write_bytes(damaged)
                with self.assertRaisesRegex(weir.ConfigError, "events.sqlite"):
                    weir.events(f"{folder}/run", "pfc_frames")

    def test_the_summary_of_run_is_that_of_a_loaded_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(weir.run(INCAST, out=f"{folder}/run"), weir.load(INCAST).run()["summary"])

    def test_a_sweep_gives_a_column_for_each_axis_and_figure(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "two.toml"
            file.write_text(f'[sweep]\nname = "two"\nscenarios = "{INCAST}"\nseeds = 2\n[[axis]]\n'
                            'name = "until"\nkey = "scenario.until"\n'
                            'values = ["20 us", "40 us", "60 us"]\n')
            runs = weir.sweep(file, jobs=2)
        self.assertEqual(list(runs["until"]), [text for text in ("20 us", "40 us", "60 us")
                                               for _ in range(2)])
        self.assertEqual(list(runs["time_ps"]), [20_000_000] * 2 + [40_000_000] * 2 + [60_000_000] * 2)
        self.assertEqual(set(runs["status"]), {"ok"})
        self.assertEqual(runs["pauses_sent"].shape, (6,))

    def test_without_a_program_the_error_says_what_to_do(self):
        script = ("import sysconfig\nsysconfig.get_path = lambda name: '/nowhere'\n"
                  "import weir\nweir.lint('x.toml')\n")
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(weir.__file__).parent
            shutil.copytree(package, pathlib.Path(folder) / "copy/lib/weir")
            done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True,
                                  env={"PYTHONPATH": f"{folder}/copy/lib", "PATH": "/nowhere"})
        self.assertIn("there is no program `weir` next to the module", done.stderr)


class Types(unittest.TestCase):
    """The stub says what the module has."""

    def setUp(self):
        text = (pathlib.Path(weir.__file__).parent / "__init__.pyi").read_text()
        self.stub = {node.name: node for node in ast.parse(text).body if hasattr(node, "name")}

    def test_every_public_name_has_a_type(self):
        typed = set(self.stub) | {"__version__"}
        self.assertLessEqual(set(weir.__all__), typed)
        for name in weir.__all__:
            self.assertTrue(hasattr(weir, name), name)

    def test_functions_have_the_parameters_of_the_stub(self):
        for name in ("headroom", "lint", "run", "events", "sweep"):
            arguments = self.stub[name].args
            named = [each.arg for each in arguments.args + arguments.kwonlyargs]
            shown = [each.name for each in inspect.signature(getattr(weir, name)).parameters.values()
                     if each.kind != each.VAR_KEYWORD]
            self.assertEqual(named, shown, name)

    def test_members_of_scenario_are_those_of_the_stub(self):
        members = {node.name for node in self.stub["Scenario"].body}
        self.assertEqual(members, {name for name in vars(weir.Scenario) if name[0] != "_"})

    def test_series_have_the_arrays_and_types_of_the_stub(self):
        typed = {node.target.id: ast.unparse(node.annotation) for node in self.stub["Series"].body
                 if isinstance(node, ast.AnnAssign)}
        group = weir.load(BURST, {"scenario.until": "5 us"}).run(series=GROUP)["series"][GROUP]
        self.assertEqual({name: f"NDArray[numpy.{array.dtype.name.replace('bool', 'bool_')}]"
                          for name, array in group.items()}, typed)

    def test_everything_public_says_what_it_is(self):
        for name in weir.__all__:
            if name != "__version__":
                self.assertTrue((getattr(weir, name).__doc__ or "").strip(), name)


class Notebook(unittest.TestCase):
    def test_the_cells_of_the_notebook_run(self):
        done = subprocess.run([sys.executable, "systemc/examples/alpha_notebook.py"], text=True,
                              cwd=ROOT, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"least room in cells: -\d+ pauses: [1-9]")
        self.assertEqual(len(re.findall(r"^1/\d+|^1 ", done.stdout, re.M)), 28)


class Document(unittest.TestCase):
    def test_its_lines_do_what_it_says(self):
        text = (ROOT / "docs/guide/python.md").read_text()
        lines = re.search("```python\n(.*?)```", text, re.DOTALL).group(1)
        here = os.getcwd()
        names = {}
        try:
            os.chdir(ROOT)
            exec(lines, names)
        finally:
            os.chdir(here)
        self.assertGreater(names["result"]["summary"]["totals"]["pauses_sent"], 0)
        self.assertTrue((names["group"]["shared"] >= names["group"]["threshold"]).any())
        for word in weir.__all__:
            self.assertIn(f"weir.{word}" if word != "Scenario" else word, text)


if __name__ == "__main__":
    unittest.main()
