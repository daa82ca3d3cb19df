# SPDX-License-Identifier: Apache-2.0
"""The Python module as a user sees it: scripts/weir-python -m unittest discover -s tb/python -p '*_test.py'"""
import ast
import copy
import inspect
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest

import numpy
import weir

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCAST = ROOT / "vectors/scenarios/incast_star4_dt_late_xoff.toml"
BURST = ROOT / "vectors/scenarios/burst_star20_dsh_tomahawk.toml"
DCQCN = ROOT / "vectors/scenarios/incast_star9_lossy_dcqcn.toml"
DOMAINS = ROOT / "vectors/scenarios/incast_star16_dt_tomahawk1.toml"
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

    def test_a_preset_is_loaded_by_its_name(self):
        scenario = weir.load(BURST.stem, {"scenario.until": "20 us"})
        self.assertEqual(repr(scenario), repr(weir.load(BURST, {"scenario.until": "20 us"})))
        self.assertEqual(_summary(pickle.loads(pickle.dumps(scenario))), _summary(scenario))
        with self.assertRaises(weir.ConfigError) as caught:
            weir.load("burst_star20_dsh_tomahak")
        self.assertEqual(str(caught.exception), 'file = "burst_star20_dsh_tomahak": no such file or preset, '
                         "did you mean burst_star20_dsh_tomahawk?; weir list scenarios shows the presets")

    def test_messages_name_the_argument_and_no_option(self):
        for key in ("switch.tor.profile.lossless.polcy", "alpha", "scenario.untill"):
            with self.assertRaisesRegex(weir.ConfigError, "^overrides: ") as caught:
                weir.load(BURST, {key: "dsh"})
            self.assertNotIn("--", str(caught.exception))

    def test_arguments_of_another_type_are_config_errors_in_one_line(self):
        for overrides, legal in ((["scenario.seed", 7], "must be {key: value}"), ("seed=7", "must be {key: value}"),
                                 ({7: "dsh"}, "must have a key of text"),
                                 ({"scenario.seed": object()}, "must be text, a number")):
            for call in (lambda: weir.load(BURST, overrides), lambda: weir.lint(BURST, overrides=overrides)):
                with self.assertRaisesRegex(weir.ConfigError, f"^overrides.*{legal}.*$"):
                    call()
        with self.assertRaisesRegex(weir.ConfigError, "^switch = 5: must be the name of a switch$"):
            weir.load(BURST).cell_bytes(5)

    def test_it_shows_in_a_line(self):
        self.assertEqual(repr(weir.load(BURST)), "<weir.Scenario burst_star20_dsh_tomahawk: 1 switch, "
                                                 "20 hosts, 260 us, seed 1>")
        self.assertIn("20.5 us, seed 7", repr(weir.load(BURST, {"scenario.until": "20.5 us",
                                                                "scenario.seed": 7})))


def _summary(scenario):
    return scenario.run()["summary"]


class Copies(unittest.TestCase):
    """A Scenario in another process or another place."""
    SHORT = {"scenario.until": "50 us", "scenario.seed": 5}

    def setUp(self):
        self.scenario = weir.load(BURST, self.SHORT)

    def test_pickles_and_copies_run_to_the_same_summary(self):
        summary = _summary(self.scenario)
        for other in (pickle.loads(pickle.dumps(self.scenario)), copy.copy(self.scenario),
                      copy.deepcopy([self.scenario])[0]):
            self.assertIsNot(other, self.scenario)
            self.assertEqual(repr(other), repr(self.scenario))
            self.assertEqual(_summary(other), summary)

    def test_processes_of_a_pool_run_it(self):
        scenarios = [weir.load(BURST, dict(self.SHORT, **{"scenario.seed": seed})) for seed in (5, 6, 7)]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(_summary, scenarios), [_summary(one) for one in scenarios])

    def test_results_are_pickled_with_their_arrays(self):
        result = self.scenario.run(series=GROUP)
        other = pickle.loads(pickle.dumps(result))
        self.assertIs(type(other), weir.Result)
        self.assertEqual(other["summary"], result["summary"])
        self.assertTrue((other["series"][GROUP]["shared"] == result["series"][GROUP]["shared"]).all())

    def test_the_working_directory_does_not_matter(self):
        here = os.getcwd()
        try:
            os.chdir(BURST.parent)
            pickled = pickle.dumps(weir.load(BURST.name, self.SHORT))
            os.chdir("/")
            self.assertEqual(_summary(pickle.loads(pickled)), _summary(self.scenario))
        finally:
            os.chdir(here)

    def test_standard_input_is_not_there_to_be_read_again(self):
        script = ("import pickle, weir\nscenario = weir.load('-')\n"
                  "try: pickle.dumps(scenario)\nexcept weir.ConfigError as error: print(error)")
        done = subprocess.run([sys.executable, "-c", script], input=BURST.read_text(), text=True,
                              cwd=BURST.parent, capture_output=True,
                              env=dict(os.environ, PYTHONPATH=str(pathlib.Path(weir.__file__).parents[1])))
        self.assertEqual(done.stdout, "file = -: must be a file where a Scenario is pickled\n", done.stderr)

    def test_a_file_that_has_changed_since_is_a_config_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "mine.toml")
            text = BURST.read_text().replace("../chips/", f"{BURST.parent.parent}/chips/")
            file.write_text(text)
            pickled = pickle.dumps(weir.load(file))
            file.write_text("# a line more\n" + text)
            self.assertEqual(_summary(pickle.loads(pickled)), _summary(weir.load(file)))
            loaded = weir.load(file)
            file.write_text(re.sub(r'until = "[^"]*"', 'until = "30 us"', text))
            with self.assertRaisesRegex(weir.ConfigError, "mine.toml: .*load it again"):
                pickle.loads(pickle.dumps(loaded))  # changed before it was pickled
            with self.assertRaisesRegex(weir.ConfigError, "mine.toml: .*load it again"):
                pickle.loads(pickled)
            file.unlink()
            with self.assertRaisesRegex(weir.ConfigError, "mine.toml"):
                pickle.loads(pickled)


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
            self.assertEqual(series["time_s"].dtype, numpy.float64)
            self.assertTrue((series["time_s"] == time / 1e12).all(), "seconds")
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

    def test_a_result_shows_in_a_line(self):
        result = weir.load(BURST, {"scenario.until": "50 us"}).run(series=GROUP, every="1 us")
        totals = result["summary"]["totals"]
        self.assertEqual(repr(result), "<weir.Result of burst_star20_dsh_tomahawk: 50 us, "
                         f"{totals['delivered_packets']:,} packets delivered, 0 dropped, "
                         f"{totals['pauses_sent']} pauses sent; series: {GROUP}>")
        series = result["series"][GROUP]
        self.assertRegex(repr(series), rf"^<weir.Series of {len(series['time_ps'])} entries from "
                         r"[0-9.]+ [num]s to [0-9.]+ us: time_ps, time_s, private, shared, .*xoff>$")

    def test_the_load_of_a_wire_is_what_its_port_has_sent(self):
        scenario = weir.load(INCAST)
        result = scenario.run(series=["tor.port[3].tx", "tor.port[0].tx", "h0.tx"], every="1 us")
        ports = {one["port"]: one for one in result["summary"]["switches"][0]["ports"]}
        host = next(one for one in result["summary"]["hosts"] if one["name"] == "h0")
        for name, of in (("tor.port[3].tx", ports[3]), ("tor.port[0].tx", ports[0]), ("h0.tx", host)):
            wire = result["series"][name]
            self.assertEqual(list(wire["time_ps"]), list(range(0, scenario.until_ps, 1_000_000)))
            self.assertTrue((0 <= wire["busy_ps"]).all() and (wire["busy_ps"] <= 1_000_000).all())
            self.assertEqual(list(wire["load_ppm"]), list(wire["busy_ps"]), "of 1 us")
            data = sum(one["tx_bytes"] + 20 * one["tx_packets"] for one in of["priorities"])
            frames = of.get("pfc_frames_sent", 0)
            byte_ps = 8 * 10**12 // of["rate_bps"]
            self.assertGreater(data + 84 * frames, 0)
            self.assertLessEqual(abs(int(wire["busy_ps"].sum()) - (data + 84 * frames) * byte_ps),
                                 1600 * byte_ps, f"{name}: the end may cut a frame")

    def test_pauses_of_a_class_add_up_to_those_of_the_summary(self):
        names = ["h0.tx.pause[3]", "h1.tx.pause[3]", "tor.port[0].tx.pause[3]"]
        scenario = weir.load(INCAST)
        coarse, fine = (scenario.run(series=names, every=every) for every in ("5 us", "100 ns"))
        for name in names[:2]:
            one = coarse["series"][name]
            host = next(each for each in coarse["summary"]["hosts"] if each["name"] == name[:2])
            paused = next(each for each in host["priorities"] if each["priority"] == 3)
            self.assertEqual(int(one["paused_ps"].sum()), paused["pause_time_ps"])
            self.assertGreater(paused["pause_time_ps"], 0, name)
            self.assertEqual(one["paused"].dtype, numpy.bool_)
            self.assertTrue(one["paused"].any() and not one["paused"].all())
            short = fine["series"][name]
            self.assertEqual(list(short["paused_ps"].reshape(-1, 50).sum(axis=1)),
                             list(one["paused_ps"]))
            self.assertEqual(list(short["paused"][::50]), list(one["paused"]))
            # A period that begins paused and is not paused for all of it ends before it is over.
            self.assertTrue((short["paused_ps"][short["paused"]] > 0).all())
        self.assertEqual(int(coarse["series"][names[2]]["paused_ps"].sum()), 0, "no host sends PAUSE")

    def test_wires_and_classes_need_a_period(self):
        scenario = weir.load(BURST)
        for name in ("h0.tx", "tor.port[0].tx.pause[3]"):
            with self.assertRaisesRegex(weir.ConfigError, "every = 0 ps: must be above zero"):
                scenario.run(series=name, every="0 s")
            with self.assertRaisesRegex(weir.ConfigError, "every = 1 ps: must be at least 3 ps"):
                scenario.run(series=name, every="1 ps")

    def test_series_that_are_no_names_are_config_errors(self):
        scenario = weir.load(BURST)
        for series in (3, [3], [GROUP, None], {"a": 1}, None):
            with self.assertRaisesRegex(weir.ConfigError, "a name or a list of names, such as tor.port"):
                scenario.run(series=series)

    def test_the_names_that_errors_show_are_legal(self):
        for file in (BURST, INCAST, DCQCN):
            scenario = weir.load(file, {"scenario.until": "5 us"})
            for name in ("h0", "h0.", "h0.pg[3]", "tor", "leaf", "tor.pool[none].domain[0]",
                         "tor.port[0]", "tor.port[77].tx", "h0.tx.pause[8]", "tor.port[0].tx.frame",
                         "tor.port[0].pg[3].other", "tor.mmu", "tor.mmu.ingress_accounting",
                         "tor.mmu.ingress_accounting.domain[0]", "tor.mmu.ingress_accounting.domain[9].main",
                         "tor.mmu.ingress_accounting.domain[0].none"):
                with self.assertRaises(weir.ConfigError) as caught:
                    scenario.run(series=name)
                shown = str(caught.exception).split("as in ")[1].split(" or ")
                for legal in shown:
                    if "rate[" not in legal:
                        self.assertEqual(list(scenario.run(series=legal)["series"]), [legal])

    def test_the_peak_of_every_step_is_the_watermark_of_the_summary(self):
        name = "tor.pool[lossless].domain[0]"
        result = weir.load(BURST, {"scenario.until": "220 us"}).run(series=[name], every="0 s")
        peak = result["summary"]["totals"]["peak_shared_cells"]
        self.assertEqual(int(result["series"][name]["shared"].max()), peak)

    def test_a_pool_has_its_name_of_the_waveform_as_well(self):
        here, there = "tor.pool[lossless].domain[0]", "tor.mmu.ingress_accounting.domain[0].lossless"
        result = weir.load(BURST, {"scenario.until": "50 us"}).run(series=[here, there], every="0 s")
        self.assertGreater(len(result["series"][here]["time_ps"]), 100)
        for column, values in result["series"][here].items():
            self.assertTrue((values == result["series"][there][column]).all(), column)
        scenario = weir.load(DOMAINS, {"scenario.until": "5 us"})
        name = "tor.mmu.ingress_accounting.domain[1].lossless"
        self.assertEqual(list(scenario.run(series=name)["series"]), [name])

    def test_an_array_at_the_end_of_a_name_is_called_one(self):
        scenario = weir.load(BURST, {"scenario.until": "5 us"})
        for name, array in ((GROUP, "shared"), ("tor.pool[lossless].domain[0]", "threshold"),
                            ("tor.mmu.ingress_accounting.domain[0].lossless", "shared"),
                            ("h0.tx", "load_ppm")):
            with self.assertRaises(weir.ConfigError) as caught:
                scenario.run(series=f"{name}.{array}")
            self.assertEqual(str(caught.exception), f"series = {name}.{array}: must end before .{array}, "
                             f"which is one of the arrays of {name}")

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

    def test_messages_name_arguments_and_no_options(self):
        with tempfile.TemporaryDirectory() as folder:
            for call in (lambda: weir.headroom(rate="often", cable="100m"),
                         lambda: weir.headroom(rate="400G", cable="100m", cel=254),
                         lambda: weir.headroom(rate="400G", cable="100m", cell="often"),
                         lambda: weir.lint(ROOT / "vectors/chips/dsh_trident2.toml", cable="often"),
                         lambda: weir.run(INCAST, out=f"{folder}/run", events="some"),
                         lambda: weir.run(INCAST, out=f"{folder}/run", overrides={"alpha": 1}),
                         lambda: weir.sweep(ROOT / "vectors/sweeps/alpha_star16_dt_trident2.toml",
                                            jobs="often")):
                with self.assertRaises(weir.ConfigError) as caught:
                    call()
                message = str(caught.exception).replace("--help", "")
                self.assertNotIn("--", message)
                self.assertRegex(message, "rate|cable|cel|events|overrides|jobs")

    def test_lint_names_its_findings(self):
        answer = weir.lint(ROOT / "vectors/chips/dsh_trident2.toml")
        self.assertEqual(answer["errors"], len([finding for finding in answer["findings"]
                                                if finding["severity"] == "error"]))
        self.assertIn("E103", [finding["code"] for finding in answer["findings"]])
        with self.assertRaisesRegex(weir.ConfigError, "nowhere.toml"):
            weir.lint("nowhere.toml")

    def test_lint_takes_overrides(self):
        chip = ROOT / "docs/guide/first/tor.toml"
        self.assertEqual(weir.lint(chip, cable="100m")["errors"], 0)
        small = weir.lint(chip, cable="100m", overrides={"profile.lossless.headroom": "8 kB"})
        self.assertEqual([one["code"] for one in small["findings"] if one["severity"] == "error"], ["E102"])

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
            with self.assertRaisesRegex(weir.ConfigError, r'verdicts: .*run with events="all"'):
                weir.events(f"{folder}/run", "verdicts")
            weir.run(INCAST, out=f"{folder}/all", events="all")
            self.assertGreater(len(weir.events(f"{folder}/all", "verdicts")["time_ps"]), 0)
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


def shape(text):
    """[(name, kind, default)] of a parameter list as Python text."""
    arguments = ast.parse(f"def f({text}): ...").body[0].args
    plain = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    rows = [(each.arg, "plain", default) for each, default in zip(plain, defaults)]
    rows += [(each.arg, "keyword", default)
             for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    rows += [(each.arg, kind, None) for each, kind in ((arguments.vararg, "*"), (arguments.kwarg, "**"))
             if each]
    return [(name, kind, None if default is None else ast.literal_eval(default))
            for name, kind, default in rows]


def shape_in(function):
    """The same of a function of the module; pybind11 writes it in the first line of the docstring."""
    if isinstance(function, (types.FunctionType, type)):
        return shape(str(inspect.signature(function))[1:-1])
    return shape(re.match(r"\w+\((.*)\) -> ", function.__doc__)[1])


class Types(unittest.TestCase):
    """The stub says what the module has."""
    CLASSES = ("Scenario", "Series", "Result", "ConfigError", "ModelError")

    def setUp(self):
        self.tree = ast.parse((pathlib.Path(weir.__file__).parent / "__init__.pyi").read_text())
        self.stub = {node.name: node for node in self.tree.body if hasattr(node, "name")}

    def literals(self, name):
        value = next(node.value for node in self.tree.body if isinstance(node, ast.Assign)
                     and node.targets[0].id == name)
        return set(ast.literal_eval(value.slice if isinstance(value, ast.Subscript) else value))

    def test_every_public_name_has_a_type_and_every_type_a_name(self):
        self.assertEqual(set(self.stub) | {"__version__"}, set(weir.__all__))
        self.assertEqual(self.literals("__all__"), set(weir.__all__))
        self.assertEqual({name for name in dir(weir) if name[0] != "_"}
                         - {"program", "result"}, set(weir.__all__) - {"__version__"})

    def test_functions_have_the_parameters_and_defaults_of_the_stub(self):
        functions = [name for name, node in self.stub.items() if isinstance(node, ast.FunctionDef)]
        self.assertEqual(set(functions), set(weir.__all__) - {*self.CLASSES, "__version__"})
        for name in functions:
            self.assertEqual(shape(ast.unparse(self.stub[name].args)), shape_in(getattr(weir, name)), name)

    def test_classes_have_the_bases_of_the_stub(self):
        for name in self.CLASSES:
            bases = [ast.unparse(base).split("[")[0] for base in self.stub[name].bases]
            self.assertEqual(bases or ["pybind11_object"],
                             [base.__name__ for base in getattr(weir, name).__bases__], name)

    def test_members_are_those_of_the_stub(self):
        of_pybind = {"__module__", "__doc__", "__init__", "__dict__", "__weakref__",
                     "__slotnames__"}  # the last by copyreg
        for name in self.CLASSES:
            real = vars(getattr(weir, name))
            typed = {node.name: node for node in self.stub[name].body if hasattr(node, "name")}
            self.assertEqual(set(typed) - {"__getitem__"}, set(real) - of_pybind, name)
            for member, node in typed.items():
                if member[0] == "_":
                    continue
                is_property = bool(node.decorator_list)
                self.assertEqual(is_property, isinstance(real[member], property), member)
                if not is_property:
                    self.assertEqual(shape(ast.unparse(node.args))[1:],
                                     shape_in(getattr(weir.Scenario, member))[1:], member)

    def test_series_have_the_arrays_and_types_of_the_stub(self):
        integers, flags = self.literals("_Integers"), self.literals("_Flags")
        kinds = {**dict.fromkeys(integers, "int64"), **dict.fromkeys(flags, "bool"), "time_s": "float64"}
        scenario = weir.load(DCQCN, {"scenario.until": "30 us"})
        names = ["tor.port[0].pg[3]", "tor.pool[main].domain[0]", "tor.port[8].queue[3]", "h2.tx",
                 "h2.tx.pause[3]", "h2.rate[incast]"]
        result = scenario.run(series=names)
        self.assertIs(type(result), weir.Result)
        shown = {}
        for series in result["series"].values():
            self.assertIs(type(series), weir.Series)
            shown.update({name: array.dtype.name for name, array in series.items()})
        self.assertEqual(shown, kinds)
        self.assertEqual(set(result), {"summary", "series"})

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
