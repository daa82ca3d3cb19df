# SPDX-License-Identifier: Apache-2.0
"""One block of the RTL: as a user names it, and with few enough pins for an FPGA."""
import json
import pathlib
import re
import sys
import tempfile

import rtl_sources as rtl


RULE = re.compile(r'\$fatal\(1,\s*"(\w+) = %0d: ([^"]*)",\s*(.*?)\);', re.S)


def rules(top):
    """{parameter: what is legal}, as the module or a part of it says it where it refuses a value."""
    found = {}
    for path in rtl.files_of(top):
        for key, text, values in RULE.findall(path.read_text()):
            for value in (word.strip() for word in values.split(",")[1:]):
                package, _, name = value.rpartition("::")
                text = text.replace("%0d", str(rtl.constants(package)[name] if package else value), 1)
            found.setdefault(key, {})[text] = None
    return {key: "; ".join(texts) for key, texts in found.items()}


def stop(top, settings, said):
    """Ends the script after an error of Yosys; an illegal value, which Yosys meets and does not name, is
    one of those that the user has set."""
    if "$fatal" not in said:
        sys.exit(f"{top} {settings}: {said.strip()[-2000:]}")
    print(f"{top}: an illegal value", file=sys.stderr)
    for key, text in rules(top).items():
        if key in settings:
            print(f"  {key} = {settings[key]}: {text}", file=sys.stderr)
    sys.exit(2)


def ports_of(top, settings):
    """{pin: (direction, bits)} of a module."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "ports.json"
        chparam = "".join(f" -chparam {key} {value}" for key, value in settings.items())
        code, said = rtl.run(["yosys", "-q", "-p", "read_verilog -sv " + " ".join(
            map(str, rtl.files_of(top))) + f"; hierarchy -top {top}{chparam}; proc; "
            f"write_json {target}"])
        if code != 0:
            stop(top, settings, said)
        modules = json.loads(target.read_text())["modules"]
        module = next(m for m in modules.values()
                      if int(m["attributes"].get("top", "0"), 2) == 1)
    return {name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()}


def with_few_pins(top, settings):
    """A wrapper with few enough pins for an FPGA: inputs from a shift register, outputs folded into
    one, both registered, so that the figures are those of the block."""
    ports = ports_of(top, settings)
    inputs = [(n, w) for n, (d, w) in ports.items()
              if d == "input" and n not in ("clk_i", "rst_ni")]
    outputs = [(n, w) for n, (d, w) in ports.items() if d == "output"]
    wide = sum(w for _, w in inputs)
    lines = ["module few_pins (input clk_i, input rst_ni, input data_i, output reg data_o);",
             f"reg [{wide - 1}:0] in_q;"]
    lines += [f"wire [{w - 1}:0] w_{n}; reg [{w - 1}:0] q_{n};" for n, w in outputs]
    lines += ["always @(posedge clk_i) in_q <= {in_q, data_i};", "always @(posedge clk_i) begin"]
    lines += [f"q_{n} <= w_{n};" for n, _ in outputs]
    lines += ["data_o <= ^{" + ", ".join(f"q_{n}" for n, _ in outputs) + "};", "end"]
    pins = [".clk_i(clk_i)", ".rst_ni(rst_ni)"] if "clk_i" in ports else []
    at = 0
    for n, w in inputs:
        pins.append(f".{n}(in_q[{at} +: {w}])")
        at += w
    pins += [f".{n}(w_{n})" for n, _ in outputs]
    values = ", ".join(f".{key}({value})" for key, value in settings.items())
    return "\n".join(lines) + f"\n{top} #({values}) u_block ({', '.join(pins)});\nendmodule\n"


def module_and_settings(parser, words):
    """(module, {parameter: value}) of the words `MODULE PARAMETER=VALUE...`; the parser reports what is wrong."""
    modules = {module.name: module for module in rtl.find_modules()}
    if words[0] not in modules:
        parser.error(f"no module {words[0]}: one of {', '.join(modules)}")
    settings = {}
    for word in words[1:]:
        name, _, value = word.partition("=")
        if name not in modules[words[0]].parameters or not value.isdigit():
            parser.error(f"{word}: PARAMETER=NUMBER, the parameter one of "
                         f"{', '.join(modules[words[0]].parameters) or 'none'}")
        settings[name] = int(value)
    return words[0], settings
