# SPDX-License-Identifier: Apache-2.0
# Depends on: scripts/check/same-summary
"""scripts/check/same-summary: which difference of two summaries it reports."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import subprocess
import unittest
from unittest import mock

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check/same-summary"

loader = importlib.machinery.SourceFileLoader("same_summary", str(SCRIPT))
same = importlib.util.module_from_spec(importlib.util.spec_from_loader("same_summary", loader))
loader.exec_module(same)

OLD = {"totals": {"drops": 3, "stopped": None}, "ports": [{"lost": 5, "sai": []}, {"lost": 0, "sai": []}]}


def compared(new, renamed=None):
    with mock.patch.object(same, "RENAMED", renamed or {}):
        return same.compared(json.dumps(OLD), json.dumps(new))


def changed(**totals):
    new = json.loads(json.dumps(OLD))
    new["totals"].update(totals)
    return new


class Compared(unittest.TestCase):
    def test_the_same_values_in_another_order_are_the_same(self):
        self.assertEqual(compared(dict(reversed(OLD.items()))), ([], set()))

    def test_a_value_that_differs_is_reported_with_its_key(self):
        self.assertEqual(compared(changed(drops=4))[0], ["totals.drops: 3, now 4"])

    def test_a_text_for_readers_is_not_compared(self):
        with mock.patch.object(same, "TEXTS", ("totals.drops",)):
            self.assertEqual(compared(changed(drops=4)), ([], set()))

    def test_null_is_a_value(self):
        self.assertEqual(compared(changed(stopped=1))[0], ["totals.stopped: None, now 1"])
        without = changed()
        del without["totals"]["stopped"]
        self.assertEqual(compared(without)[0], ["totals.stopped: None, now missing"])

    def test_a_list_that_is_shorter_or_not_empty_any_more_is_reported(self):
        short = changed()
        del short["ports"][1]
        short["ports"][0]["sai"] = [7]
        self.assertEqual(compared(short), (["ports[0].sai: [], now missing", "ports[1].lost: 0, now missing",
                                            "ports[1].sai: [], now missing"], {"ports[].sai[]"}))

    def test_a_key_that_only_the_new_one_has_is_listed(self):
        self.assertEqual(compared(changed(marked=1)), ([], {"totals.marked"}))

    def test_a_renamed_key_has_its_value_under_its_new_names(self):
        renamed = {"ports[].lost": ("refused", "dropped")}
        new = changed()
        new["ports"] = [{"refused": 2, "dropped": 3, "sai": []}, {"refused": 0, "dropped": 0, "sai": []}]
        self.assertEqual(compared(new, renamed), ([], set()))
        new["ports"][0]["dropped"] = 4
        self.assertEqual(compared(new, renamed)[0], ["ports[0].lost: 5, now 6"])


class Judged(unittest.TestCase):
    def judge(self, old, new, changed=None):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            good = same.judge(["a", "b"], {"a": old, "b": old}, {"a": old, "b": new}, changed)
        return good, printed.getvalue()

    def test_bytes_values_and_differences_are_counted_apart(self):
        old = json.dumps(OLD).encode()
        self.assertEqual(self.judge(old, old), (True, "2 scenarios: 2 with the same bytes, 0 with the same values, "
                                                      "0 changed on purpose, 0 differ\n"))
        good, text = self.judge(old, json.dumps(changed(marked=1)).encode())
        self.assertTrue(good)
        self.assertIn("added in 1 scenarios: totals.marked\n", text)
        self.assertIn("1 with the same bytes, 1 with the same values", text)
        good, text = self.judge(old, json.dumps(changed(drops=4)).encode())
        self.assertFalse(good)
        self.assertIn("b: totals.drops: 3, now 4\n", text)

    def test_a_scenario_that_differs_on_purpose_is_named_with_its_reason(self):
        old, new = json.dumps(OLD).encode(), json.dumps(changed(drops=4)).encode()
        good, text = self.judge(old, new, {"b": ("abc", "drops are counted twice", ())})
        self.assertTrue(good)
        self.assertIn("b: 1 values differ on purpose: since abc drops are counted twice\n", text)
        self.assertIn("1 changed on purpose, 0 differ", text)

    def test_a_scenario_that_runs_without_a_key_must_be_the_same(self):
        old, new = json.dumps(OLD).encode(), json.dumps(changed(drops=4)).encode()
        change = {"b": ("abc", "late counts for all", ("scenario.late=0",))}
        good, text = self.judge(old, new, change)
        self.assertFalse(good)
        self.assertIn("b: run with --set scenario.late=0: since abc late counts for all\n", text)
        self.assertTrue(self.judge(old, old, change)[0])

    def test_a_change_counts_between_the_commits_alone(self):
        change, before = same.CHANGED["incast_star32_dsh_tomahawk"][0], {}
        with mock.patch.object(same, "has", lambda commit, _: commit == "new"):
            self.assertIn("incast_star32_dsh_tomahawk", same.changed_between("old", "new"))
            self.assertEqual(same.changed_between("new", "new"), before, change)
            self.assertEqual(same.changed_between("old", "old"), before, change)

    def test_a_scenario_that_a_program_refuses_differs(self):
        old = json.dumps(OLD).encode()
        self.assertFalse(self.judge(old, None)[0])


class Commits(unittest.TestCase):
    def test_without_a_commit_it_says_how_it_is_called(self):
        said = subprocess.run([SCRIPT], capture_output=True, text=True)
        self.assertEqual(said.returncode, 2)
        self.assertIn("same-summary OLD NEW", said.stdout)

    def test_a_commit_that_is_none_is_an_error_without_a_traceback(self):
        said = subprocess.run([SCRIPT, "no_such_commit"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 2)
        self.assertIn("no_such_commit", said.stderr)
        self.assertNotIn("Traceback", said.stderr)


if __name__ == "__main__":
    unittest.main()
