# SPDX-License-Identifier: Apache-2.0
"""Executors of systemc/python/sonic_mgmt under a threshold search: they give the counts of vectors/silicon/public.json from
SONiC folders, and follow the interface of sonic-mgmt's probe framework. ExecutorRegistry here is our own, with the same decorator."""
import argparse
import atexit
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ROOT / "vectors/sonic/silicon"
CASES = {case["id"]: case for case in json.loads((ROOT / "vectors/silicon/public.json").read_text())["cases"]}
PROBE_OF = {"trig_pfc": "pfc_xoff", "trig_ingr_drp": "ingress_drop", "lossy_trig_egr_drp": "egress_drop",
            "xon_dismiss": "pfc_xon"}
LOSSLESS, LOSSY = 3, 1

parser = argparse.ArgumentParser()
parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
OPTIONS, REST = parser.parse_known_args()
LIBRARY = OPTIONS.build / "systemc/c/libweir_mmu.so"
RTL_LIBRARY = OPTIONS.build / "lib/weir/libweir_mmu_l2.so"
SCRATCH = tempfile.TemporaryDirectory()
atexit.register(SCRATCH.cleanup)


class ExecutorRegistry:
    """What the modules ask of the registry: a decorator that keeps a class, and creation by its key."""
    classes = {}

    @classmethod
    def register(cls, probe_type, executor_env, scenario=None):
        def keep(executor):
            cls.classes[probe_type, executor_env, scenario] = executor
            return executor
        return keep

    @classmethod
    def create(cls, probe_type, executor_env, scenario=None, **keywords):
        importlib.import_module(f"{executor_env}_{probe_type}_probing_executor")
        return cls.classes[probe_type, executor_env, scenario](**keywords)


class Observer:
    def __init__(self):
        self.lines = []

    def trace(self, line):
        self.lines.append(line)


# A module of the framework's own, later on the path than ours of the same name.
THEIRS = pathlib.Path(SCRATCH.name) / "theirs"
THEIRS.mkdir()
(THEIRS / "sim_pfc_xoff_probing_executor.py").write_text(
    "from executor_registry import ExecutorRegistry\n"
    "@ExecutorRegistry.register(probe_type='pfc_xoff', executor_env='sim')\n"
    "class Theirs:\n    pass\n")
registry = types.ModuleType("executor_registry")
registry.ExecutorRegistry = ExecutorRegistry
sys.modules["executor_registry"] = registry
sys.path[:0] = [str(ROOT / "systemc/python/sonic_mgmt"), str(THEIRS)]


def chip_of(name):
    """The chip file that weir imports from a folder."""
    out = pathlib.Path(SCRATCH.name) / name
    if not out.exists():
        subprocess.run([OPTIONS.build / "bin/weir", "import", "sonic", FOLDERS / name, "--out", out], check=True,
                       stdout=subprocess.DEVNULL)
    return out / "chip.toml"


def executor(probe_type, chip, scenario="weir", **keywords):
    return ExecutorRegistry.create(probe_type, "sim", scenario=scenario, observer=Observer(), name="test",
                                   chip=str(chip), library=str(LIBRARY), rtl=str(RTL_LIBRARY), **keywords)


def search(probe, src, dst, **traffic):
    """The least value that is detected: upper bound, lower bound, range, point."""
    def detected(value, **keywords):
        success, found = probe.check(src, dst, value=value, **keywords, **traffic)
        assert success, f"check of {value} packets"
        return found

    probe.prepare(src, dst)
    upper = 64
    while not detected(upper):
        upper *= 2
    lower = upper // 2
    while lower and detected(lower):
        lower //= 2
    while upper - lower > max(8, upper // 32):  # the rest one packet at a time, which is cheaper
        middle = (lower + upper) // 2
        lower, upper = (lower, middle) if detected(middle, attempts=2) else (middle, upper)
    point = lower + 1
    found = detected(point)
    while not found:  # one packet more each time, on top of what is held
        point += 1
        found = detected(1, drain_buffer=False)
    assert point <= upper, f"point {point} beyond the upper bound {upper}"
    return point


def ports_of(name):
    return len(json.loads((FOLDERS / name / "config_db.json").read_text())["PORT"])


def counts(name, scenario, quantities):
    """{quantity: (count of the search, published count, window of its test)} of a case."""
    found = {}
    for expected in CASES[name]["expected"]:
        quantity = expected["quantity"]
        if quantity not in quantities:
            continue
        probe = executor(PROBE_OF[quantity], chip_of(name), scenario)
        number = LOSSY if quantity == "lossy_trig_egr_drp" else LOSSLESS
        found[quantity] = (search(probe, 0, ports_of(name) - 1, pg=number), expected["measured"],
                           expected["tolerance_pkts"])
        probe.cleanup()
    return found


def predicted(name):
    """The counts of `weir probe --qos-params`: the SystemC model, which is no part of the library."""
    done = subprocess.run([OPTIONS.build / "bin/weir", "probe", "--qos-params", FOLDERS / name, "--json"], check=True,
                          capture_output=True, text=True)
    block = next(iter(json.loads(done.stdout)["blocks"].values()))
    counts = {"trig_pfc": block["xoff_1"]["pkts_num_trig_pfc"],
              "trig_ingr_drp": block["xoff_1"]["pkts_num_trig_ingr_drp"],
              "xon_dismiss": block["xon_1"]["pkts_num_dismiss_pfc"]}
    if "lossy_queue_1" in block:
        counts["lossy_trig_egr_drp"] = block["lossy_queue_1"]["pkts_num_trig_egr_drp"]
    return counts


class Counts(unittest.TestCase):
    def compare(self, name, scenario, quantities):
        model = predicted(name)
        found = counts(name, scenario, quantities)
        self.assertGreaterEqual(len(found), 3, f"{name}: counts that were searched")
        for quantity, (count, measured, window) in found.items():
            with self.subTest(case=name, quantity=quantity):
                if quantity == "xon_dismiss":  # what the tests release before they look for XON
                    self.assertLessEqual(count, measured)
                else:
                    self.assertLessEqual(abs(count - measured), window)
                self.assertEqual(count, model[quantity])

    def test_every_folder_gives_the_published_counts(self):
        folders = sorted(path.name for path in FOLDERS.iterdir())
        self.assertGreaterEqual(len(folders), 7)
        for name in folders:
            self.compare(name, "weir", set(PROBE_OF))

    def test_the_rtl_gives_them_too(self):
        self.compare("td2_any_40g_300m", "rtl", set(PROBE_OF))
        self.compare("td3_t0_100g_300m_alpha1_8", "rtl", {"trig_pfc", "trig_ingr_drp", "xon_dismiss"})


class Interface(unittest.TestCase):
    CHIP = "td2_any_40g_300m"
    XOFF = 4898  # of this case

    def test_both_scenarios_of_every_probe_type_are_registered(self):
        for probe_type in PROBE_OF.values():
            importlib.import_module(f"sim_{probe_type}_probing_executor")
            for scenario in ("weir", "rtl"):
                self.assertIn((probe_type, "sim", scenario), ExecutorRegistry.classes)

    def test_the_modules_of_the_framework_keep_their_scenarios(self):
        importlib.import_module("sim_pfc_xoff_probing_executor")
        self.assertEqual(ExecutorRegistry.classes["pfc_xoff", "sim", None].__name__, "Theirs")

    def test_a_value_without_a_drain_goes_on_from_what_is_held(self):
        probe = executor("pfc_xoff", chip_of(self.CHIP))
        probe.prepare(0, 31)
        self.assertEqual(probe.check(0, 31, self.XOFF - 1, pg=LOSSLESS), (True, False))
        self.assertEqual(probe.check(0, 31, 1, drain_buffer=False, pg=LOSSLESS), (True, True))
        self.assertEqual(probe.check(0, 31, 1, drain_buffer=True, pg=LOSSLESS), (True, False))

    def test_prepare_drains_its_port_alone(self):
        probe = executor("pfc_xoff", chip_of(self.CHIP))
        probe.check(0, 30, self.XOFF - 1, pg=LOSSLESS)
        probe.prepare(0, 31)
        self.assertEqual(probe.check(0, 31, 1, pg=LOSSLESS), (True, True), "what waits for port 30 is still held")
        probe.prepare(0, 30)
        self.assertEqual(probe.check(0, 31, 1, pg=LOSSLESS), (True, False))

    def test_xon_has_the_form_of_one_port_and_of_two(self):
        dismiss = 11
        for scenario in ("weir", "rtl"):
            probe = executor("pfc_xon", chip_of(self.CHIP), scenario, pfcxoff_point=self.XOFF)
            for value, expected in ((dismiss - 1, False), (dismiss, True)):
                for found in (probe.check(0, 31, value, pg=LOSSLESS),
                              probe.check(0, 31, value=value, attempts=2, pg=LOSSLESS),
                              probe.check(0, 30, 31, value, 2, pg=LOSSLESS),
                              probe.check(0, 30, 31, value=value, pg=LOSSLESS),
                              probe.check(src_port=0, dst_port_a=30, dst_port_b=31, value=value, attempts=2,
                                          iteration=1, pg=LOSSLESS)):
                    self.assertEqual(found, (True, expected), f"{scenario}, {value} packets leave")
        # Too few packets for XOFF: the check did not succeed.
        probe = executor("pfc_xon", chip_of(self.CHIP), pfcxoff_point=self.XOFF - 1)
        self.assertEqual(probe.check(0, 31, dismiss, pg=LOSSLESS), (False, False))

    def test_maps_of_ports_and_groups_are_followed(self):
        probe = executor("pfc_xoff", chip_of(self.CHIP), ports={28: 0, 29: 31}, groups={40: (3, 3)})
        self.assertEqual(probe.check(28, 29, self.XOFF, pg=40), (True, True))
        self.assertEqual(probe.check(28, 29, self.XOFF - 1, queue=40), (True, False))

    def test_packets_have_the_length_of_the_test(self):
        ptftest = types.SimpleNamespace(probe_packet_length=209)  # two cells
        probe = executor("pfc_xoff", chip_of(self.CHIP), ptftest=ptftest)
        half = (self.XOFF + 1) // 2
        self.assertEqual(probe.check(0, 31, half - 1, pg=LOSSLESS), (True, False))
        self.assertEqual(probe.check(0, 31, half + 1, pg=LOSSLESS), (True, True))

    def test_each_check_is_reported_to_the_observer(self):
        probe = executor("ingress_drop", chip_of(self.CHIP), verbose=True)
        probe.check(0, 31, 7, iteration=5, pg=LOSSLESS)
        self.assertIn("check 5: 7 packets from 0 to 31", probe.observer.lines[-1])

    def refused(self, said, make):
        with self.assertRaises(ValueError) as caught:
            make()
        self.assertIn(said, str(caught.exception))

    def test_what_cannot_be_used_is_refused_in_words(self):
        chip = chip_of(self.CHIP)
        probe = executor("pfc_xoff", chip)
        self.refused("port 32: must be from 0 to 31", lambda: probe.check(32, 31, 1, pg=LOSSLESS))
        self.refused("must have pg=N or queue=N", lambda: probe.check(0, 31, 1))
        self.refused("must be from 0 to 7", lambda: probe.check(0, 31, 1, pg=8))
        mapped = executor("pfc_xoff", chip, ports={28: 0}, groups={})
        self.refused("port 5: is not in ports", lambda: mapped.check(5, 28, 1, pg=LOSSLESS))
        self.refused("or in groups=", lambda: mapped.check(28, 28, 1, pg=LOSSLESS))
        self.refused("no such file", lambda: executor("pfc_xoff", "/nowhere/chip.toml"))
        self.refused("chip: missing", lambda: ExecutorRegistry.create("pfc_xoff", "sim", scenario="weir"))
        lossy = executor("pfc_xon", chip)
        self.refused("drops before XOFF", lambda: lossy.check(0, 31, 1, pg=LOSSY))

    def test_a_library_of_another_shape_is_refused(self):
        self.refused("is built with Domains = 1, the chip needs 4; make it with scripts/rtl/make-backend --domains 4",
                     lambda: executor("pfc_xoff", chip_of("th_any_40g_300m"), "rtl"))


unittest.main(argv=sys.argv[:1] + REST)
