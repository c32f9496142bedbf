// SPDX-License-Identifier: Apache-2.0
// Fewest XORs for a GF(2)-linear map under a depth bound.
//
//   c++ -O2 -std=c++17 -o xor_search bench/xor_search.cpp
//   ./xor_search SEED DEPTH ROUNDS MOVES SLACK GOAL SCAN < program.txt > better.txt
//
// A program on stdin is the word counts "inputs gates outputs", then one line "a b" per gate
// (node numbers: inputs first, then gates in order), then one line per output: its node number,
// then, if not all are 0, the arrival of each input in XOR levels.  The same format comes out,
// without the arrivals.  Every node carries a 64-bit value that is linear in the inputs
// (exact up to 64 inputs; beyond that random, so what comes out is to be proven by the caller,
// as every circuit here is).
//
// The search walks on plateaus.  A move takes a gate and writes it as the XOR of two other nodes
// that exist already, found by value; or re-associates (p + q) + r into (p + r) + q where the inner
// gate has no other reader (all but one in SCAN moves); or, rarely and within SLACK gates of the best, makes one new gate
// for a third way to write a gate.  What nobody reads is dropped.
// Only the seed and the counts decide the result, not the speed of the machine.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

using Value = uint64_t;

static uint64_t rng_state;
static uint64_t random64() {
  uint64_t z = (rng_state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
static int random_below(int n) { return int(random64() % uint64_t(n)); }

struct Table {  // open addressing, value -> node; node -1 is free
  std::vector<Value> key;
  std::vector<int> node;
  uint64_t mask;
  explicit Table(size_t want) {
    size_t size = 16;
    while (size < 4 * want) size *= 2;
    key.assign(size, 0), node.assign(size, -1), mask = size - 1;
  }
  uint64_t slot(Value v) const {
    uint64_t s = (v * 0x9e3779b97f4a7c15ull) >> 20 & mask;
    while (node[s] >= 0 && key[s] != v) s = (s + 1) & mask;
    return s;
  }
  int find(Value v) const { return node[slot(v)]; }
  void put(Value v, int n) { uint64_t s = slot(v); key[s] = v, node[s] = n; }
  void erase(Value v) {
    uint64_t s = slot(v);
    if (node[s] < 0) return;
    node[s] = -1;
    for (uint64_t t = (s + 1) & mask; node[t] >= 0; t = (t + 1) & mask) {
      Value k = key[t]; int n = node[t];
      node[t] = -1;
      put(k, n);
    }
  }
};

struct Program {
  int inputs = 0;
  std::vector<Value> value;           // by node
  std::vector<int> a, b, uses, depth; // by node; inputs have a = -1; a free place has uses = -1
  std::vector<int> live;              // nodes in use, inputs included
  std::vector<int> where;             // place in live
  std::vector<int> spare;
  std::vector<Value> outputs;
  int gates = 0;
};

struct Search {
  Program p;
  Table table;
  int bound;
  std::vector<int> mark;
  int epoch = 0;
  std::vector<int> stack;
  explicit Search(size_t n) : table(n), bound(0) {}

  int place(Value v, int a, int b) {
    int n;
    if (p.spare.empty()) {
      n = int(p.value.size());
      p.value.push_back(0), p.a.push_back(-1), p.b.push_back(-1), p.uses.push_back(0);
      p.depth.push_back(0), p.where.push_back(0), mark.push_back(0);
    } else {
      n = p.spare.back(), p.spare.pop_back();
    }
    p.value[n] = v, p.a[n] = a, p.b[n] = b, p.uses[n] = 0;
    p.where[n] = int(p.live.size()), p.live.push_back(n);
    table.put(v, n);
    if (a >= 0) {
      p.uses[a]++, p.uses[b]++, p.gates++;
      p.depth[n] = 1 + std::max(p.depth[a], p.depth[b]);
    } else {
      p.depth[n] = 0;  // load() knows better
    }
    return n;
  }
  void release(int n) {  // one reader less
    if (--p.uses[n] > 0 || p.a[n] < 0) return;
    int a = p.a[n], b = p.b[n];
    table.erase(p.value[n]);
    int last = p.live.back();
    p.live[p.where[n]] = last, p.where[last] = p.where[n], p.live.pop_back();
    p.uses[n] = -1, p.spare.push_back(n), p.gates--;
    release(a), release(b);
  }
  bool reads(int n, int target) {  // does n depend on target?
    ++epoch;
    stack.assign(1, n);
    while (!stack.empty()) {
      int m = stack.back();
      stack.pop_back();
      if (m == target) return true;
      if (mark[m] == epoch || p.a[m] < 0) continue;
      mark[m] = epoch;
      stack.push_back(p.a[m]), stack.push_back(p.b[m]);
    }
    return false;
  }
  // Depths again from scratch; false if some depth is over the bound.
  bool depths() {
    ++epoch;
    for (int n : p.live) {
      if (p.a[n] < 0 || mark[n] == epoch) continue;
      stack.assign(1, n);
      while (!stack.empty()) {
        int m = stack.back();
        if (p.a[m] < 0 || mark[m] == epoch) { stack.pop_back(); continue; }
        int x = p.a[m], y = p.b[m];
        bool ready = true;
        if (p.a[x] >= 0 && mark[x] != epoch) stack.push_back(x), ready = false;
        if (p.a[y] >= 0 && mark[y] != epoch) stack.push_back(y), ready = false;
        if (!ready) continue;
        p.depth[m] = 1 + std::max(p.depth[x], p.depth[y]);
        mark[m] = epoch, stack.pop_back();
      }
      if (p.depth[n] > bound) return false;
    }
    return true;
  }
  bool rewire(int n, int x, int y) {
    int oa = p.a[n], ob = p.b[n];
    if ((x == oa && y == ob) || (x == ob && y == oa)) return false;
    if (std::max(p.depth[x], p.depth[y]) >= bound) return false;
    if (reads(x, n) || reads(y, n)) return false;
    int old_depth = p.depth[n];
    p.uses[x]++, p.uses[y]++;
    p.a[n] = x, p.b[n] = y;
    if (1 + std::max(p.depth[x], p.depth[y]) > old_depth && !depths()) {
      p.a[n] = oa, p.b[n] = ob, p.uses[x]--, p.uses[y]--;
      depths();
      return false;
    }
    if (1 + std::max(p.depth[x], p.depth[y]) < old_depth) depths();
    release(oa), release(ob);
    return true;
  }
  int random_gate() {
    for (;;) {
      int n = p.live[random_below(int(p.live.size()))];
      if (p.a[n] >= 0) return n;
    }
  }
  void by_value() {
    int n = random_gate();
    Value v = p.value[n];
    int count = int(p.live.size()), start = random_below(count);
    int x = -1, y = -1, seen = 0;
    for (int k = 0; k < count; k++) {
      int m = p.live[(start + k) % count];
      if (m == n) continue;
      int w = table.find(v ^ p.value[m]);
      if (w < 0 || w <= m) continue;
      if ((m == p.a[n] && w == p.b[n]) || (m == p.b[n] && w == p.a[n])) continue;
      if (random_below(++seen) == 0) x = m, y = w;
    }
    if (seen) rewire(n, x, y);
  }
  void reassociate() {
    int n = random_gate();
    int inner = p.a[n], r = p.b[n];
    if (random64() & 1) std::swap(inner, r);
    if (p.a[inner] < 0) return;
    int q = p.a[inner], s = p.b[inner];
    if (random64() & 1) std::swap(q, s);
    Value v = p.value[q] ^ p.value[r];  // n = (q + r) + s
    if (v == 0) return;
    int have = table.find(v);
    if (have >= 0) {
      if (have != n && have != s) rewire(n, have, s);
      return;
    }
    if (p.uses[inner] != 1 || std::max(p.depth[q], p.depth[r]) + 1 >= bound) return;
    int fresh = place(v, q, r);
    p.uses[fresh]++;
    rewire(n, fresh, s);
    release(fresh);
  }
  void detour() {  // n = m + (x + y), where x + y is new
    int n = random_gate(), count = int(p.live.size());
    int m = p.live[random_below(count)];
    Value v = p.value[n] ^ p.value[m];
    if (m == n || v == 0 || table.find(v) >= 0) return;
    int start = random_below(count), x = -1, y = -1;
    for (int k = 0; k < count && x < 0; k++) {
      int c = p.live[(start + k) % count];
      int w = table.find(v ^ p.value[c]);
      if (w >= 0 && c != n && w != n && c != m && w != m) x = c, y = w;
    }
    if (x < 0 || std::max(p.depth[x], p.depth[y]) + 1 >= bound) return;
    int fresh = place(v, x, y);
    p.uses[fresh]++;
    rewire(n, fresh, m);
    release(fresh);
  }
  void load(FILE *in) {
    int gates, outputs;
    if (fscanf(in, "%d %d %d", &p.inputs, &gates, &outputs) != 3) exit(2);
    for (int i = 0; i < p.inputs; i++) {
      uint64_t v = p.inputs <= 64 ? 1ull << i : random64();
      p.uses[place(v, -1, -1)] = 1;
    }
    std::vector<int> node(p.inputs);
    for (int i = 0; i < p.inputs; i++) node[i] = i;
    for (int i = 0; i < gates; i++) {
      int x, y;
      if (fscanf(in, "%d %d", &x, &y) != 2) exit(2);
      Value v = p.value[node[x]] ^ p.value[node[y]];
      int have = table.find(v);
      node.push_back(have >= 0 ? have : place(v, node[x], node[y]));
    }
    for (int i = 0; i < outputs; i++) {
      int x;
      if (fscanf(in, "%d", &x) != 1) exit(2);
      p.outputs.push_back(p.value[node[x]]), p.uses[node[x]]++;
    }
    for (int i = 0; i < p.inputs && fscanf(in, "%d", &p.depth[i]) == 1; i++) {}
    for (size_t i = p.value.size(); i-- > size_t(p.inputs);)
      if (p.uses[i] == 0) p.uses[i] = 1, release(int(i));
    bound = 1 << 20;
    depths();
    int deepest = 0;
    for (int n : p.live) deepest = std::max(deepest, p.depth[n]);
    fprintf(stderr, "start: %d gates, depth %d\n", p.gates, deepest);
  }
  void write(FILE *out) {
    depths();
    std::vector<int> order;
    for (int n : p.live) if (p.a[n] >= 0) order.push_back(n);
    std::sort(order.begin(), order.end(), [&](int x, int y) {
      return p.depth[x] != p.depth[y] ? p.depth[x] < p.depth[y] : p.value[x] < p.value[y];
    });
    std::vector<int> number(p.value.size());
    for (int i = 0; i < p.inputs; i++) number[i] = i;
    for (size_t i = 0; i < order.size(); i++) number[order[i]] = p.inputs + int(i);
    fprintf(out, "%d %d %d\n", p.inputs, p.gates, int(p.outputs.size()));
    for (int n : order)
      fprintf(out, "%d %d\n", std::min(number[p.a[n]], number[p.b[n]]),
              std::max(number[p.a[n]], number[p.b[n]]));
    for (Value v : p.outputs) fprintf(out, "%d\n", number[table.find(v)]);
  }
};

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  rng_state = strtoull(argv[1], nullptr, 10);
  int depth = atoi(argv[2]), rounds = atoi(argv[3]);
  long moves = atol(argv[4]);
  int slack = argc > 5 ? atoi(argv[5]) : 0, goal = argc > 6 ? atoi(argv[6]) : 0;
  int scan = argc > 7 ? atoi(argv[7]) : 2;
  Search search(20000);
  search.load(stdin);
  search.bound = depth;
  if (!search.depths()) return fprintf(stderr, "the program is deeper than %d\n", depth), 2;
  Search best = search;
  for (int round = 0; round < rounds && best.p.gates > goal; round++) {
    Search s = best;
    for (long i = 0; i < moves; i++) {
      if (s.p.gates < best.p.gates + slack && random_below(200) == 0) s.detour();
      if (random_below(scan) == scan - 1) s.by_value(); else s.reassociate();
      if (s.p.gates < best.p.gates) {
        best = s;
        fprintf(stderr, "round %d move %ld: %d\n", round, i, best.p.gates);
      }
    }
    if (s.p.gates <= best.p.gates) best = s;
  }
  fprintf(stderr, "end: %d gates\n", best.p.gates);
  best.write(stdout);
}
