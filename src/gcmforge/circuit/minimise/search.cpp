// SPDX-License-Identifier: Apache-2.0
// Fewest XORs for a linear map: one round of annealing over a program of XORs, and the greedy of
// Boyar and Peralta.  search.py says what the moves are and calls this through ctypes.
//
// A program has nodes: the inputs first, then gates.  Every node carries a 64-bit value that is
// linear in the inputs: exact up to 64 inputs; beyond that random, so that two nodes with the same
// value are the same sum but for a chance of 2^-64 a pair, and the caller checks what comes out.
// Only the numbers given decide the result, not the speed of the machine.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "random.hpp"

namespace {

using Value = uint64_t;

// Open addressing, value -> node; node -1 is a free slot.
struct Table {
  std::vector<Value> key;
  std::vector<int> node;
  uint64_t mask = 0;
  void reset(size_t want) {
    size_t size = 64;
    while (size < 4 * want) size *= 2;
    key.assign(size, 0), node.assign(size, -1), mask = size - 1;
  }
  uint64_t slot(Value v) const {
    uint64_t s = (v * 0x9e3779b97f4a7c15ull) >> 24 & mask;
    while (node[s] >= 0 && key[s] != v) s = (s + 1) & mask;
    return s;
  }
  int find(Value v) const { return node[slot(v)]; }
  void put(Value v, int n) {
    uint64_t s = slot(v);
    key[s] = v, node[s] = n;
  }
  void erase(Value v) {
    uint64_t s = slot(v);
    node[s] = -1;
    for (uint64_t t = (s + 1) & mask; node[t] >= 0; t = (t + 1) & mask) {
      Value k = key[t];
      int n = node[t];
      node[t] = -1;
      put(k, n);
    }
  }
};

struct Node {
  Value value = 0;
  int a = -1, b = -1;  // -1: an input
  int depth = 0;
  int kept = 0;        // outputs that are this node
  int where = 0;       // place in live
  std::vector<int> readers;
  int uses() const { return int(readers.size()) + kept; }
};

// What a move did, so that it can be taken back.
struct Change {
  enum Kind { MADE, DROPPED, REWIRED, DEPTH } kind;
  int n, x, y;
  Value value;
};

struct Program {
  int inputs = 0, gates = 0, bound = 0;
  std::vector<Node> nodes;
  std::vector<int> live, spare;  // live: the nodes in use, inputs included
  std::vector<Value> outputs;
  Table table;
  std::vector<Change> journal;
  std::vector<int> stack;

  bool is_gate(int n) const { return nodes[n].a >= 0; }

  void unread(int n, int reader) {
    auto &r = nodes[n].readers;
    auto at = std::find(r.begin(), r.end(), reader);
    *at = r.back(), r.pop_back();
  }
  int fresh() {
    if (spare.empty()) return nodes.emplace_back(), int(nodes.size()) - 1;
    int n = spare.back();
    return spare.pop_back(), n;
  }
  int make(int n, Value v, int a, int b) {
    Node &node = nodes[n];
    node.value = v, node.a = a, node.b = b, node.kept = 0, node.depth = 0;
    node.where = int(live.size()), live.push_back(n);
    table.put(v, n);
    if (a >= 0) {
      nodes[a].readers.push_back(n), nodes[b].readers.push_back(n), gates++;
      node.depth = 1 + std::max(nodes[a].depth, nodes[b].depth);
    }
    return n;
  }
  void unmake(int n) {
    Node &node = nodes[n];
    table.erase(node.value);
    int last = live.back();
    live[node.where] = last, nodes[last].where = node.where, live.pop_back();
    unread(node.a, n), unread(node.b, n), gates--;
    node.a = node.b = -1;
    spare.push_back(n);
  }
  int add(Value v, int a, int b) {
    int n = make(fresh(), v, a, b);
    journal.push_back({Change::MADE, n, 0, 0, 0});
    return n;
  }
  void drop_unread(int n) {
    if (!is_gate(n) || nodes[n].uses() > 0) return;
    int a = nodes[n].a, b = nodes[n].b;
    journal.push_back({Change::DROPPED, n, a, b, nodes[n].value});
    unmake(n);
    drop_unread(a), drop_unread(b);
  }
  void wire(int n, int x, int y) {
    unread(nodes[n].a, n), unread(nodes[n].b, n);
    nodes[n].a = x, nodes[n].b = y;
    nodes[x].readers.push_back(n), nodes[y].readers.push_back(n);
  }
  // Depths of n and all that follow it; false when one is over the bound.
  bool settle(int first) {
    stack.assign(1, first);
    while (!stack.empty()) {
      int n = stack.back();
      stack.pop_back();
      Node &node = nodes[n];
      int depth = 1 + std::max(nodes[node.a].depth, nodes[node.b].depth);
      if (depth == node.depth) continue;
      journal.push_back({Change::DEPTH, n, node.depth, 0, 0});
      node.depth = depth;
      if (depth > bound) return false;
      stack.insert(stack.end(), node.readers.begin(), node.readers.end());
    }
    return true;
  }
  // Does n depend on target?  Depths are exact: what depends on target is deeper.
  bool depends(int n, int target) const {
    if (n == target) return true;
    if (!is_gate(n) || nodes[n].depth <= nodes[target].depth) return false;
    return depends(nodes[n].a, target) || depends(nodes[n].b, target);
  }
  bool rewire(int n, int x, int y) {
    int a = nodes[n].a, b = nodes[n].b;
    if ((x == a && y == b) || (x == b && y == a)) return false;
    if (std::max(nodes[x].depth, nodes[y].depth) >= bound) return false;
    if (depends(x, n) || depends(y, n)) return false;
    journal.push_back({Change::REWIRED, n, a, b, 0});
    wire(n, x, y);
    if (!settle(n)) return false;
    drop_unread(a), drop_unread(b);
    return true;
  }
  void undo() {
    while (!journal.empty()) {
      Change c = journal.back();
      journal.pop_back();
      if (c.kind == Change::MADE) unmake(c.n);
      if (c.kind == Change::REWIRED) wire(c.n, c.x, c.y);
      if (c.kind == Change::DEPTH) nodes[c.n].depth = c.x;
      if (c.kind == Change::DROPPED) {
        spare.pop_back();  // the last one dropped is the last spare one
        make(c.n, c.value, c.x, c.y);
      }
    }
  }
  // Gates that go when n loses one reader (at least; not more than `most` are counted).
  int freed(int n, int most) const {
    if (most <= 0 || !is_gate(n) || nodes[n].uses() > 1) return 0;
    int count = 1 + freed(nodes[n].a, most - 1);
    return count + freed(nodes[n].b, most - count);
  }
};

struct Search {
  Program p;
  Random random;
  double chance = 0;  // of a move that costs one gate
  int limit = 0;      // the most gates that a move may lead to
  bool paid = false;  // this move has drawn its chance to cost one gate

  int random_gate() {
    for (;;) {
      int n = p.live[random.below(int(p.live.size()))];
      if (p.is_gate(n)) return n;
    }
  }
  // Two nodes whose sum is v, other than `not_this` and the pair (a, b); false if there is none.
  // Unbiased among all pairs in a small program; the first from a random place on in a large one.
  bool find_pair(Value v, int not_this, int a, int b, int *x, int *y) {
    int count = int(p.live.size()), at = random.below(count), seen = 0;
    bool all = count <= 256;
    for (int k = 0; k < count; k++, at = at + 1 == count ? 0 : at + 1) {
      int m = p.live[at];
      int w = p.table.find(v ^ p.nodes[m].value);
      if (w < 0 || (all && w <= m) || w == not_this || m == not_this || w == m) continue;
      if ((m == a && w == b) || (m == b && w == a)) continue;
      if (std::max(p.nodes[m].depth, p.nodes[w].depth) >= p.bound) continue;
      if (all && random.below(++seen) != 0) continue;
      *x = m, *y = w;
      if (!all) return true;
    }
    return seen > 0;
  }
  bool by_value() {
    int n = random_gate(), x, y;
    const Node &node = p.nodes[n];
    return find_pair(node.value, n, node.a, node.b, &x, &y) && p.rewire(n, x, y);
  }
  bool reassociate() {  // n = (q + s) + r = (q + r) + s
    int n = random_gate(), inner = p.nodes[n].a, r = p.nodes[n].b;
    uint64_t coin = random.next();
    if (coin & 1) std::swap(inner, r);
    if (!p.is_gate(inner)) return false;
    int q = p.nodes[inner].a, s = p.nodes[inner].b;
    if (coin & 2) std::swap(q, s);
    Value v = p.nodes[q].value ^ p.nodes[r].value;
    if (v == 0) return false;
    int have = p.table.find(v);
    if (have >= 0) return have != n && have != s && p.rewire(n, have, s);
    if (p.nodes[inner].uses() > 1 && !may_cost()) return false;
    if (std::max(p.nodes[q].depth, p.nodes[r].depth) + 1 >= p.bound) return false;
    return p.rewire(n, p.add(v, q, r), s);
  }
  bool may_cost() { return paid = random.unit() < chance; }
  // n = m + t with t new: the sum of two nodes, or of one and a new one.
  bool detour() {
    int n = random_gate();
    int budget = p.freed(p.nodes[n].a, 3) + p.freed(p.nodes[n].b, 3);
    if (budget < 1 && !may_cost()) return false;
    int m = p.live[random.below(int(p.live.size()))];
    Value v = p.nodes[n].value ^ p.nodes[m].value;
    if (m == n || v == 0 || p.table.find(v) >= 0) return false;
    int x, y;
    if (find_pair(v, n, -1, -1, &x, &y)) return p.rewire(n, p.add(v, x, y), m);
    if (budget < 2 && !(budget == 1 && may_cost())) return false;
    int k = p.live[random.below(int(p.live.size()))];
    Value u = v ^ p.nodes[k].value;
    if (k == n || k == m || u == 0 || p.table.find(u) >= 0) return false;
    if (!find_pair(u, n, -1, -1, &x, &y)) return false;
    return p.rewire(n, p.add(v, p.add(u, x, y), k), m);
  }
  void step(int scan) {
    int before = p.gates;
    paid = false;
    int choice = random.below(scan);
    bool done = choice == 0 ? by_value() : choice == 1 ? detour() : reassociate();
    int cost = p.gates - before;
    if (!done || cost > 1 || (cost == 1 && (p.gates > limit || !(paid || may_cost())))) p.undo();
    p.journal.clear();
  }
};

// What the caller gives and gets: gates as pairs of nodes, outputs as nodes.
struct Listing {
  int32_t gates;
  int32_t *pairs;
  int32_t *outputs;
};

void write(const Program &p, Listing *out) {
  std::vector<int> order;
  for (int n : p.live)
    if (p.is_gate(n)) order.push_back(n);
  std::sort(order.begin(), order.end(), [&](int x, int y) {
    const Node &s = p.nodes[x], &t = p.nodes[y];
    return s.depth != t.depth ? s.depth < t.depth : s.value < t.value;
  });
  std::vector<int> number(p.nodes.size());
  for (int i = 0; i < p.inputs; i++) number[i] = i;
  for (size_t i = 0; i < order.size(); i++) number[order[i]] = p.inputs + int(i);
  out->gates = p.gates;
  for (size_t i = 0; i < order.size(); i++) {
    int x = number[p.nodes[order[i]].a], y = number[p.nodes[order[i]].b];
    out->pairs[2 * i] = std::min(x, y), out->pairs[2 * i + 1] = std::max(x, y);
  }
  for (size_t i = 0; i < p.outputs.size(); i++)
    out->outputs[i] = number[p.table.find(p.outputs[i])];
}

bool read(Program *p, int inputs, int outputs, const int32_t *arrivals, const Listing &in,
          Random *names) {
  p->inputs = inputs;
  p->table.reset(size_t(inputs + in.gates) + 256);
  std::vector<int> node;
  for (int i = 0; i < inputs; i++) {
    Value v = inputs <= 64 ? Value(1) << i : names->next();
    int n = p->make(p->fresh(), v, -1, -1);
    p->nodes[n].depth = arrivals[i];
    node.push_back(n);
  }
  for (int i = 0; i < in.gates; i++) {
    int x = node[in.pairs[2 * i]], y = node[in.pairs[2 * i + 1]];
    Value v = p->nodes[x].value ^ p->nodes[y].value;
    if (v == 0) return false;
    int have = p->table.find(v);
    if (have < 0) {
      node.push_back(p->make(p->fresh(), v, x, y));
      continue;
    }
    node.push_back(have);  // two gates of one value: the less deep one stays
    int depth = 1 + std::max(p->nodes[x].depth, p->nodes[y].depth);
    if (p->is_gate(have) && depth < p->nodes[have].depth) {
      p->wire(have, x, y);
      p->settle(have);
    }
  }
  for (int i = 0; i < outputs; i++) {
    int n = node[in.outputs[i]];
    p->nodes[n].kept++;
    p->outputs.push_back(p->nodes[n].value);
  }
  for (size_t n = p->nodes.size(); n-- > 0;) p->drop_unread(int(n));
  p->journal.clear();
  return true;
}

// Boyar and Peralta, SEA 2010: the pair whose sum brings the targets nearest is made a node.
struct Base {
  std::vector<Value> value;
  std::vector<int> depth;
  Table table;

  void add(Value v, int d) {
    table.put(v, int(value.size()));
    value.push_back(v), depth.push_back(d);
  }
  // Is v a sum of at most `terms` nodes, all but one from `from` on, whose 2^depth come to at most
  // `room`?
  bool reaches(Value v, int terms, int from, int64_t room) const {
    if (v == 0) return true;
    if (terms <= 0 || room <= 0) return false;
    int have = table.find(v);
    if (have >= 0 && int64_t(1) << depth[have] <= room) return true;
    if (terms == 1) return false;
    for (int i = from; i < int(value.size()); i++) {
      int64_t price = int64_t(1) << depth[i];
      if (price < room && reaches(v ^ value[i], terms - 1, i + 1, room - price)) return true;
    }
    return false;
  }
};

}  // namespace

extern "C" {

struct Round {
  int32_t inputs, outputs, bound, known, slack, goal, scan;
  double hot, cold;
  int64_t moves;
  uint64_t seed;
  const int32_t *arrivals;
  const volatile int32_t *stop;
};

// One round of r->moves from `in`; the program at its end comes out in `current`, the best one met
// in `best`.  The temperature falls from hot to cold, geometrically.  No move leads to more than
// slack gates over the best (known from earlier rounds, or better).  The round ends at once when
// the goal is met, or when *stop is set.  Returns 0; 1 when `in` is deeper than the bound or holds a
// gate that is always 0; 2 when it was stopped.  `current` needs room for known + slack gates or
// those of `in`, whichever is more.
int32_t gcm_xor_round(const Round *r, const Listing *in, Listing *current, Listing *best) {
  Search s;
  s.random.state = r->seed;
  Random names{0x243f6a8885a308d3ull};
  s.p.bound = 1 << 28;
  if (!read(&s.p, r->inputs, r->outputs, r->arrivals, *in, &names)) return 1;
  for (int n : s.p.live)
    if (s.p.nodes[n].depth > r->bound) return 1;
  s.p.bound = r->bound;
  s.limit = r->known + r->slack;
  write(s.p, best);
  bool stopped = false;
  for (int64_t i = 0; i < r->moves && best->gates > r->goal; i++) {
    if ((i & 1023) == 0) {
      if ((stopped = *r->stop != 0)) break;
      double t = r->hot * std::pow(r->cold / r->hot, double(i) / double(r->moves));
      s.chance = std::exp(-1 / t);
    }
    s.step(r->scan);
    if (s.p.gates < best->gates) {
      write(s.p, best);
      s.limit = std::min(r->known, best->gates) + r->slack;
    }
  }
  write(s.p, current);
  return stopped ? 2 : 0;
}

// The greedy of Boyar and Peralta over up to 64 inputs.  rows[i]: bit j says that input j takes
// part.  Ties go to the larger sum of squared distances, then by seed.  `out` has room for
// `capacity` gates; 1 when that is not enough, a row is empty or the bound cannot be met.
int32_t gcm_xor_boyar_peralta(int32_t inputs, int32_t outputs, const int32_t *arrivals,
                              const uint64_t *rows, int32_t bound, uint64_t seed, int32_t capacity,
                              Listing *out) {
  Random random{seed};
  Base base;
  base.table.reset(size_t(inputs) + size_t(capacity));
  for (int i = 0; i < inputs; i++) base.add(Value(1) << i, arrivals[i]);
  const int64_t room = int64_t(1) << bound;
  std::vector<int> distance(outputs), now(outputs), nearest(outputs);
  for (int i = 0; i < outputs; i++) {
    int64_t price = 0;
    for (int j = 0; j < inputs; j++)
      if (rows[i] >> j & 1) price += int64_t(1) << arrivals[j], distance[i]++;
    if (rows[i] == 0 || price > room) return 1;
    distance[i]--;
  }
  out->gates = 0;
  while (std::any_of(distance.begin(), distance.end(), [](int k) { return k > 0; })) {
    if (out->gates >= capacity) return 1;
    int best_sum = 1 << 30, best_norm = -1, seen = 0, bi = -1, bj = -1;
    for (int i = 0; i < int(base.value.size()); i++)
      for (int j = 0; j < i; j++) {
        Value v = base.value[i] ^ base.value[j];
        int depth = 1 + std::max(base.depth[i], base.depth[j]);
        if (v == 0 || depth > bound || base.table.find(v) >= 0) continue;
        int sum = 0, norm = 0;
        for (int k = 0; k < outputs; k++) {
          now[k] = distance[k];
          if (rows[k] == v) {
            now[k] = 0;
            sum -= 1 << 20;  // a target that is one sum away is made at once
          } else if (distance[k] > 0 &&
                     base.reaches(rows[k] ^ v, distance[k] - 1, 0, room - (int64_t(1) << depth))) {
            now[k]--;
          }
          sum += now[k], norm += now[k] * now[k];
        }
        if (sum > best_sum || (sum == best_sum && norm < best_norm)) continue;
        if (sum < best_sum || norm > best_norm) seen = 0;
        best_sum = sum, best_norm = norm;
        if (random.below(++seen) == 0) bi = i, bj = j, nearest = now;
      }
    if (bi < 0) return 1;
    out->pairs[2 * out->gates] = bj, out->pairs[2 * out->gates + 1] = bi;
    out->gates++;
    base.add(base.value[bi] ^ base.value[bj], 1 + std::max(base.depth[bi], base.depth[bj]));
    distance = nearest;
  }
  for (int k = 0; k < outputs; k++) out->outputs[k] = base.table.find(rows[k]);
  return 0;
}
}
