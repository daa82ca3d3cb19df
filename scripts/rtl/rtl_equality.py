# SPDX-License-Identifier: Apache-2.0
"""Whether a module with a mutant equals the module: a miter and a proof by Yosys.

Every register is cut: its content becomes an input that both copies share, its next value an output;
likewise the read data of a memory and what is written to it. If then no input makes any output
differ, copies that start alike stay alike for ever: an induction of one step over all states,
reachable or not. Logic that both copies have in common appears once in the miter, so that only the
surroundings of the mutant are left to be proved.

A register that does differ is given a condition: it may hold any value while some register of one
bit is 0, as long as all else stays equal.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

WRITTEN = ("WR_ADDR", "WR_DATA", "WR_EN")


class Netlist:
    """A flat module as Yosys writes it, to which new inputs, outputs and cells can be added."""

    def __init__(self, text, block):
        self.module = json.loads(text)["modules"][block]
        self.block, self.cells, self.ports = block, self.module["cells"], self.module["ports"]
        bits = [bit for net in self.module["netnames"].values() for bit in net["bits"]]
        self.last = max([bit for bit in bits if isinstance(bit, int)] + [1])

    def new_bits(self, width):
        self.last += width
        return list(range(self.last - width + 1, self.last + 1))

    def cell(self, kind, **pins):
        """A new cell; its last pin is the output, given as a width or as bits."""
        output = list(pins)[-1]
        if isinstance(pins[output], int):
            pins[output] = self.new_bits(pins[output])
        sized = {"WIDTH": len(pins["A"])}
        if kind != "$mux":
            sized = {"A_SIGNED": 0, "A_WIDTH": len(pins["A"]), "Y_WIDTH": len(pins["Y"])}
        self.cells[f"cut{len(self.cells)}_{self.last}"] = {
            "hide_name": 0, "type": kind, "parameters": sized, "attributes": {},
            "port_directions": {pin: "output" if pin == output else "input" for pin in pins},
            "connections": pins}
        return pins[output]

    def shows(self, name, bits):
        self.ports[name] = {"direction": "output", "bits": self.cell("$pos", A=bits, Y=len(bits))}

    def takes(self, name, bits):
        self.ports[name] = {"direction": "input", "bits": bits}

    def take_out(self, kinds):
        """Removes the cells of these types; returns them in the order of their names."""
        names = sorted(name for name, cell in self.cells.items() if cell["type"] in kinds)
        return [self.cells.pop(name) for name in names]

    def text(self):
        return json.dumps({"creator": "rtl_equality", "modules": {self.block: self.module}})


def reached_from(netlist, start):
    """Bits that depend on those of `start`, through cells."""
    readers = {}
    for cell in netlist.cells.values():
        for pin, bits in cell["connections"].items():
            if cell["port_directions"][pin] == "input":
                for bit in bits:
                    readers.setdefault(bit, []).append(cell)
    reached, left = set(start), list(start)
    while left:
        for cell in readers.get(left.pop(), []):
            for pin, bits in cell["connections"].items():
                if cell["port_directions"][pin] == "output":
                    left += [bit for bit in bits if isinstance(bit, int) and bit not in reached]
                    reached.update(bits)
    return reached


class Cut:
    """A module as logic without state, with the mutants chosen by the input `mutant_i`."""

    def __init__(self, text, block, free=None):
        """`free`: (register, condition) by number; the register must be equal only while the
        condition is 1."""
        self.netlist = netlist = Netlist(text, block)
        registers = netlist.take_out(["$dff"])
        memories = netlist.take_out(["$mem_v2"])
        left = {cell["type"] for cell in netlist.cells.values() if re.match(r"\$(.*ff|.*latch|mem)",
                                                                         cell["type"])}
        if left:
            raise ValueError(f"{block} has {', '.join(sorted(left))}")
        held = [cell["connections"]["Q"] for cell in registers]
        taken = [cell["connections"]["D"] for cell in registers]
        touched = reached_from(netlist, netlist.ports["mutant_i"]["bits"])
        self.touched = [n for n, bits in enumerate(taken) if touched & set(bits)]
        self.single = [n for n, bits in enumerate(held) if len(bits) == 1]
        for number, bits in enumerate(held):
            if free and number == free[0]:
                self.let_differ(number, bits, held[free[1]], taken[free[1]], taken[number])
            else:
                netlist.takes(f"held_{number}", bits)
                netlist.shows(f"taken_{number}", taken[number])
        for number, cell in enumerate(memories):
            pins = cell["connections"]
            netlist.takes(f"read_{number}", pins["RD_DATA"])
            for pin in ("RD_ADDR",) + WRITTEN:
                if pins[pin]:
                    netlist.shows(f"{pin.lower()}_{number}", pins[pin])

    def let_differ(self, number, held, condition, condition_taken, taken):
        netlist, width = self.netlist, len(held)
        values = [netlist.new_bits(width) for _ in range(3)]
        for name, bits in zip((f"held_{number}", f"good_{number}", f"wrong_{number}"), values):
            netlist.takes(name, bits)
        wrong = netlist.cell("$reduce_bool", A=netlist.ports["mutant_i"]["bits"], Y=1)
        other = netlist.cell("$mux", A=values[1], B=values[2], S=wrong, Y=width)
        netlist.cell("$mux", A=other, B=values[0], S=condition, Y=held)
        netlist.shows(f"taken_{number}", netlist.cell("$mux", A=["0"] * width, B=taken,
                                                      S=condition_taken, Y=width))


class Prover:
    """Proves a mutant of a module equal, within `seconds` of processor time in all."""

    def __init__(self, block, number, seconds):
        self.block, self.number, self.left = block, number, seconds

    def yosys(self, commands):
        """Whether a proof holds; None: out of time."""
        if self.left < 1:
            return None
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen(
                ["prlimit", f"--cpu={round(self.left)}", "yosys", "-q", "-p", commands],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            self.left -= usage.ru_utime + usage.ru_stime
            log.seek(0)
            said = log.read()
        if os.WIFSIGNALED(status):
            return None
        if status != 0 and "proof did fail" not in said:
            raise ValueError(f"{self.block}: {said.strip()[-2000:]}")
        return status == 0

    def same(self, cut, folder):
        """True, False (an input makes a difference), or None (no answer in time)."""
        file = folder / "cut.json"
        file.write_text(cut.netlist.text())
        copies = "".join(f"copy {self.block} {name}; cd {name}; "
                         f"connect -set mutant_i 16'd{number}; delete -input w:mutant_i; cd ..; "
                         for name, number in (("good", 0), ("wrong", self.number)))
        return self.yosys(f"read_json {file}; {copies} delete {self.block}; "
                          f"miter -equiv -flatten good wrong pair; hierarchy -top pair; opt -full; "
                          f"sat -verify -prove trigger 0")

    def flat(self, files, parameters, memories, target):
        """Writes the module, with its instances flattened, as one list of cells; None: out of time."""
        chparam = "".join(f" -chparam {key} {value}" for key, value in parameters.items())
        return self.yosys("read_verilog -sv " + " ".join(map(str, files)) +
                          f"; hierarchy -check -top {self.block}{chparam}; proc; flatten; "
                          f"opt_clean; rename -top {self.block}; memory_collect; {memories}"
                          f"opt -full; async2sync; dffunmap; opt_expr; opt_merge; opt_clean; "
                          f"write_json {target}")

    def verdict(self, files, parameters):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for memories in ("", "memory_map; "):  # their content may matter
                if self.flat(files, parameters, memories, folder / "flat.json") is None:
                    return "no proof in time"
                text = (folder / "flat.json").read_text()
                cut = Cut(text, self.block)
                for free in [None] + [(one, other) for one in cut.touched for other in cut.single
                                      if other != one]:
                    same = self.same(Cut(text, self.block, free), folder)
                    if same is not False:
                        return "equal" if same else "no proof in time"
                if "$mem_v2" not in text:
                    break
        return "not equal in every state"


def verdict(files, block, parameters, number, seconds):
    """'equal', 'not equal in every state' (one that may not be reached) or 'no proof in time'."""
    return Prover(block, number, seconds).verdict(files, parameters)


# Expected answers for four mutants of a small module, which show that the proof distinguishes them.
TRIED = {1: "equal", 2: "equal", 3: "not equal in every state", 4: "not equal in every state"}
TRIED_MODULE = """module tried (input logic clk_i, input logic rst_ni, input logic [15:0] mutant_i,
  input logic go_i, input logic [1:0] row_i, input logic [3:0] data_i, output logic [7:0] y_o);
  logic [3:0] rows_q [0:3];
  logic [3:0] left_q;
  logic       runs_q;
  always_ff @(posedge clk_i) if (go_i || mutant_i == 16'd4) rows_q[row_i] <= data_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      runs_q <= 1'b0;
      left_q <= '0;
    end else if (go_i) begin
      runs_q <= (mutant_i == 16'd1) ? |data_i : data_i != '0;
      left_q <= data_i;
    end else if (runs_q) begin
      runs_q <= left_q > ((mutant_i == 16'd3) ? 4'd2 : 4'd1);
      left_q <= left_q - 4'd1;
    end else if (mutant_i == 16'd2) begin
      left_q <= data_i;
    end
  end
  assign y_o = {rows_q[row_i], runs_q ? left_q : 4'd0};
endmodule
"""


def complaints():
    """Answers of the proof that differ from TRIED."""
    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "tried.sv"
        file.write_text(TRIED_MODULE)
        said = {number: verdict([file], "tried", {}, number, 60) for number in TRIED}
    return [f"mutant {number} of a tried module: {said[number]}, where it is {right}"
            for number, right in TRIED.items() if said[number] != right]
