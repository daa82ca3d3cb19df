# SPDX-License-Identifier: Apache-2.0
# Depends on: rtl scripts/rtl/icarus docs/reference/results.md systemc/include/weir/core/accounting systemc/c tb/cocotb
"""Why the MMU refuses a packet: languages that cannot include the enum of the core have its names and numbers.

Source: enum Reason (weir/core/accounting/admission.hpp), enum weir_mmu_status (weir_mmu.h).
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text(path):
    return (ROOT / path).read_text()


def found(pattern, path):
    """What the groups of `pattern` match, each time it does."""
    matches = re.findall(pattern, text(path), re.M)
    assert matches, f"{path}: {pattern} matches nothing"
    return matches


def reasons():
    body = re.search(r"enum class Reason[^{]*\{(.*?)\};", text("systemc/include/weir/core/accounting/admission.hpp"),
                     re.S)[1]
    return re.findall(r"^\s*(\w+),", body, re.M)


def snake(name):
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


class Reasons(unittest.TestCase):
    def setUp(self):
        self.numbers = {name: number for number, name in enumerate(reasons())}
        self.assertGreater(len(self.numbers), 6)

    def test_the_rtl_has_the_numbers(self):
        pairs = found(r"localparam logic \[2:0\] Reason(\w+)\s*= 3'd(\d+);", "rtl/pkg/weir_pkg.sv")
        self.assertEqual({snake(name): int(number) for name, number in pairs}, self.numbers)

    def test_a_c_program_has_the_numbers(self):
        body = re.search(r"typedef enum weir_mmu_reason \{(.*?)\}", text("systemc/c/include/weir_mmu.h"), re.S)[1]
        pairs = re.findall(r"WEIR_MMU_(\w+) = (\d+)", body)
        self.assertEqual({name.lower(): int(number) for name, number in pairs}, self.numbers)

    def test_python_has_the_names_in_order(self):
        (names,) = found(r"^REASONS = \(([^)]*)\)", "systemc/c/python/weir_mmu_c.py")
        self.assertEqual(re.findall(r'"(\w+)"', names), list(self.numbers))

    def test_the_bench_of_icarus_has_those_that_a_step_gives(self):
        (names,) = found(r"^REASONS = \[([^\]]*)\]", "scripts/rtl/icarus")
        self.assertEqual(re.findall(r'"(\w+)"', names), [name for name in self.numbers if name != "wred"])

    def test_systemverilog_has_the_number_of_wred(self):
        self.assertEqual(found(r"ReasonWred = (\d+);", "systemc/c/sv/weir_mmu_dpi_pkg.sv"),
                         [str(self.numbers["wred"])])

    def test_the_benches_have_the_status_of_cells_that_are_not_there(self):
        (status,) = found(r"WEIR_MMU_ORDER = (\d+)", "systemc/c/include/weir_mmu.h")
        self.assertEqual(found(r"localparam int Order = (\d+);", "systemc/c/sv/weir_mmu_dpi_pkg.sv"), [status])
        self.assertEqual(found(r"^ORDER = (\d+)", "tb/cocotb/mmu_bench/scoreboard.py"), [status])

    def test_the_page_of_results_names_those_that_refuse(self):
        (line,) = found(r"^\| by the MMU \|(.*)\|$", "docs/reference/results.md")
        self.assertEqual(re.findall(r"`(\w+)`", line), [name for name in self.numbers if name != "admitted"])


if __name__ == "__main__":
    unittest.main()
