// SPDX-License-Identifier: Apache-2.0
// Few LUTs for a linear map: sums of up to K terms that rows have in common become terms of their
// own, greedily and then by taking some back and choosing again; what is left of each row is a tree
// of K-input sums.  Where a LUT has two outputs over K - 1 common inputs, small sums are put into
// one LUT two by two.  luts.py calls this through ctypes.
//
// A term is an input or a sum made before.  Depth is bounded as Kraft has it: a row over terms of
// depths d can be summed in trees of K-input LUTs within depth D when its K^d come to at most K^D.
// Only the numbers given decide the result, not the speed of the machine.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "random.hpp"

namespace {

using Rows = unsigned __int128;  // a set of up to 128 rows
using Terms = std::vector<int>;

constexpr int kRows = 128;
constexpr int kLut = 60;  // the cost of one LUT

int count(Rows r) {
  return __builtin_popcountll(uint64_t(r)) + __builtin_popcountll(uint64_t(r >> 64));
}
int first(Rows r) {
  return uint64_t(r) ? __builtin_ctzll(uint64_t(r)) : 64 + __builtin_ctzll(uint64_t(r >> 64));
}
Rows one(int i) { return Rows(1) << i; }
template <class F> void each(Rows r, F f) {
  for (; r; r &= r - 1) f(first(r));
}
bool has(const Terms &terms, int t) { return std::find(terms.begin(), terms.end(), t) != terms.end(); }

struct Term {
  Terms args;  // none: an input, or a sum that was taken back
  int depth = 0, readers = 0;
  Rows rows = 0;  // that it is a term of
};

struct Candidate {
  int gain = 0;
  Terms terms;
  Rows rows = 0;
};

struct Network {
  int inputs = 0, lut = 6, bound = 0;
  bool dual = false;
  std::vector<Term> term;
  Terms row[kRows];
  int64_t weight[kRows] = {};       // Kraft: the sum of K^depth
  uint16_t common[kRows][kRows] = {};  // terms that two rows have in common
  int64_t power[24];

  int cost_of(int size) const {
    static const int kHalf[] = {0, 0, kLut / 2, kLut / 2, kLut * 17 / 20, kLut * 29 / 30, kLut};
    return dual ? kHalf[size] : kLut;
  }
  void put(int i, int t) {
    each(term[t].rows, [&](int j) { common[i][j]++, common[j][i]++; });
    term[t].rows |= one(i), row[i].push_back(t), weight[i] += power[term[t].depth];
  }
  void take(int i, int t) {
    row[i].erase(std::find(row[i].begin(), row[i].end(), t));
    term[t].rows &= ~one(i), weight[i] -= power[term[t].depth];
    each(term[t].rows, [&](int j) { common[i][j]--, common[j][i]--; });
  }
  int depth_over(const Terms &terms) const {
    int depth = 0;
    for (int t : terms) depth = std::max(depth, term[t].depth);
    return depth + 1;
  }
  // Those of the rows that can still be summed in time with these terms made one.
  Rows in_time(const Terms &terms, Rows rows) const {
    int depth = depth_over(terms);
    if (depth >= bound) return 0;
    int64_t more = power[depth];
    for (int t : terms) more -= power[term[t].depth];
    if (more <= 0) return rows;
    Rows fit = 0;
    each(rows, [&](int i) {
      if (weight[i] + more <= power[bound]) fit |= one(i);
    });
    return fit;
  }
  // A term that a row has one of less costs it the (K-1)th part of a LUT.
  int gain_of(int size, Rows rows) const {
    return count(rows) * (size - 1) * kLut / (lut - 1) - cost_of(size);
  }
  void offer(Candidate *best, const Terms &terms, Rows rows) const {
    int size = int(terms.size());
    if (size < 2 || size > lut || gain_of(size, rows) <= best->gain) return;
    rows = in_time(terms, rows);
    int gain = gain_of(size, rows);
    if (gain > best->gain) *best = {gain, terms, rows};
  }
  void make(const Candidate &c) {
    int n = int(term.size());
    term.emplace_back();
    term[n].args = c.terms, term[n].depth = depth_over(c.terms);
    for (int t : c.terms) term[t].readers++;
    each(c.rows, [&](int i) {
      for (int t : c.terms) take(i, t);
      put(i, n);
    });
  }
  // A sum that no other one reads becomes its terms again; one that was there already cancels.
  void take_back(int n) {
    Rows rows = term[n].rows;
    each(rows, [&](int i) {
      take(i, n);
      for (int t : term[n].args) has(row[i], t) ? take(i, t) : put(i, t);
    });
    for (int t : term[n].args) term[t].readers--;
    term[n].args.clear();
  }
  int64_t cost() const {
    int64_t sum = 0;
    for (const Term &t : term)
      if (!t.args.empty()) sum += cost_of(int(t.args.size()));
    for (const Terms &terms : row) {
      int more = std::max(0, int(terms.size()) - 1);
      sum += more / (lut - 1) * kLut;
      if (int rest = more % (lut - 1)) sum += cost_of(rest + 1);
    }
    return sum;
  }
  bool on_time() const {
    for (int64_t w : weight)
      if (w > power[bound]) return false;
    return true;
  }
};

struct Search {
  Network n;
  Random random;
  int tries = 0;

  // Terms that two rows have in common, then three, then more: the best number of rows.
  void from_pair(Candidate *best, int i, int j) {
    Terms terms;
    for (int t : n.row[i])
      if (n.term[t].rows & one(j)) terms.push_back(t);
    Rows rows = one(i) | one(j);
    for (;;) {
      if (int(terms.size()) > n.lut) {
        Terms some = terms;
        Rows all = ~Rows(0);
        for (int k = 0; k < n.lut; k++) {
          std::swap(some[k], some[k + random.below(int(some.size()) - k)]);
          all &= n.term[some[k]].rows;
        }
        some.resize(n.lut);
        n.offer(best, some, all);
      } else {
        n.offer(best, terms, rows);
      }
      int shared[kRows] = {}, most = 1, with = -1, ties = 0;
      for (int t : terms) each(n.term[t].rows & ~rows, [&](int k) { shared[k]++; });
      for (int k = 0; k < kRows; k++) {
        if (shared[k] < most || shared[k] < 2) continue;
        if (shared[k] > most) most = shared[k], ties = 0;
        if (random.below(++ties) == 0) with = k;
      }
      if (with < 0) return;
      terms.erase(std::remove_if(terms.begin(), terms.end(),
                                 [&](int t) { return !(n.term[t].rows & one(with)); }),
                  terms.end());
      rows |= one(with);
    }
  }
  // One term, then the one that most of its rows have as well, and so on: the best number of terms.
  void from_term(Candidate *best, int t, const Terms &pool) {
    Terms terms{t};
    Rows rows = n.term[t].rows;
    while (int(terms.size()) < n.lut) {
      int most = 2, with = -1, ties = 0;
      for (int k : pool) {
        int both = count(rows & n.term[k].rows);
        if (both < most || has(terms, k)) continue;
        if (both > most) most = both, ties = 0;
        if (random.below(++ties) == 0) with = k;
      }
      if (with < 0) return;
      terms.push_back(with), rows &= n.term[with].rows;
      n.offer(best, terms, rows);
    }
  }
  void pairs_of_rows(std::vector<Candidate> *found) {
    std::vector<std::pair<int, int>> sharing[kRows * 8];
    int most = 0;
    for (int i = 0; i < kRows; i++)
      for (int j = i + 1; j < kRows; j++) {
        int q = std::min<int>(n.common[i][j], kRows * 8 - 1);
        if (q >= 2) sharing[q].push_back({i, j}), most = std::max(most, q);
      }
    int left = tries;
    for (int q = most; q >= 2; q--) {
      auto &pairs = sharing[q];
      for (size_t k = 0; k < pairs.size() && left > 0; k++, left--) {
        std::swap(pairs[k], pairs[k + random.below(int(pairs.size() - k))]);
        Candidate c;
        from_pair(&c, pairs[k].first, pairs[k].second);
        if (c.gain > 0) found->push_back(c);
      }
    }
  }
  void terms_of_many(std::vector<Candidate> *found) {
    Terms pool;
    for (int t = 0; t < int(n.term.size()); t++)
      if (count(n.term[t].rows) >= 3) pool.push_back(t);
    for (int k = 0; k < tries && !pool.empty(); k++) {
      Candidate c;
      from_term(&c, pool[random.below(int(pool.size()))], pool);
      if (c.gain > 0) found->push_back(c);
    }
  }
  // The best sums of rows apart at once, again and again, until none gains.
  void greedy() {
    for (;;) {
      std::vector<Candidate> found;
      pairs_of_rows(&found), terms_of_many(&found);
      if (found.empty()) return;
      std::stable_sort(found.begin(), found.end(),
                       [](const Candidate &p, const Candidate &q) { return p.gain > q.gain; });
      int least = found[0].gain - found[0].gain / 12;
      Rows touched = 0;
      for (const Candidate &c : found) {
        if (c.gain < least) break;
        if (c.rows & touched) continue;
        n.make(c), touched |= c.rows;
      }
    }
  }
  void ruin(int many) {
    Terms sums;
    for (int t = n.inputs; t < int(n.term.size()); t++)
      if (!n.term[t].args.empty()) sums.push_back(t);
    for (int k = 0; k < many && !sums.empty(); k++)
      take_back_with_readers(sums[random.below(int(sums.size()))]);
  }
  void take_back_with_readers(int t) {
    if (n.term[t].args.empty()) return;
    for (int k = int(n.term.size()) - 1; n.term[t].readers > 0; k--)
      if (has(n.term[k].args, t)) take_back_with_readers(k);
    n.take_back(t);
  }
  // A round that costs something stays with the probability exp(-cost/T); T falls from half a LUT to
  // a twentieth of one.
  void run(int64_t rounds, int most_taken, const volatile int32_t *stop) {
    greedy();
    Network now = n, best = n;
    int64_t cost = n.cost(), least = cost;
    for (int64_t k = 0; k < rounds && !*stop; k++) {
      double t = kLut / 2 * std::pow(0.1, double(k) / double(rounds));
      ruin(1 + random.below(most_taken));
      greedy();
      int64_t found = n.cost();
      if (!n.on_time() || std::exp(double(cost - found) / t) < random.unit()) {
        n = now;
        continue;
      }
      compact();
      now = n, cost = found;
      if (cost < least) least = cost, best = n;
    }
    n = best;
  }
  // Leave out the numbers of sums that were taken back.
  void compact() {
    std::vector<int> number(n.term.size());
    std::vector<Term> kept;
    for (int t = 0; t < int(n.term.size()); t++) {
      number[t] = int(kept.size());
      if (t < n.inputs || !n.term[t].args.empty()) kept.push_back(n.term[t]);
    }
    for (Term &t : kept)
      for (int &arg : t.args) arg = number[arg];
    for (Terms &terms : n.row)
      for (int &t : terms) t = number[t];
    n.term = std::move(kept);
  }
};

// The rows' trees, and small sums two by two in a LUT.  A pair is of one level, so that LUTs form
// no loop and no output is later for what the other one reads.
struct Packing {
  struct Sum {
    Terms args;
    int level, partner;
  };
  struct Rest {  // the sum of `size` of a row's terms: which, is free
    int row, size;
  };
  const Network &n;
  Random &random;
  std::vector<Sum> sum;     // term inputs + k is sum[k]
  std::vector<Rest> rests;  // those that have no terms yet
  Terms left[kRows];
  int output[kRows];

  Packing(const Network &network, Random &source) : n(network), random(source) {}

  int level(int t) const { return t < n.inputs ? 0 : sum[t - n.inputs].level; }
  int made(const Terms &args, int at_level) {
    sum.push_back({args, at_level, -1});
    return n.inputs + int(sum.size()) - 1;
  }
  static int together(const Terms &p, const Terms &q) {
    int extra = 0;
    for (int t : q) extra += !has(p, t);
    return int(p.size()) + extra;
  }
  void run() {
    for (int t = n.inputs; t < int(n.term.size()); t++) made(n.term[t].args, n.term[t].depth);
    for (int i = 0; i < kRows; i++) {
      left[i] = n.row[i];
      int size = int(left[i].size());
      int rest = size > 1 ? (size - 1) % (n.lut - 1) : 0;
      if (rest) rests.push_back({i, rest + 1});
    }
    if (n.dual) {
      pair_rests();
      pair_sums();
    }
    for (const Rest &rest : rests) settle(rest, lowest(rest), -1);
    for (int i = 0; i < kRows; i++) output[i] = tree(left[i]);
  }
  Terms lowest(const Rest &rest) const {
    Terms terms = left[rest.row];
    by_level(&terms);
    terms.resize(rest.size);
    return terms;
  }
  void by_level(Terms *terms) const {
    std::stable_sort(terms->begin(), terms->end(),
                     [&](int p, int q) { return level(p) < level(q); });
  }
  int tree(Terms terms) {
    if (terms.empty()) return -1;
    while (terms.size() > 1) {
      by_level(&terms);
      Terms args(terms.begin(), terms.begin() + n.lut);
      terms.erase(terms.begin(), terms.begin() + n.lut);
      terms.push_back(made(args, level(args.back()) + 1));
    }
    return terms[0];
  }
  // Would the row's tree be in time with a term of that level for these?
  bool in_time(const Rest &rest, const Terms &args, int at_level) const {
    int64_t weight = n.power[at_level];
    for (int t : left[rest.row])
      if (!has(args, t)) weight += n.power[level(t)];
    return weight <= n.power[n.bound] && at_level < n.bound;
  }
  void settle(const Rest &rest, const Terms &args, int partner) {
    int at_level = partner >= 0 ? sum[partner].level : level_over(args);
    int t = made(args, at_level);
    if (partner >= 0) sum[t - n.inputs].partner = partner, sum[partner].partner = t - n.inputs;
    Terms rest_of_row;
    for (int k : left[rest.row])
      if (!has(args, k)) rest_of_row.push_back(k);
    rest_of_row.push_back(t);
    left[rest.row] = rest_of_row;
  }
  int level_over(const Terms &args) const {
    int top = 0;
    for (int t : args) top = std::max(top, level(t));
    return top + 1;
  }
  // Terms of the row for a sum in one LUT with p; none when there are none.
  Terms paired(const Rest &rest, const Terms &p, int at_level) const {
    Terms args;
    for (int t : left[rest.row])
      if (int(args.size()) < rest.size && has(p, t)) args.push_back(t);
    int room = n.lut - 1 - int(p.size());
    if (rest.size - int(args.size()) > room) return {};
    Terms others = left[rest.row];
    by_level(&others);
    for (int t : others)
      if (int(args.size()) < rest.size && !has(p, t) && level(t) < at_level) args.push_back(t);
    if (int(args.size()) < rest.size || !in_time(rest, args, at_level)) return {};
    return args;
  }
  // Rests go with sums that are hard to pair first: five terms, then four, then three.
  void pair_rests() {
    for (int size = n.lut - 1; size >= 2; size--)
      for (int k = 0; k < int(sum.size()); k++) {
        if (int(sum[k].args.size()) != size || sum[k].partner >= 0) continue;
        int best = -1;
        for (int r = 0; r < int(rests.size()); r++)
          if (best < 0 || rests[r].size > rests[best].size)
            if (!paired(rests[r], sum[k].args, sum[k].level).empty()) best = r;
        if (best < 0) continue;
        settle(rests[best], paired(rests[best], sum[k].args, sum[k].level), k);
        rests.erase(rests.begin() + best);
      }
  }
  bool fits(int p, int q) const {
    return sum[p].level == sum[q].level && together(sum[p].args, sum[q].args) < n.lut;
  }
  // A matching among the sums that are alone: those of few partners first, then paths of three.
  void pair_sums() {
    std::vector<int> alone;
    for (int k = 0; k < int(sum.size()); k++)
      if (sum[k].partner < 0 && int(sum[k].args.size()) < n.lut) alone.push_back(k);
    std::vector<std::vector<int>> near(sum.size());
    for (int p : alone)
      for (int q : alone)
        if (p != q && fits(p, q)) near[p].push_back(q);
    std::stable_sort(alone.begin(), alone.end(),
                     [&](int p, int q) { return near[p].size() < near[q].size(); });
    for (int p : alone) {
      if (sum[p].partner >= 0) continue;
      int best = -1;
      for (int q : near[p])
        if (sum[q].partner < 0 && (best < 0 || near[q].size() < near[best].size())) best = q;
      if (best >= 0) join(p, best);
    }
    for (int p : alone) {
      if (sum[p].partner >= 0) continue;
      for (int q : near[p])
        if (lengthen(p, q, near)) break;
    }
  }
  bool lengthen(int p, int q, const std::vector<std::vector<int>> &near) {
    int r = sum[q].partner;
    if (r < 0) return join(p, q), true;
    for (int s : near[r])
      if (s != p && sum[s].partner < 0) return join(p, q), join(r, s), true;
    return false;
  }
  void join(int p, int q) { sum[p].partner = q, sum[q].partner = p; }
};

}  // namespace

extern "C" {

struct LutTask {
  int32_t inputs, outputs, lut, dual, bound, tries, most_taken;
  int64_t rounds;
  uint64_t seed;
  const uint64_t *rows;  // (inputs + 63) / 64 words each
  const volatile int32_t *stop;
};

// Sum k has sizes[k] terms, which follow each other in args; partners[k] is the sum in the same
// LUT, or -1; outputs[i] is row i's term, or -1 when it is empty.
struct LutListing {
  int32_t sums, terms;
  int32_t *sizes, *partners, *args, *outputs;
};

// Returns 0; 1 when there are more than 128 rows or the bound cannot be met; 2 when `out` has not
// room enough for sums (its `sums` when called) or for their terms (`terms`).
int32_t gcm_lut_search(const LutTask *task, LutListing *out) {
  if (task->outputs > kRows || task->bound > 20) return 1;
  Search s;
  s.random.state = task->seed, s.tries = task->tries;
  Network &n = s.n;
  n.inputs = task->inputs, n.lut = task->lut, n.dual = task->dual != 0, n.bound = task->bound;
  n.power[0] = 1;
  for (int d = 1; d < 24; d++) n.power[d] = n.power[d - 1] * n.lut;
  n.term.resize(task->inputs);
  const int words = (task->inputs + 63) / 64;
  for (int i = 0; i < task->outputs; i++)
    for (int j = 0; j < task->inputs; j++)
      if (task->rows[i * words + j / 64] >> (j % 64) & 1) n.put(i, j);
  if (!n.on_time()) return 1;
  s.run(task->rounds, task->most_taken, task->stop);
  Packing packing(n, s.random);
  packing.run();
  int terms = 0;
  for (const auto &sum : packing.sum) terms += int(sum.args.size());
  if (int(packing.sum.size()) > out->sums || terms > out->terms) return 2;
  out->sums = int32_t(packing.sum.size()), out->terms = 0;
  for (int k = 0; k < out->sums; k++) {
    const auto &sum = packing.sum[k];
    out->sizes[k] = int32_t(sum.args.size()), out->partners[k] = sum.partner;
    for (int t : sum.args) out->args[out->terms++] = t;
  }
  for (int i = 0; i < task->outputs; i++) out->outputs[i] = packing.output[i];
  return 0;
}
}
