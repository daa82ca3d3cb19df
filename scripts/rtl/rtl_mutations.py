# SPDX-License-Identifier: Apache-2.0
"""Mutants of an RTL module in its own source: where an expression may be changed, how, and the
text of a module that holds them all, chosen by an input `mutant_i`.

An expression is the right side of an assignment or the condition of an `if`; a mutant replaces one
whole expression. Nothing is changed that must be known at elaboration (generate conditions, indices,
constant functions), nor what a reset does.
"""
import random
import re

TOKEN = re.compile(r"\d*'[sS]?[bdhoBDHO][0-9a-fA-F_xzXZ]+|'[01]|[A-Za-z_$][\w$]*|\d[\d_]*|"
                   r"<<<|>>>|===|!==|<<|>>|<=|>=|==|!=|&&|\|\||\+:|-:|::|\S")
SWAPS = {"+": "-", "-": "+", "<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!=", "!=": "==",
         "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "&", "<<": ">>", ">>": "<<"}
OPEN, CLOSE = "([{", ")]}"


class Token:
    def __init__(self, text, start):
        self.text, self.start, self.end = text, start, start + len(text)


def tokens_of(text):
    """Tokens of a source text without comments; positions are those in `text`."""
    blank = re.sub(r"//[^\n]*|/\*.*?\*/|\"[^\"]*\"",
                   lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S)
    return [Token(found[0], found.start()) for found in TOKEN.finditer(blank)]


class Site:
    """An expression that may be replaced: text[start:end]. `kind` is assign, register or condition;
    `target` is what is assigned."""

    def __init__(self, text, start, end, kind, target=""):
        self.start, self.end, self.kind, self.target = start, end, kind, target
        self.text = text[start:end]
        self.line = text.count("\n", 0, start) + 1


class Mutant:
    """`number` is set when the mutant is put into a text."""

    def __init__(self, module, site, said, expression):
        self.module, self.site, self.said, self.expression = module, site, said, expression
        self.number = 0

    def __str__(self):
        return f"{self.module}.sv:{self.site.line}: {self.said}"


class Reader:
    """Finds the sites of a module."""

    def __init__(self, text, name):
        self.text = text
        self.tokens = tokens_of(text)
        self.sites = []
        at = next(n for n, token in enumerate(self.tokens)
                  if token.text == "module" and self.tokens[n + 1].text == name)
        while not (self.tokens[at].text == ")" and self.tokens[at + 1].text == ";"):
            at += 1
        self.body = at + 2

    def word(self, at):
        return self.tokens[at].text if at < len(self.tokens) else ""

    def past_group(self, at):
        """The position after the bracket that closes the one at `at`."""
        depth = 0
        while True:
            depth += (self.word(at) in OPEN) - (self.word(at) in CLOSE)
            at += 1
            if depth == 0:
                return at

    def past(self, at, word):
        while self.word(at) != word:
            at += 1
        return at + 1

    def find(self):
        constant = set()
        for at in range(self.body, len(self.tokens)):
            if self.word(at) == "localparam":
                stop = self.past(at, ";")
                constant |= {self.word(n) for n in range(at, stop) if self.word(n + 1) == "("}
        at = self.body
        while self.word(at) != "endmodule":
            word = self.word(at)
            if word == "assign":
                at = self.assignment(at + 1)
            elif word in ("always_comb", "always_ff"):
                at = self.past_group(at + 2) if self.word(at + 1) == "@" else at + 1
                at = self.statement(at)
            elif word == "function":
                name = at + 1
                while self.word(name + 1) != "(":
                    name = self.past_group(name) if self.word(name) in OPEN else name + 1
                inside, at = self.past(name, ";"), self.past(at, "endfunction")
                if self.word(name) not in constant:
                    self.statements(inside, at - 1)
            elif word == "initial":
                at = self.skip_statement(at + 1)
            else:
                at += 1
        return self.sites

    def skip_statement(self, at):
        known = len(self.sites)
        at = self.statement(at)
        del self.sites[known:]
        return at

    def statements(self, at, stop):
        while at < stop:
            at = self.statement(at)

    def statement(self, at):
        """Reads one statement; returns the position after it."""
        word = self.word(at)
        if word == "begin":
            at += 3 if self.word(at + 1) == ":" else 1
            while self.word(at) != "end":
                at = self.statement(at)
            return at + 1
        if word == "if":
            return self.choice(at)
        if word == "for":
            return self.statement(self.past_group(at + 1))
        if word == "case":
            at = self.past_group(at + 1)
            while self.word(at) != "endcase":
                at = self.statement(self.past_label(at))
            return at + 1
        return self.assignment(at)

    def choice(self, at):
        stop = self.past_group(at + 1)
        first, last = self.tokens[at + 2], self.tokens[stop - 2]
        condition = self.text[first.start:last.end]
        if condition == "!rst_ni":
            at = self.skip_statement(stop)
        else:
            self.sites.append(Site(self.text, first.start, last.end, "condition"))
            at = self.statement(stop)
        return self.statement(at + 1) if self.word(at) == "else" else at

    def past_label(self, at):
        while self.word(at) != ":":
            at = self.past_group(at) if self.word(at) in OPEN else at + 1
        return at + 1

    def assignment(self, at):
        """`target = expression;`, or a declaration, or nothing but `;`."""
        start = at
        while self.word(at) not in ("=", "<=", ";"):
            at = self.past_group(at) if self.word(at) in OPEN else at + 1
        stop = self.past(at, ";")
        if self.word(at) != ";":
            target = self.text[self.tokens[start].start:self.tokens[at - 1].end]
            if "unused" not in target:
                self.sites.append(Site(self.text, self.tokens[at + 1].start,
                                       self.tokens[stop - 2].end,
                                       "register" if self.word(at) == "<=" else "assign", target))
        return stop


def is_unary(tokens, at):
    return at == 0 or tokens[at - 1].text in ("(", "{", ",", "?", ":", "!", "~") or \
        tokens[at - 1].text in SWAPS


def token_changes(tokens, at):
    """(description, replacement of the token) for one token outside of indices."""
    token = tokens[at].text
    if token in ("!", "~"):
        return [(f"without {token}", "")]
    if token in SWAPS:
        if not is_unary(tokens, at):
            return [(f"{token} -> {SWAPS[token]}", SWAPS[token])]
        return [(f"{token} -> {SWAPS[token]}", SWAPS[token])] if token in "&|" else []
    sized = re.fullmatch(r"(\d+)'([bd])(\d+)", token)
    if sized:
        width, base = int(sized[1]), 2 if sized[2] == "b" else 10
        value = (int(sized[3], base) + 1) % (1 << width)
        shown = format(value, "b") if base == 2 else str(value)
        other = f"{width}'{sized[2]}{shown}"
        return [(f"{token} -> {other}", other)]
    cast = [t.text for t in tokens[max(0, at - 2):at]] + [t.text for t in tokens[at + 1:at + 2]]
    if token in ("0", "1") and cast == ["'", "(", ")"]:
        other = "2" if token == "1" else "1"
        return [(f"'({token}) -> '({other})", other)]
    return []


def changes_of(site):
    """(description, whole new expression) for every change that a site allows."""
    text, tokens = site.text, tokens_of(site.text)
    found, brackets, depth, chosen = [], 0, 0, False
    for at, token in enumerate(tokens):
        brackets += (token.text == "[") - (token.text == "]")
        depth += (token.text in OPEN) - (token.text in CLOSE)
        if brackets:
            continue
        if token.text == "?" and depth == 0 and not chosen:
            chosen = True
            found.append(("choice the other way", f"!({text[:token.start].strip()}) {text[token.start:]}"))
        for said, other in token_changes(tokens, at):
            found.append((said, text[:token.start] + other + text[token.end:]))
    if site.kind == "condition":
        found += [("if never", "1'b0"), ("if always", "1'b1")]
    elif not re.fullmatch(r"'0|1'b0", text):
        found.append((f"{site.target} stuck at 0", "'0"))
    if site.kind == "register" and not site.target.startswith("{"):
        found.append((f"{site.target} held", site.target))
    return [(said if site.kind == "condition" or site.target in said else f"{site.target}: {said}", to)
            for said, to in found]


def sites_of(text, name):
    return Reader(text, name).find()


def enumerated(text):
    """Names of the variables that have an enumerated type: only values of it may be assigned."""
    lists = re.findall(r"^\s*\w+_e\s+([\w\s,]+);", text, re.M)
    return {name.strip() for names in lists for name in names.split(",")}


def generated(text, name, count):
    """`count` mutants of a module, or all there are: the same ones for the same text. Every site gives
    its first before any gives a second; one of four is a stuck value."""
    draw = random.Random(name)
    moves, stills = [], []
    states = enumerated(text)
    for site in sites_of(text, name):
        changes = changes_of(site)
        if site.target in states:
            changes = [(f"{site.target} held", re.sub("_d$", "_q", site.target))]
        options = [Mutant(name, site, said, to) for said, to in changes]
        for kind, still in ((moves, False), (stills, True)):
            mine = [m for m in options if m.said.endswith((" held", " stuck at 0")) == still]
            kind += enumerate(draw.sample(mine, len(mine)))
    for kind in (moves, stills):
        draw.shuffle(kind)
        kind.sort(key=lambda numbered: numbered[0])  # the first of every site first
    picked = []
    while len(picked) < count and (moves or stills):
        kind = stills if len(picked) % 4 == 3 else moves
        picked.append((kind or moves or stills).pop(0)[1])
    return picked


def hand_made(text, name, old, new):
    """The mutant that writes `new` for `old`, which occurs once, in one expression of the module."""
    holders = [site for site in sites_of(text, name) if old in site.text]
    if len(holders) != 1 or holders[0].text.count(old) != 1:
        times = sum(site.text.count(old) for site in holders)
        raise ValueError(f"{name}.sv: '{old}' occurs {times} times in expressions, not once")
    return Mutant(name, holders[0], f"{old}  ->  {new}", holders[0].text.replace(old, new))


def type_of(tokens, at):
    """The module of the instance whose name is at `at`."""
    at -= 1
    if tokens[at].text != ")":
        return tokens[at].text
    depth = 0
    while True:
        depth += (tokens[at].text in CLOSE) - (tokens[at].text in OPEN)
        at -= 1
        if depth == 0:
            return tokens[at - 1].text


def with_mutants(text, name, mutants, blocks, top=False):
    """The module with its mutants, and with `mutant_i` wired to its instances of `blocks`. At the top
    the function weir_mutant() of the simulation gives the number, so that the ports do not change."""
    edits = {}
    for mutant in mutants:
        edits.setdefault((mutant.site.start, mutant.site.end), []).append(mutant)
    pieces = []
    for (start, end), group in edits.items():
        choice = "".join(f"(mutant_i == 16'd{m.number}) ? ({m.expression}) : " for m in group)
        pieces.append((start, end, f"({choice}({text[start:end]}))"))
    tokens = tokens_of(text)
    reader = Reader(text, name)
    body = tokens[reader.body - 1].end
    for at in range(reader.body, len(tokens) - 1):
        if (re.fullmatch(r"u_\w+", tokens[at].text) and tokens[at + 1].text == "("
                and type_of(tokens, at) in blocks):
            pieces.append((tokens[at + 1].end, tokens[at + 1].end, ".mutant_i(mutant_i), "))
    if top:
        pieces.append((body, body, "\n  import \"DPI-C\" function int weir_mutant();\n"
                                   "  logic [15:0] mutant_i;\n"
                                   "  initial mutant_i = 16'(weir_mutant());\n"))
    else:
        at = port_list(tokens, name)
        pieces.append((at, at, "\n  input logic [15:0] mutant_i,"))
    for start, end, new in sorted(pieces, reverse=True):
        text = text[:start] + new + text[end:]
    return text.replace("// verilator no_inline_task", "")  # it would hide the input


def port_list(tokens, name):
    """Where the ports of the module begin: after the bracket that opens them."""
    at = next(n for n, token in enumerate(tokens) if token.text == "module" and
              tokens[n + 1].text == name) + 2
    if tokens[at].text == "#":
        depth, at = 0, at + 1
        while True:
            depth += (tokens[at].text in OPEN) - (tokens[at].text in CLOSE)
            at += 1
            if depth == 0:
                break
    return tokens[at].end
