# SPDX-License-Identifier: Apache-2.0
"""Circuits that several tests share, and their specifications in plain ints."""

import random
import subprocess

from gcmforge import tools
from gcmforge.circuit import Builder, Op

POLY = {4: 0x13, 8: 0x11B, 16: 0x1002B, 128: (1 << 128) | 0x87}


def gf_mult(a, b, n):
    """Product in GF(2^n), bit i = coefficient of x^i."""
    product = 0
    for i in range(n):
        if b >> i & 1:
            product ^= a << i
    for k in range(2 * n - 2, n - 1, -1):
        if product >> k & 1:
            product ^= POLY[n] << (k - n)
    return product


def poly_product(b, x, y, leaf=1):
    """Karatsuba down to `leaf` bits, each part labelled."""
    n = len(x)
    if n <= leaf:
        return [
            b.xor_sum(b.and_(x[i], y[k - i]) for i in range(max(0, k - n + 1), min(n, k + 1)))
            for k in range(2 * n - 1)
        ]
    h = n // 2
    low, high = (poly_product(b, x[s], y[s], leaf) for s in (slice(h), slice(h, n)))
    sums = [[b.xor(p, q) for p, q in zip(v[:h], v[h:], strict=True)] for v in (x, y)]
    b.label(sums[0], f"a{n}_sum")
    b.label(sums[1], f"b{n}_sum")
    middle = poly_product(b, *sums, leaf)
    terms = [[] for _ in range(2 * n - 1)]
    for shift, part in ((0, low), (h, low), (h, high), (h, middle), (2 * h, high)):
        for k, net in enumerate(part):
            terms[k + shift].append(net)
    return [b.xor_sum(group) for group in terms]


def gf_multiplier(n, leaf=1):
    """a_i times b_i in GF(2^n)."""
    b = Builder(f"gf{n}_mul")
    x, y = b.input("a_i", n), b.input("b_i", n)
    with b.section("product of polynomials"):
        product = poly_product(b, list(x), list(y), leaf)
    columns = [[] for _ in range(n)]
    for k, net in enumerate(product):
        reduced = gf_mult(1 << min(k, n - 1), 1 << max(0, k - n + 1), n)
        for i in range(n):
            if reduced >> i & 1:
                columns[i].append(net)
    with b.section("reduction"):
        b.output("c_o", [b.xor_sum(column) for column in columns])
    return b.build()


def gf_square(n):
    """a_i squared in GF(2^n): linear."""
    b = Builder(f"gf{n}_square")
    x = b.input("a_i", n)
    rows = [[] for _ in range(n)]
    for k in range(n):
        image = gf_mult(1 << k, 1 << k, n)
        for i in range(n):
            if image >> i & 1:
                rows[i].append(x[k])
    b.output("c_o", [b.xor_sum(row) for row in rows])
    return b.build()


def gf_inverse(n=4):
    """x^(2^n - 2) in GF(2^n) by multiplications: a small nonlinear map, inverted at the end."""
    square, multiply = gf_square(n), gf_multiplier(n)
    b = Builder(f"gf{n}_inverse")
    x = b.input("x_i", n)
    power, result = x, None
    for _ in range(n - 1):
        power = b.instance(square, a_i=power)["c_o"]
        ready = result is not None
        result = b.instance(multiply, a_i=result, b_i=power)["c_o"] if ready else power
    b.output("y_o", [b.not_(net) for net in result])
    return b.build()


def gf_inverse_spec(x, n=4):
    """What gf_inverse computes."""
    y = 1
    for _ in range((1 << n) - 2):
        y = gf_mult(y, x, n)
    return y ^ ((1 << n) - 1)


def lint(text, folder, name):
    """Verilator -Wall's complaints about one module, and that Yosys reads it."""
    path = folder / f"{name}.sv"
    path.write_text(text)
    run = subprocess.run(
        [tools.verilator_binary(), "--lint-only", "-Wall", "--quiet", "--top-module", name, path],
        env=tools.verilator_environment(),
        text=True,
        capture_output=True,
        timeout=60,
    )
    tools.run_yosys([f"read_verilog -sv {path}", f"hierarchy -check -top {name}"], time_limit_s=60)
    return run.stdout + run.stderr


def adder(width=8):
    """A ripple adder with its carries labelled as one bus: bits that depend on each other."""
    b = Builder("adder")
    x, y = b.input("x_i", width), b.input("y_i", width)
    p = [b.xor(s, t) for s, t in zip(x, y, strict=True)]
    b.label(p, "propagate")
    carry = [b.const(0)]
    for k in range(width):
        carry.append(b.or_(b.and_(x[k], y[k]), b.and_(p[k], carry[k])))
    b.label(carry[1:], "carry")
    b.output("s_o", [*(b.xor(p[k], carry[k]) for k in range(width)), carry[-1]])
    return b.build()


def every_gate():
    b = Builder("every_gate")
    x, y, s = b.input("x_i", 4), b.input("y_i", 4), b.input("s_i", 1)
    outs = []
    for op in Op:
        with b.section(f"all about {op}"):
            if op is Op.MUX:
                row = [b.mux(s[0], p, q) for p, q in zip(x, y, strict=True)]
            elif op is Op.NOT:
                row = [b.not_(p) for p in x]
            else:
                row = [b.gate(op, pair) for pair in zip(x, y, strict=True)]
            b.label(row, f"{op}_row")
            outs.append(b.xor_sum(row))
            outs += row
    b.output("z_o", [*outs, b.const(1), b.const(0), x[2], b.mux(x[0], y[1], s[0])])
    return b.build()


def tangle(seed, gates=150):
    """Random gates, labels and sections, some input bits left unread."""
    rng = random.Random(seed)
    b = Builder("tangle")
    nets = list(b.input("x_i", 12)[:9]) + list(b.input("e_i", 1))
    for k in range(gates):
        op = rng.choice(list(Op))
        args = [rng.choice(nets[-30:]) for _ in range({Op.NOT: 1, Op.MUX: 3}.get(op, 2))]
        with b.section(f"part {k // 20 % 4}"):
            nets.append(b.gate(op, args))
        if k % 25 == 24:
            b.label(nets[-8:], f"bus{k}")
        if k % 17 == 0:
            b.label(nets[-1], f"one{k}")
    b.output("y_o", nets[-12:])
    b.output("z_o", [nets[-20]])
    return b.build()
