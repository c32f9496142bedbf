// SPDX-License-Identifier: Apache-2.0
// The event simulation of events.cpp for many runs side by side: a lane for each, a bit in a word.
//
// Every lane does exactly what events.cpp does with its patterns; of the results there is only the
// energy of each step. All lanes see the same clock. A step goes through the gates once, each after
// those that drive it, since there is no loop without a flip-flop: a gate reads how its inputs
// change in the whole step, times with the lanes that change then, and writes the same of its
// output. An energy is counted when a gate's function changes, and taken back where it changes
// again before the output did.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "events.hpp"
#include "lanes.hpp"

namespace {

using gcm::any;
using gcm::Word;

constexpr int kPins = 6;
constexpr int32_t kNever = INT32_MAX;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Words = std::unique_ptr<Word[], Free>;

Words words(int64_t count) {
  void* memory = std::aligned_alloc(sizeof(Word), sizeof(Word) * std::max<int64_t>(count, 1));
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, sizeof(Word) * count);
  return Words(static_cast<Word*>(memory));
}

// How a net changes in a step: times in order, the last one kNever, and the lanes of each.
struct Wave {
  Words lanes;
  std::vector<int32_t> time;
};

// What a gate's pins tell about delays: of each edge [fall, rise].
struct Pins {
  int32_t delay[2][kPins + 1];
  uint8_t order[2][kPins + 1];  // pins with a path, the fastest first; then "no pin"
  uint8_t paths[2];
  bool all;  // every pin has a path to both edges
};

class Simulator {
 public:
  virtual ~Simulator() = default;
  virtual void step(const Word* pattern, double* energy) = 0;
};

template <int N>
class Wide : public Simulator {
 public:
  Wide(const Design& d, int32_t longest, int32_t lanes, double unit)
      : d_(d), value_(words(int64_t{d.nets} * N)), next_(words(int64_t{d.flops} * N)),
        readers_(d.nets, 0), left_(d.nets, 0), wave_(d.nets), moves_(d.nets, 0),
        energies_(unit, lanes) {
    while (ring_ <= longest) ring_ *= 2;
    due_lanes_ = words(int64_t{ring_} * N);
    due_.assign(ring_ / 64, 0);
    std::fill_n(&value_[int64_t{d.one} * N], N, gcm::everywhere(1));
    for (int32_t g = 0; g < d.gates; ++g) function(g, &value_[int64_t{d.output[g]} * N]);
    for (int32_t g = 0; g < d.gates; ++g) pins_.push_back(pins_of(g));
    put_in_order();
  }

  void step(const Word* pattern, double* energy) override {
    for (int32_t f = 0; f < d_.flops; ++f) function(d_.gates + f, &next_[int64_t{f} * N]);
    for (int32_t f = 0; f < d_.flops; ++f)
      start(d_.output[d_.gates + f], &next_[int64_t{f} * N], d_.launch + 2 * f,
            d_.launch_energy + 2 * f);
    const int32_t at_once[2] = {0, 0};
    const double nothing[2] = {0, 0};
    for (int32_t i = 0; i < d_.inputs; ++i)
      start(d_.input_net[i], pattern + int64_t{i} * N, at_once, nothing);
    for (int32_t g : order_) gate(g);
    for (int32_t f = 0; f < d_.flops; ++f)
      std::copy_n(&next_[int64_t{f} * N], N, &value_[int64_t{d_.output[d_.gates + f]} * N]);
    for (int32_t i = 0; i < d_.inputs; ++i)
      std::copy_n(pattern + int64_t{i} * N, N, &value_[int64_t{d_.input_net[i]} * N]);
    for (int32_t g = 0; g < d_.gates; ++g)
      if (moves_[d_.output[g]]) function(g, &value_[int64_t{d_.output[g]} * N]);
    energies_.take(energy);
  }

 private:
  Pins pins_of(int32_t g) const {
    Pins made{};
    int32_t first = d_.first[g], count = d_.first[g + 1] - first;
    made.all = true;
    for (int e = 0; e < 2; ++e) {
      for (int32_t p = 0; p < count; ++p) {
        made.delay[e][p] = d_.pin_delay[2 * (first + p) + e];
        if (made.delay[e][p] < 0) made.all = false;
        else made.order[e][made.paths[e]++] = p;
      }
      std::stable_sort(made.order[e], made.order[e] + made.paths[e],
                       [&](int a, int b) { return made.delay[e][a] < made.delay[e][b]; });
      made.delay[e][count] = 1;
      made.order[e][made.paths[e]] = count;
    }
    return made;
  }

  // Gates soon after those that drive them, so that few waves have to be kept at a time.
  void put_in_order() {
    std::vector<int32_t> driver(d_.nets, -1), stack;
    std::vector<uint8_t> state(d_.gates, 0);
    for (int32_t g = 0; g < d_.gates; ++g) driver[d_.output[g]] = g;
    for (int32_t p = 0; p < d_.first[d_.gates]; ++p) ++readers_[d_.pin_net[p]];
    auto visit = [&](int32_t root) {
      if (root >= 0) stack.push_back(root);
      while (!stack.empty()) {
        int32_t g = stack.back();
        if (state[g] != 0) {
          stack.pop_back();
          if (state[g] == 1) order_.push_back(g);
          state[g] = 2;
          continue;
        }
        state[g] = 1;
        for (int32_t p = d_.first[g]; p < d_.first[g + 1]; ++p) {
          int32_t from = driver[d_.pin_net[p]];
          if (from >= 0 && state[from] == 0) stack.push_back(from);
        }
      }
    };
    for (int32_t p = d_.first[d_.gates]; p < d_.first[d_.gates + d_.flops]; ++p)
      visit(driver[d_.pin_net[p]]);
    for (int32_t g = 0; g < d_.gates; ++g) visit(g);
  }

  // -- waves: memory goes from net to net, in powers of two of changes

  Wave take(int64_t changes) {
    size_t kind = 63 - __builtin_clzll(changes);
    if ((int64_t{1} << kind) < changes) ++kind;
    if (spare_.size() <= kind) spare_.resize(kind + 1);
    if (spare_[kind].empty())
      return {words(N << kind), std::vector<int32_t>(size_t{1} << kind)};
    Wave found = std::move(spare_[kind].back());
    spare_[kind].pop_back();
    return found;
  }

  void give_back(Wave&& wave) {
    spare_[63 - __builtin_clzll(wave.time.size())].push_back(std::move(wave));
  }

  // A wave with room for more than this one of so many changes, which has no more.
  Wave larger(Wave&& old, int64_t changes) {
    Wave made = take(2 * old.time.size());
    std::copy_n(old.lanes.get(), changes * N, made.lanes.get());
    std::copy_n(old.time.data(), changes, made.time.data());
    give_back(std::move(old));
    return made;
  }

  void keep(int32_t net, Wave&& wave, int64_t changes) {
    moves_[net] = changes;
    if (changes == 0 || readers_[net] == 0) return give_back(std::move(wave));
    wave.time[changes] = kNever;
    wave_[net] = std::move(wave);
    left_[net] = readers_[net];
  }

  // -- what a step begins with: flip-flops and inputs that change

  void start(int32_t net, const Word* to, const int32_t* delay, const double* cause) {
    Word edge[2][N], both[N], some[2] = {};
    for (int w = 0; w < N; ++w) {
      both[w] = to[w] ^ value_[int64_t{net} * N + w];
      edge[0][w] = both[w] & ~to[w], edge[1][w] = both[w] & to[w];
      some[0] |= edge[0][w], some[1] |= edge[1][w];
    }
    moves_[net] = 0;
    if (!any(some[0] | some[1])) return;
    Wave wave = take(4);
    int64_t changes = 0;
    auto put = [&](int32_t time, const Word* lanes) {
      wave.time[changes] = time;
      std::copy_n(lanes, N, &wave.lanes[changes++ * N]);
    };
    int sooner = delay[1] < delay[0];
    for (int e : {sooner, 1 - sooner}) {
      if (!any(some[e])) continue;
      energies_.add(edge[e], energies_.units(cause[e] + d_.net_energy[2 * net + e]));
      if (delay[0] != delay[1]) put(delay[e], edge[e]);
    }
    if (delay[0] == delay[1]) put(delay[0], both);
    keep(net, std::move(wave), changes);
  }

  // -- gates

  template <int K>
  void function(int32_t g, Word* out) const {
    const gcm::Function<K, N> table(d_.table[g]);
    Word in[K][N];
    for (int p = 0; p < K; ++p)
      std::copy_n(&value_[int64_t{d_.pin_net[d_.first[g] + p]} * N], N, in[p]);
    for (int w = 0; w < N; ++w) out[w] = table(in, w);
  }

  void function(int32_t g, Word* out) const {
    switch (d_.first[g + 1] - d_.first[g]) {
      case 0: std::fill_n(out, N, gcm::everywhere(d_.table[g])); break;
      case 1: function<1>(g, out); break;
      case 2: function<2>(g, out); break;
      case 3: function<3>(g, out); break;
      case 4: function<4>(g, out); break;
      case 5: function<5>(g, out); break;
      case 6: function<6>(g, out); break;
    }
  }

  void gate(int32_t g) {
    int64_t changes = 0;
    int32_t first = d_.first[g], end = d_.first[g + 1];
    for (int32_t p = first; p < end; ++p) changes += moves_[d_.pin_net[p]];
    moves_[d_.output[g]] = 0;
    if (changes == 0) return;
    switch (end - first) {
      case 1: gate<1>(g, changes); break;
      case 2: gate<2>(g, changes); break;
      case 3: gate<3>(g, changes); break;
      case 4: gate<4>(g, changes); break;
      case 5: gate<5>(g, changes); break;
      case 6: gate<6>(g, changes); break;
    }
    for (int32_t p = first; p < end; ++p) {
      int32_t net = d_.pin_net[p];
      if (moves_[net] && --left_[net] == 0) give_back(std::move(wave_[net]));
    }
  }

  template <int K>
  void gate(int32_t g, int64_t changes) {
    const Pins& pins = pins_[g];
    const gcm::Function<K, N> table(d_.table[g]);
    const int32_t* net = d_.pin_net + d_.first[g];
    const int32_t out = d_.output[g], wrap = ring_ - 1;
    Word in[K][N], now[N], pending[N] = {};  // pending: the output is not what the function is
    const Word* lanes[K];
    const int32_t* time[K];
    int32_t when[K];
    for (int p = 0; p < K; ++p) {
      std::copy_n(&value_[int64_t{net[p]} * N], N, in[p]);
      lanes[p] = moves_[net[p]] ? wave_[net[p]].lanes.get() : nullptr;
      time[p] = moves_[net[p]] ? wave_[net[p]].time.data() : &kNever;
      when[p] = *time[p];
    }
    std::copy_n(&value_[int64_t{out} * N], N, now);
    begin_log(K, changes);
    Wave wave = take(changes + 2);
    int64_t made = 0, room = wave.time.size() - 1;
    int32_t due = kNever;
    for (;;) {
      int32_t t = when[0];
      int p = 0;
      for (int q = 1; q < K; ++q) p = when[q] < t ? q : p, t = std::min(t, when[q]);
      while (due <= t) {
        if (due == kNever) return finish(g, std::move(wave), made);
        if (__builtin_expect(made == room, 0)) {
          wave = larger(std::move(wave), made);
          room = wave.time.size() - 1;
        }
        Word *slot = &due_lanes_[int64_t{due & wrap} * N], *change = &wave.lanes[made * N], some{};
        wave.time[made] = due;
        for (int w = 0; w < N; ++w) {
          change[w] = pending[w] & slot[w];
          pending[w] ^= change[w];
          slot[w] = Word{};
          some |= change[w];
        }
        made += any(some);
        due = after(due);
      }
      int at_once = 0;
      for (int q = 0; q < K; ++q) at_once += when[q] == t;
      Word changed[K][N] = {}, diff[N], edge[2] = {}, lost{};
      const bool one = at_once == 1 && pins.all;
      if (__builtin_expect(one, 1)) {
        for (int w = 0; w < N; ++w) in[p][w] ^= lanes[p][w];
        lanes[p] += N;
        when[p] = *++time[p];
      } else {
        for (int q = 0; q < K; ++q) {
          const bool mine = when[q] == t;
          for (int w = 0; w < N; ++w) {
            changed[q][w] = mine ? lanes[q][w] : Word{};
            in[q][w] ^= changed[q][w];
          }
          if (mine) lanes[q] += N, when[q] = *++time[q];
        }
      }
      for (int w = 0; w < N; ++w) {
        Word to = table(in, w);
        diff[w] = to ^ now[w];
        now[w] = to;
        edge[0] |= diff[w] & ~to, edge[1] |= diff[w] & to;
        lost |= diff[w] & pending[w];
      }
      const bool some[2] = {any(edge[0]), any(edge[1])};
      if (!(some[0] || some[1])) continue;
      if (__builtin_expect(any(lost), 0)) take_back(diff, pending, now);
      if (one && some[0] != some[1]) {
        due = std::min(due, put(p, some[1], t + pins.delay[some[1]][p], diff, pending));
      } else {
        for (int e = 0; e < 2; ++e) {
          if (!some[e]) continue;
          Word rest[N];
          for (int w = 0; w < N; ++w) rest[w] = diff[w] & (e ? now[w] : ~now[w]);
          if (one) {
            due = std::min(due, put(p, e, t + pins.delay[e][p], rest, pending));
            continue;
          }
          for (int i = 0; i <= pins.paths[e]; ++i) {
            int q = pins.order[e][i];
            Word mine[N], found{};
            for (int w = 0; w < N; ++w) {
              mine[w] = q == K ? rest[w] : rest[w] & changed[q][w];
              rest[w] ^= mine[w];
              found |= mine[w];
            }
            if (any(found)) due = std::min(due, put(q, e, t + pins.delay[e][q], mine, pending));
          }
        }
      }
      for (int w = 0; w < N; ++w) pending[w] ^= diff[w];
    }
  }

  // Energies, and the wave, of a gate that is done.
  void finish(int32_t g, Wave&& wave, int64_t made) {
    const int32_t first = d_.first[g], count = d_.first[g + 1] - first, out = d_.output[g];
    for (int e = 0; e < 2; ++e)
      for (int p = 0; p <= count; ++p) {
        double cause = p < count ? d_.pin_energy[2 * (first + p) + e] : 0.0;
        int64_t units = energies_.units(cause + d_.net_energy[2 * out + e]);
        more_[e][p].each([&](const Word* lanes, int64_t n) { energies_.add(lanes, units * n); });
        if (less_[e][p].used())
          less_[e][p].each([&](const Word* lanes, int64_t n) { energies_.add(lanes, -units * n); });
        less_[e][p].drop();
      }
    keep(out, std::move(wave), made);
  }

  // -- changes of a gate's function, and when they are due at its output

  void begin_log(int count, int64_t changes) {
    const size_t most = (count + 1) * 2 * changes;
    if (by_.size() < most) {
      by_.resize(2 * most);
      log_ = words(2 * most * N);
    }
    logged_ = 0;
    for (int p = 0; p <= count; ++p) more_[0][p].clear(), more_[1][p].clear();
  }

  // An event of a pin and an edge; gives its time.
  int32_t put(int pin, int edge, int32_t time, const Word* lanes, const Word* pending) {
    int32_t place = time & (ring_ - 1);
    due_[place / 64] |= uint64_t{1} << (place % 64);
    Word *slot = &due_lanes_[int64_t{place} * N], *log = &log_[logged_ * N], fresh[N];
    by_[logged_++] = pin;
    for (int w = 0; w < N; ++w) {
      log[w] = lanes[w];
      slot[w] |= lanes[w];
      fresh[w] = lanes[w] & ~pending[w];
    }
    more_[edge][pin].add(fresh);
    return time;
  }

  // The time of the next event, from this one on that is done.
  int32_t after(int32_t time) {
    int32_t place = time & (ring_ - 1), word = place / 64, words = ring_ / 64;
    due_[word] &= ~(uint64_t{1} << (place % 64));
    uint64_t bits = due_[word] >> (place % 64);
    if (bits) return time + __builtin_ctzll(bits);
    time += 64 - place % 64;
    for (int32_t i = 1; i <= words; ++i, time += 64) {
      word = (word + 1) & (words - 1);
      if (due_[word]) return time + __builtin_ctzll(due_[word]);
    }
    return kNever;
  }

  // Lanes whose function changes again before the output did: their last events cost nothing.
  __attribute__((noinline)) void take_back(const Word* diff, const Word* pending, const Word* now) {
    Word rest[N];
    for (int w = 0; w < N; ++w) rest[w] = diff[w] & pending[w];
    for (int64_t at = logged_ - 1;; --at) {
      const Word* log = &log_[at * N];
      Word some[2] = {}, edge[2][N], left{};
      for (int w = 0; w < N; ++w) some[0] |= rest[w] & log[w];
      if (!any(some[0])) continue;
      some[0] = Word{};
      for (int w = 0; w < N; ++w) {
        Word mine = rest[w] & log[w];
        rest[w] ^= mine;
        left |= rest[w];
        edge[0][w] = mine & now[w], edge[1][w] = mine & ~now[w];
        some[0] |= edge[0][w], some[1] |= edge[1][w];
      }
      for (int e = 0; e < 2; ++e) {
        if (!any(some[e])) continue;
        gcm::Count<N>& count = less_[e][by_[at]];
        if (!count.used()) count.clear();
        count.add(edge[e]);
      }
      if (!any(left)) return;
    }
  }

  Design d_;
  int32_t ring_ = 64;
  Words value_, next_;  // [nets], [flops]: at the start of a step, at its end
  std::vector<int32_t> readers_, left_, order_;
  std::vector<Wave> wave_;
  std::vector<int64_t> moves_;  // [nets] changes in this step
  std::vector<std::vector<Wave>> spare_;
  std::vector<Pins> pins_;
  Words due_lanes_;            // [ring] by time: lanes whose output may change then
  std::vector<uint64_t> due_;  // a bit for each time
  Words log_;
  std::vector<uint8_t> by_;
  int64_t logged_ = 0;
  gcm::Count<N> more_[2][kPins + 1], less_[2][kPins + 1];
  gcm::Energies<N> energies_;
};

}  // namespace

extern "C" {

// Flip-flops and inputs at 0, everything settled. There are 512 or 1024 lanes, of which so many are
// in use. The design's energies are whole numbers of the unit, the largest sum of two at most 2^26.
void* gcm_wide_create(const Design* design, int32_t longest, int32_t lanes,
                      double unit) {
  if (lanes <= gcm::kWordLanes)
    return static_cast<Simulator*>(new Wide<1>(*design, longest, lanes, unit));
  return static_cast<Simulator*>(new Wide<2>(*design, longest, lanes, unit));
}

// Patterns [step, input, words]; energies [step, lane]. Both at multiples of 64 bytes.
void gcm_wide_run(void* simulator, int64_t steps, const void* patterns, int64_t step_words,
                  int64_t lanes, double* energy) {
  for (int64_t i = 0; i < steps; ++i)
    static_cast<Simulator*>(simulator)->step(
        static_cast<const Word*>(patterns) + i * step_words, energy + i * lanes);
}

void gcm_wide_destroy(void* simulator) { delete static_cast<Simulator*>(simulator); }
}
