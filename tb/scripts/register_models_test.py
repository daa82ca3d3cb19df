# SPDX-License-Identifier: Apache-2.0
# Depends on: tb/sv/uvm scripts/rtl/slang_warnings.py rtl/weir_mmu.rdl rtl/weir_mmu.sv rtl/weir_mmu.parameters.csv rtl/pkg docs/reference/registers.md scripts/rtl/register-models scripts/rtl/mmu_parameters.py scripts/rtl/pin_tables.py scripts/lib
"""The models that scripts/rtl/register-models makes have the registers of docs/reference/registers.md:
the same names, addresses, access and, where the page gives one, reset value."""
import collections
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
SIZES = {"ports": 3, "domains": 2, "profiles": 4, "pools": 2, "queue-profiles": 2, "egress-pools": 1,
         "wred-profiles": 2}
# What a block has one of for each.
INSTANCES = {"": 1, "profile": 4, "profile x domains + domain": 8, "queue profile": 2,
             "pool x domains + domain": 4, "egress pool x domains + domain": 2, "port": 3,
             "port x 8 + priority group": 24, "port x 8 + priority": 24, "port x 8 + queue": 24,
             "WRED profile": 2}
MAPS = ("pg", "profile"), ("queue", "profile"), ("queue_wred", "profile")
RESERVED = {"cell": "cell_", "private": "private_"}
# Access of the page, and of UVM.
UVM = {"RO": "RO", "RW": "RW", "CFG": "RW", "W1C": "W1C", "W1S": "W1S"}
IPXACT = {"RO": ("read-only", None), "RW": ("read-write", None), "CFG": ("read-write", None),
          "W1C": ("read-write", "oneToClear"), "W1S": ("read-write", "oneToSet")}

Word = collections.namedtuple("Word", "block name offset access reset")


def blocks_of_the_page():
    """[(name, base, stride, instances, [Word])] of the page."""
    text = (ROOT / "docs/reference/registers.md").read_text()
    blocks = []
    for section in text.split("\n## ")[1:]:
        name, base = re.match(r"(\w+) at 0x(\w+)", section).groups()
        kind = re.search(r"One for each (.+), stride 0x(\w+)", section)
        words = []
        for offset, register, bits, access, reset in re.findall(
                r"^\| 0x(\w+) \| `(\w+)` \| (\d+) \| (\w+) \| ([^|]*) \|", section, re.M):
            register = RESERVED.get(register, register)
            for at in range(int(bits) // 32):
                words.append(Word(name, register + ("_high" if at else ""), int(offset, 16) + 4 * at,
                                  access, reset))
        blocks.append((name, int(base, 16), int(kind[2], 16) if kind else 0,
                       INSTANCES[kind[1] if kind else ""], words))
    return blocks


def reset_of(word):
    """After reset of the RTL, where the page says it: its CFG registers are 0, maps none."""
    if word.name == "start":
        return 0  # the page: of the model 1, of the RTL 0
    if word.access == "CFG":
        return 0xffffffff if (word.block, word.name) in MAPS else 0
    if re.fullmatch(r"0x[0-9a-f]+|\d+", word.reset):
        return int(word.reset, 0)
    size = SIZES.get(word.name.replace("_", "-")) if word.block == "chip" else None
    return size if word.reset == "chip" else None


class RegisterModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.place.name)
        place = os.environ.get("WEIR_BENCH", ROOT / "build/bench")
        sizes = [word for name, value in SIZES.items() for word in (f"--{name}", str(value))]
        made = subprocess.run([ROOT / "scripts/rtl/register-models", "--out", cls.out, *sizes],
                              text=True, env=dict(os.environ, WEIR_BENCH=str(place)),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode == SKIPPED:
            raise unittest.SkipTest(made.stdout)
        assert made.returncode == 0, made.stdout
        cls.tools = pathlib.Path(place) / "bin"
        cls.blocks = blocks_of_the_page()

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def compile(self, compiler, suffix, lines):
        source = self.out / f"check.{suffix}"
        source.write_text("\n".join(lines))
        done = subprocess.run([*compiler, "-Wall", "-Werror", "-fsyntax-only", source], text=True,
                              cwd=self.out, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])

    def test_the_page_has_all_blocks(self):
        self.assertEqual(len(self.blocks), 16)
        self.assertGreater(sum(len(words) for *_, words in self.blocks), 100)

    def test_the_header_of_c_has_addresses_and_reset_values_in_c_and_in_cpp(self):
        lines = ["#include <stddef.h>", '#include "weir_mmu.h"']
        for name, base, stride, count, words in self.blocks:
            for word in words:
                last = base + (count - 1) * stride + word.offset
                place = f"{name}{f'[{count - 1}]' if stride else ''}.{word.name}"
                lines.append(f'static_assert(offsetof(weir_mmu_t, {place}) == 0x{last:x}, "{place}");')
                macros = f"WEIR_MMU__{name}{'X' if stride else ''}__{word.name}__".upper()
                if reset_of(word) is not None and word.name not in ("alpha", "pg_of_priority", "polynomial"):
                    field = "VALUE_reset"
                    lines.append(f'static_assert({macros}{field} == {reset_of(word)}u, "{place}");')
        self.compile(["cc", "-std=c11"], "c", lines)
        self.compile(["c++", "-std=c++17", "-Wno-invalid-offsetof"], "cpp", lines)
        wrong = [line.replace("== 0x14,", "== 0x18,") for line in lines]
        self.assertNotEqual(wrong, lines)
        with self.assertRaises(AssertionError):
            self.compile(["cc", "-std=c11"], "c", wrong)

    def test_ip_xact_has_addresses_access_and_reset_values(self):
        ns = {"i": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}

        def number(node, path):
            text = node.find(path, ns)
            return None if text is None else int(re.sub(r"^'h", "0x", text.text), 0)

        tree = xml.parse(self.out / "weir_mmu.xml")
        self.assertEqual(number(tree, ".//i:addressBlock/i:width"), 32)
        found = {}
        for block in tree.iterfind(".//i:registerFile", ns):
            name = block.find("i:name", ns).text
            for register in block.iterfind("i:register", ns):
                fields = register.findall("i:field", ns)
                modified = fields[0].find("i:modifiedWriteValue", ns)
                reset = sum(number(field, "i:resets/i:reset/i:value") << number(field, "i:bitOffset")
                            for field in fields)
                found[name, register.find("i:name", ns).text] = (
                    number(block, "i:addressOffset"), number(block, "i:dim") or 1,
                    number(block, "i:range"), number(register, "i:addressOffset"),
                    (fields[0].find("i:access", ns).text,
                     None if modified is None else modified.text), reset)
        self.compare(found, IPXACT)

    def compare(self, found, access):
        """`found`: (base, instances, stride, offset, access, reset) of each (block, register)."""
        wanted = {(word.block, word.name) for *_, words in self.blocks for word in words}
        self.assertEqual(set(found), wanted)
        for name, base, stride, count, words in self.blocks:
            for word in words:
                *shown, reset = found[name, word.name]
                if not stride:
                    shown[2] = 0
                self.assertEqual(tuple(shown), (base, count, stride, word.offset, access[word.access]),
                                 word)
                if reset_of(word) is not None:
                    self.assertEqual(reset, reset_of(word), word)

    def uvm_classes(self, text, base_class):
        return dict(re.findall(rf"class (\w+) extends {base_class};(.*?)endclass", text, re.S))

    def test_the_model_of_uvm_has_addresses_access_and_reset_values(self):
        text = (self.out / "weir_mmu_ral_pkg.sv").read_text()
        top = self.uvm_classes(text, "uvm_reg_block")["weir_mmu"]
        registers = self.uvm_classes(text, "uvm_reg")
        found = {}
        for name, body in self.uvm_classes(text, "uvm_reg_block").items():
            if name == "weir_mmu":
                continue
            block = name[len("weir_mmu__"):]
            base, step = re.search(rf"add_submap\(this\.{block}(?:\[i0\])?\.default_map, "
                                   r"'h(\w+)(?: \+ i0\*'h(\w+))?\)", top).groups()
            count = re.search(rf"{name} {block}\[(\d+)\]", top)
            for register, offset in re.findall(r"add_reg\(this\.(\w+), 'h(\w+)\)", body):
                fields = re.findall(r'configure\(this, (\d+), (\d+), "(\w+)", \d, \'h(\w+),',
                                    registers[f"{name}__{register}"])
                found[block, register] = (
                    int(base, 16), int(count[1]) if count else 1, int(step or "0", 16),
                    int(offset, 16), fields[0][2],
                    sum(int(reset, 16) << int(low) for _, low, _, reset in fields))
        self.compare(found, UVM)

    def test_the_model_of_uvm_is_systemverilog(self):
        """As far as front ends go: slang takes it with the declarations of tb/sv/uvm."""
        slang = pathlib.Path(os.environ.get("WEIR_FRONTENDS", ROOT / "build/frontends")) / "bin/python"
        if not slang.exists():
            self.skipTest("scripts/rtl/frontends has not made its environment here")
        declared = ROOT / "tb/sv/uvm"

        def said_of(name):
            done = subprocess.run([slang, ROOT / "scripts/rtl/slang_warnings.py", "--std", "1800-2017",
                                   "-I", declared, declared / "uvm_pkg.sv", self.out / name],
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            return done.returncode, done.stdout

        self.assertEqual(said_of("weir_mmu_ral_pkg.sv")[0], 0, said_of("weir_mmu_ral_pkg.sv")[1])
        text = (self.out / "weir_mmu_ral_pkg.sv").read_text()
        self.assertIn(" cell_;", text)
        (self.out / "wrong.sv").write_text(text.replace("cell_", "cell"))
        self.assertNotEqual(said_of("wrong.sv")[0], 0, "a reserved word is a name")

    def test_the_model_of_pyuvm_has_addresses_access_and_reset_values(self):
        walk = ("import sys\nsys.path.insert(0, sys.argv[1])\n"
                "import weir_mmu_ral as made\n"
                "model = made.weir_mmu('weir_mmu')\nmodel.build()\nmodel.lock_model()\nmodel.reset()\n"
                "for register in model.get_default_map().get_registers():\n"
                "  fields = register.get_fields()\n"
                "  print(register.get_full_name(), int(register.get_address()),\n"
                "        fields[0].get_access(), register.get_reset())\n")
        done = subprocess.run([self.tools / "python3", "-c", walk, self.out], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        found = {}
        for line in done.stdout.splitlines():
            name, address, access, reset = line.split()
            found[name] = (int(address), access, int(reset))
        seen = 0
        for name, base, stride, count, words in self.blocks:
            for n in range(count):
                for word in words:
                    place = f"weir_mmu.{name}{f'[{n}]' if stride else ''}.{word.name}"
                    address, access, reset = found[place]
                    self.assertEqual((address, access),
                                     (base + n * stride + word.offset, UVM[word.access]), place)
                    if reset_of(word) is not None:
                        self.assertEqual(reset, reset_of(word), place)
                    seen += 1
        self.assertEqual(seen, len(found))

    def test_the_pages_name_every_register(self):
        pages = "".join(path.read_text(errors="replace") for path in self.out.glob("html/**/*.js*"))
        for *_, words in self.blocks:
            for word in words:
                self.assertIn(f'"{word.name}"', pages)

    def test_a_parameter_that_is_not_legal_is_refused(self):
        made = subprocess.run([ROOT / "scripts/rtl/register-models", "--lanes", "65"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(made.returncode, 2)
        self.assertIn("--lanes 65: must be 1 to 64", made.stdout)



if __name__ == "__main__":
    unittest.main()
