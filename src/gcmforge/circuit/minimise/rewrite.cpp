// SPDX-License-Identifier: Apache-2.0
// Smaller or faster circuits of the same function, up to 8 inputs: one round of annealing over the
// gates.  rewrite.py says what the moves are and calls this through ctypes.
//
// Every net carries its whole truth table, so a gate may become anything that has the same value
// wherever an output can see it.  Only the numbers given decide the result.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "random.hpp"

namespace {

enum Op { XOR, XNOR, AND, NAND, OR, NOR, NOT, MUX, KINDS, INPUT };

constexpr int arity(int op) { return op == MUX ? 3 : op == NOT ? 1 : op == INPUT ? 0 : 2; }
constexpr int complement(int op) { return op < NOT ? op ^ 1 : INPUT; }

template <int W>
struct Bits {  // a truth table of W words
  uint64_t w[W];
  Bits operator&(const Bits &o) const { return zip(o, [](uint64_t x, uint64_t y) { return x & y; }); }
  Bits operator|(const Bits &o) const { return zip(o, [](uint64_t x, uint64_t y) { return x | y; }); }
  Bits operator^(const Bits &o) const { return zip(o, [](uint64_t x, uint64_t y) { return x ^ y; }); }
  Bits operator~() const { return zip(*this, [](uint64_t x, uint64_t) { return ~x; }); }
  bool none() const {
    for (int i = 0; i < W; i++)
      if (w[i]) return false;
    return true;
  }
  template <class F>
  Bits zip(const Bits &o, F f) const {
    Bits r;
    for (int i = 0; i < W; i++) r.w[i] = f(w[i], o.w[i]);
    return r;
  }
};

struct Gate {
  int op = INPUT;
  int arg[3] = {0, 0, 0};
};

struct Prices {
  int32_t area[KINDS];   // hundredths of a GE
  int32_t delay[KINDS];  // any unit
  int32_t load[KINDS];   // delay that each pin of a reader of that kind adds, in the same unit
  int32_t output_load;   // the same of an output
  int32_t input_load;    // hundredths of that delay that count for nets that are inputs
  int32_t bound;         // the delay to keep
  int32_t penalty;       // area for each unit by which an output is later than the bound
};

template <int W>
struct Circuit {
  using Table = Bits<W>;
  int inputs = 0;  // nets 0 and 1 are constants, then the inputs, then gates in order
  std::vector<Gate> gate;
  std::vector<int> outputs;
  std::vector<Table> value;
  int64_t cost = 0;
  int area = 0;

  int first() const { return 2 + inputs; }
  int size() const { return int(gate.size()); }

  static Table result(const Gate &g, const std::vector<Table> &v) {
    const Table &p = v[g.arg[0]];
    switch (g.op) {
      case XOR: return p ^ v[g.arg[1]];
      case XNOR: return ~(p ^ v[g.arg[1]]);
      case AND: return p & v[g.arg[1]];
      case NAND: return ~(p & v[g.arg[1]]);
      case OR: return p | v[g.arg[1]];
      case NOR: return ~(p | v[g.arg[1]]);
      case NOT: return ~p;
      default: return (p & v[g.arg[1]]) | (~p & v[g.arg[2]]);
    }
  }

  // Drop what no output reads, sort, evaluate, price.
  void settle(const Prices &prices) {
    std::vector<int> number(gate.size(), -1), stack, order;
    for (int n = 0; n < first(); n++) number[n] = n;
    for (int out : outputs) {
      stack.push_back(out);
      while (!stack.empty()) {
        int n = stack.back();
        if (number[n] >= 0) { stack.pop_back(); continue; }
        bool ready = true;
        for (int k = 0; k < arity(gate[n].op); k++)
          if (number[gate[n].arg[k]] < 0) stack.push_back(gate[n].arg[k]), ready = false;
        if (!ready) continue;
        stack.pop_back();
        number[n] = first() + int(order.size());
        order.push_back(n);
      }
    }
    std::vector<Gate> sorted(gate.begin(), gate.begin() + first());
    for (int n : order) {
      Gate g = gate[n];
      for (int k = 0; k < arity(g.op); k++) g.arg[k] = number[g.arg[k]];
      sorted.push_back(g);
    }
    gate.swap(sorted);
    for (int &out : outputs) out = number[out];
    value.resize(gate.size());
    std::vector<int> load(gate.size(), 0), arrival(gate.size(), 0);
    for (int out : outputs) load[out] += prices.output_load;
    area = 0;
    for (int n = first(); n < size(); n++) {
      value[n] = result(gate[n], value);
      area += prices.area[gate[n].op];
      for (int k = 0; k < arity(gate[n].op); k++) load[gate[n].arg[k]] += prices.load[gate[n].op];
    }
    for (int n = 2; n < size(); n++) {
      int latest = 0;
      for (int k = 0; k < arity(gate[n].op); k++)
        latest = std::max(latest, arrival[gate[n].arg[k]]);
      if (gate[n].op == INPUT) arrival[n] = load[n] * prices.input_load / 100;
      else arrival[n] = latest + prices.delay[gate[n].op] + load[n];
    }
    cost = area;
    for (int out : outputs) cost += int64_t(prices.penalty) * std::max(0, arrival[out] - prices.bound);
  }
};

template <int W>
struct Search {
  using Table = Bits<W>;
  Circuit<W> now;
  Random random;
  const Prices &prices;
  std::vector<Table> wanted;
  std::vector<char> after;   // nets that depend on the gate at hand, itself included
  std::vector<int> allowed;  // all others
  std::vector<int> some, others;

  Search(const Prices &p, uint64_t seed) : random{seed}, prices(p) {}

  // Where an output sees the gate n; fills after and allowed.
  Table observe(int n) {
    after.assign(now.size(), 0);
    allowed.clear();
    std::vector<Table> flipped(now.value);
    after[n] = 1, flipped[n] = ~now.value[n];
    for (int m = 2; m < now.size(); m++) {
      const Gate &g = now.gate[m];
      for (int k = 0; k < arity(g.op) && m != n; k++) after[m] |= after[g.arg[k]];
      if (!after[m]) allowed.push_back(m);
      else if (m != n) flipped[m] = Circuit<W>::result(g, flipped);
    }
    Table seen{};
    for (int out : now.outputs) seen = seen | (flipped[out] ^ now.value[out]);
    return seen;
  }

  // A random single gate over allowed nets (op INPUT: the net itself) that is t where care is set.
  bool find(const Table &t, const Table &care, int kinds, Gate *found) {
    int seen = 0;
    auto take = [&](int op, int x, int y, int z) {
      if (random.below(++seen) == 0) *found = Gate{op, {x, y, z}};
    };
    const auto &v = now.value;
    if (kinds & 1)
      for (int x : allowed) {
        Table d = (v[x] ^ t) & care;
        if (d.none()) take(INPUT, x, 0, 0);
        if ((d ^ care).none()) take(NOT, x, 0, 0);
      }
    if (kinds & 2)
      for (size_t i = 0; i < allowed.size(); i++) {
        Table rest = v[allowed[i]] ^ t;
        for (size_t j = 0; j < i; j++) {
          uint64_t low = (rest.w[0] ^ v[allowed[j]].w[0]) & care.w[0];
          if (low && low != care.w[0]) continue;
          Table d = (rest ^ v[allowed[j]]) & care;
          if (d.none()) take(XOR, allowed[i], allowed[j], 0);
          if ((d ^ care).none()) take(XNOR, allowed[i], allowed[j], 0);
        }
      }
    if (kinds & 4)
      for (int flip = 0; flip < 2; flip++) {
        Table goal = (flip ? ~t : t) & care, rest = ~goal & care;
        some.clear(), others.clear();
        for (int x : allowed) {
          if ((goal & ~v[x]).none()) some.push_back(x);
          if ((rest & v[x]).none()) others.push_back(x);
        }
        for (size_t i = 0; i < some.size(); i++)
          for (size_t j = 0; j < i; j++)
            if ((v[some[i]] & v[some[j]] & rest).none()) take(AND + flip, some[i], some[j], 0);
        for (size_t i = 0; i < others.size(); i++)
          for (size_t j = 0; j < i; j++)
            if ((goal & ~(v[others[i]] | v[others[j]])).none())
              take(OR + flip, others[i], others[j], 0);
      }
    if (kinds & 8)
      for (int s : allowed) {
        Table one = v[s] & care, zero = ~v[s] & care;
        if (one.none() || zero.none()) continue;
        some.clear(), others.clear();
        for (int x : allowed) {
          if (x == s) continue;
          Table d = v[x] ^ t;
          if ((d & one).none()) some.push_back(x);
          if ((d & zero).none()) others.push_back(x);
        }
        for (int x : some)
          for (int y : others)
            if (x != y) take(MUX, s, x, y);
      }
    return seen > 0;
  }

  void redirect(Circuit<W> &c, int from, int to) {
    for (Gate &g : c.gate)
      for (int k = 0; k < arity(g.op); k++)
        if (g.arg[k] == from) g.arg[k] = to;
    for (int &out : c.outputs)
      if (out == from) out = to;
  }
  static int append(Circuit<W> &c, const Gate &g) {
    if (g.op == INPUT) return g.arg[0];
    c.gate.push_back(g);
    return c.size() - 1;
  }
  void put(Circuit<W> &c, int n, const Gate &g) {
    if (g.op == INPUT) redirect(c, n, g.arg[0]);
    else c.gate[n] = g;
  }
  int random_kinds() { return random.below(4) ? 1 << random.below(4) : 15; }

  bool rewrite(Circuit<W> *c, int n) {
    Table care = observe(n);
    Gate g;
    if (!find(now.value[n], care, random_kinds(), &g)) return false;
    const Gate &old = now.gate[n];
    if (g.op == old.op && std::equal(g.arg, g.arg + arity(g.op), old.arg)) return false;
    *c = now;
    put(*c, n, g);
    return true;
  }
  // n = (q + s) + r = (q + r) + s
  bool reassociate(Circuit<W> *c, int n) {
    Gate g = now.gate[n];
    if (g.op > XNOR) return false;
    uint64_t coin = random.next();
    if (coin & 1) std::swap(g.arg[0], g.arg[1]);
    const Gate &inner = now.gate[g.arg[0]];
    if (inner.op > XNOR) return false;
    int q = inner.arg[coin >> 1 & 1], s = inner.arg[~coin >> 1 & 1];
    *c = now;
    int made = append(*c, Gate{XOR, {q, g.arg[1], 0}});
    c->gate[n] = Gate{g.op ^ inner.op, {made, s, 0}};
    return true;
  }
  // n = op(m, t) with t a new gate
  bool detour(Circuit<W> *c, int n) {
    Table care = observe(n), t = now.value[n];
    if (allowed.empty()) return false;
    int m = allowed[random.below(int(allowed.size()))], op = random.below(7);
    const Table &v = now.value[m];
    Gate top{op, {m, 0, 0}};
    int hole = 1;
    if (op == 6) {  // a multiplexer by s, one side of which is m
      int s = allowed[random.below(int(allowed.size()))];
      bool upper = random.below(2);
      Table side = upper ? now.value[s] : ~now.value[s];
      if (s == m || !((v ^ t) & side & care).none()) return false;
      top = Gate{MUX, {s, m, m}};
      hole = upper ? 2 : 1;
      care = care & ~side;
    } else if (op <= XNOR) {
      t = t ^ v;
      if (op == XNOR) t = ~t;
    } else {
      if (op == NAND || op == NOR) t = ~t;
      if (op <= NAND) {
        if (!(t & care & ~v).none()) return false;
        care = care & v;
      } else {
        if (!(~t & care & v).none()) return false;
        care = care & ~v;
      }
    }
    Gate below;
    if (!find(t, care, random_kinds(), &below)) return false;
    *c = now;
    top.arg[hole] = append(*c, below);
    c->gate[n] = top;
    return true;
  }
  // The complement of gate n in its place; readers that cannot take it get an inverter.
  bool invert(Circuit<W> *c, int n) {
    int op = complement(now.gate[n].op);
    if (op == INPUT) return false;
    *c = now;
    c->gate[n].op = op;
    int not_n = -1;
    auto inverse = [&] {
      if (not_n < 0) not_n = append(*c, Gate{NOT, {n, 0, 0}});
      return not_n;
    };
    for (int r = now.first(); r < now.size(); r++) {
      const Gate &reader = now.gate[r];
      int reads = 0, at = 0;
      for (int k = 0; k < arity(reader.op); k++)
        if (reader.arg[k] == n) reads++, at = k;
      if (reads > 1) return false;
      if (reads == 0) continue;
      if (reader.op <= XNOR) {
        c->gate[r].op ^= 1;
      } else if (reader.op == MUX && at == 0) {
        std::swap(c->gate[r].arg[1], c->gate[r].arg[2]);
      } else if (reader.op == NOT) {
        redirect(*c, r, n);
      } else {
        int inverter = inverse();
        c->gate[r].arg[at] = inverter;
      }
    }
    for (size_t i = 0; i < c->outputs.size(); i++)
      if (now.outputs[i] == n) c->outputs[i] = inverse();
    return true;
  }
  bool correct(const Circuit<W> &c) const {
    for (size_t i = 0; i < wanted.size(); i++)
      if (!(c.value[c.outputs[i]] ^ wanted[i]).none()) return false;
    return true;
  }
};

struct Listing {  // four numbers a gate: kind and arguments
  int32_t gates;
  int32_t *rows;
  int32_t *outputs;
};

struct Round {
  int32_t inputs, outputs;
  double hot, cold;  // in hundredths of a GE
  int64_t moves;
  uint64_t seed;
  const Prices *prices;
  const volatile int32_t *stop;
};

template <int W>
void write(const Circuit<W> &c, Listing *out) {
  out->gates = c.size() - c.first();
  for (int n = c.first(); n < c.size(); n++) {
    int32_t *row = out->rows + 4 * (n - c.first());
    row[0] = c.gate[n].op;
    for (int k = 0; k < 3; k++) row[1 + k] = k < arity(row[0]) ? c.gate[n].arg[k] : 0;
  }
  for (size_t i = 0; i < c.outputs.size(); i++) out->outputs[i] = c.outputs[i];
}

template <int W>
int32_t run(const Round &r, const Listing &in, Listing *current, Listing *best, int32_t room,
            int64_t *cost) {
  Search<W> s(*r.prices, r.seed);
  s.now.inputs = r.inputs;
  s.now.gate.resize(s.now.first());
  s.now.value.resize(s.now.first());
  std::memset(s.now.value.data(), 0, sizeof(Bits<W>));
  s.now.value[1] = ~s.now.value[0];
  for (int i = 0; i < r.inputs; i++) {
    Bits<W> &table = s.now.value[2 + i];
    std::memset(&table, 0, sizeof table);
    for (int k = 0; k < 64 * W; k++)
      if (k >> i & 1) table.w[k / 64] |= uint64_t(1) << (k % 64);
  }
  for (int i = 0; i < in.gates; i++) {
    const int32_t *row = in.rows + 4 * i;
    s.now.gate.push_back(Gate{row[0], {row[1], row[2], row[3]}});
  }
  s.now.outputs.assign(in.outputs, in.outputs + r.outputs);
  s.now.settle(*r.prices);
  for (int out : s.now.outputs) s.wanted.push_back(s.now.value[out]);
  Circuit<W> top = s.now, next;
  bool stopped = false;
  double temperature = r.hot;
  for (int64_t i = 0; i < r.moves && s.now.size() > s.now.first(); i++) {
    if ((i & 63) == 0) {
      if ((stopped = *r.stop != 0)) break;
      temperature = r.hot * std::pow(r.cold / r.hot, double(i) / double(r.moves));
    }
    int n = s.now.first() + s.random.below(s.now.size() - s.now.first());
    int choice = s.random.below(8);
    bool made = choice == 0   ? s.invert(&next, n)
                : choice < 4  ? s.rewrite(&next, n)
                : choice == 4 ? s.reassociate(&next, n)
                              : s.detour(&next, n);
    if (!made) continue;
    next.settle(*r.prices);
    double more = double(next.cost - s.now.cost);
    if (next.size() - next.first() > room) continue;
    if (more > 0 && s.random.unit() >= std::exp(-more / temperature)) continue;
    if (!s.correct(next)) return 1;  // cannot happen
    std::swap(s.now, next);
    if (s.now.cost < top.cost) top = s.now;
  }
  write(s.now, current), write(top, best);
  *cost = top.cost;
  return stopped ? 2 : 0;
}

}  // namespace

extern "C" {

// One round of r->moves from `in`; the circuit at its end comes out in `current`, the best one met
// in `best`, with its cost.  Both have room for `room` gates.  Returns 0, or 2 when *stop ended it.
int32_t gcm_rewrite_round(const Round *r, const Listing *in, Listing *current, Listing *best,
                          int32_t room, int64_t *cost) {
  return r->inputs <= 6 ? run<1>(*r, *in, current, best, room, cost)
                        : run<4>(*r, *in, current, best, room, cost);
}
}
