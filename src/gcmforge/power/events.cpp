// SPDX-License-Identifier: Apache-2.0
// Event-driven simulation of a mapped netlist with a delay for every pin and edge.
//
// A gate remembers the value its function has now. When that changes, an event is put after the
// delay of the input that caused it (the shortest of several that changed at once); when the event
// is due, the output takes the value that the function has then. A pulse shorter than the delay
// therefore vanishes, and events are never taken back: this is what Icarus Verilog does for
// specify-path delays. Times are whole picoseconds.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "events.hpp"

namespace {

struct Event {
  int32_t gate;
  int32_t next;
};

struct Energy {
  int32_t time;
  double energy;
};

// Events of the near future: one list for each picosecond, in a ring longer than any delay.
class Wheel {
 public:
  explicit Wheel(int32_t longest) {
    size_ = 64;
    while (size_ <= longest) size_ *= 2;
    head_.assign(size_, -1);
    used_.assign(size_ / 64, 0);
  }

  void put(int32_t gate, int64_t time) {
    int32_t slot = static_cast<int32_t>(time & (size_ - 1));
    int32_t at = free_;
    if (at >= 0) {
      free_ = pool_[at].next;
    } else {
      at = static_cast<int32_t>(pool_.size());
      pool_.push_back({});
    }
    pool_[at] = {gate, head_[slot]};
    head_[slot] = at;
    used_[slot / 64] |= uint64_t{1} << (slot % 64);
    ++count_;
  }

  bool empty() const { return count_ == 0; }

  // The earliest time from `now` on that has events; there has to be one.
  int64_t next(int64_t now) const {
    int32_t slot = static_cast<int32_t>(now & (size_ - 1));
    int32_t word = slot / 64;
    uint64_t bits = used_[word] >> (slot % 64);
    if (bits) return now + __builtin_ctzll(bits);
    int64_t ahead = 64 - slot % 64;
    for (;;) {
      word = (word + 1) & (size_ / 64 - 1);
      if (used_[word]) return now + ahead + __builtin_ctzll(used_[word]);
      ahead += 64;
    }
  }

  // Takes all events of one time out, into `gates`.
  void take(int64_t time, std::vector<int32_t>& gates) {
    int32_t slot = static_cast<int32_t>(time & (size_ - 1));
    for (int32_t at = head_[slot]; at >= 0;) {
      gates.push_back(pool_[at].gate);
      int32_t next = pool_[at].next;
      pool_[at].next = free_;
      free_ = at;
      at = next;
      --count_;
    }
    head_[slot] = -1;
    used_[slot / 64] &= ~(uint64_t{1} << (slot % 64));
  }

 private:
  int32_t size_, free_ = -1;
  int64_t count_ = 0;
  std::vector<int32_t> head_;
  std::vector<uint64_t> used_;
  std::vector<Event> pool_;
};

}  // namespace

extern "C" {

struct Results {
  int64_t* toggles;     // [2 * nets]
  int64_t* functional;  // [nets] changes from one settled state to the next
  double* energy;       // [steps] of this run
  double* peak;         // [steps] largest energy in any window
  int32_t* settled;     // [steps] time of the last event
  double arc_energy;    // sum over all pins' and launches' energies
  int64_t events;
};
}

namespace {

class Simulator {
 public:
  explicit Simulator(const Design& d, int32_t longest)
      : d_(d), wheel_(longest), value_(d.nets, 0), start_(d.nets, 0), touched_(d.nets, -1),
        wake_(d.nets, -1), now_value_(d.gates + d.flops, 0), energy_(d.gates + d.flops, 0.0),
        seen_(d.gates, -1), fan_first_(d.nets + 1, 0) {
    int32_t pins = d.first[d.gates];
    for (int32_t p = 0; p < pins; ++p) ++fan_first_[d.pin_net[p] + 1];
    for (int32_t n = 0; n < d.nets; ++n) fan_first_[n + 1] += fan_first_[n];
    fan_.resize(pins);
    std::vector<int32_t> at(fan_first_.begin(), fan_first_.end() - 1);
    for (int32_t g = 0; g < d.gates; ++g)
      for (int32_t p = d.first[g]; p < d.first[g + 1]; ++p) fan_[at[d.pin_net[p]]++] = g;
    value_[d.one] = 1;
  }

  // Flip-flops at 0, everything settled for one pattern.
  void settle(const uint8_t* pattern) {
    for (int32_t i = 0; i < d_.inputs; ++i) value_[d_.input_net[i]] = pattern[i];
    for (int32_t g = 0; g < d_.gates; ++g) value_[d_.output[g]] = now_value_[g] = function(g);
  }

  uint8_t value(int32_t net) const { return value_[net]; }

  void step(const uint8_t* pattern, int32_t window, Results& r, int64_t index) {
    spent_.clear();
    changed_.clear();
    ++cycle_;
    int64_t begin = base_;
    for (int32_t f = 0; f < d_.flops; ++f) clock(f, begin);
    bool any = false;
    for (int32_t i = 0; i < d_.inputs; ++i) {
      int32_t net = d_.input_net[i];
      if (value_[net] != pattern[i]) any = true, change(net, pattern[i], 0.0, begin, r);
    }
    if (any) evaluate(begin, r);
    int64_t now = begin;
    while (!wheel_.empty()) {
      now = wheel_.next(now);
      due_.clear();
      wheel_.take(now, due_);
      for (int32_t g : due_) {
        ++r.events;
        int32_t net = d_.output[g];
        if (value_[net] == now_value_[g]) continue;
        r.arc_energy += energy_[g];
        change(net, now_value_[g], energy_[g], now, r);
      }
      evaluate(now, r);
    }
    for (int32_t net : changed_) r.functional[net] += value_[net] != start_[net];
    r.settled[index] = spent_.empty() ? 0 : spent_.back().time;
    account(window, r, index);
    base_ = now + 1;
  }

 private:
  uint8_t function(int32_t g) const {
    uint64_t index = 0;
    int32_t first = d_.first[g], last = d_.first[g + 1];
    for (int32_t p = first; p < last; ++p) index |= uint64_t{value_[d_.pin_net[p]]} << (p - first);
    return d_.table[g] >> index & 1;
  }

  void clock(int32_t f, int64_t begin) {
    int32_t g = d_.gates + f;
    uint8_t next = function(g);
    if (next == now_value_[g]) return;
    now_value_[g] = next;
    energy_[g] = d_.launch_energy[2 * f + next];
    wheel_.put(g, begin + d_.launch[2 * f + next]);
  }

  void change(int32_t net, uint8_t to, double cause, int64_t now, Results& r) {
    if (touched_[net] != cycle_) {
      touched_[net] = cycle_;
      start_[net] = value_[net];
      changed_.push_back(net);
    }
    value_[net] = to;
    wake_[net] = now;
    ++r.toggles[2 * net + to];
    spent_.push_back({static_cast<int32_t>(now - base_), cause + d_.net_energy[2 * net + to]});
    for (int32_t i = fan_first_[net]; i < fan_first_[net + 1]; ++i)
      if (seen_[fan_[i]] != now) {
        seen_[fan_[i]] = now;
        affected_.push_back(fan_[i]);
      }
  }

  void evaluate(int64_t now, Results&) {
    for (int32_t g : affected_) {
      uint8_t to = function(g);
      if (to == now_value_[g]) continue;
      now_value_[g] = to;
      int32_t best = -1, delay = 0;
      for (int32_t p = d_.first[g]; p < d_.first[g + 1]; ++p) {
        int32_t d = d_.pin_delay[2 * p + to];
        if (wake_[d_.pin_net[p]] != now || d < 0) continue;
        if (best < 0 || d < delay) best = p, delay = d;
      }
      energy_[g] = best < 0 ? 0.0 : d_.pin_energy[2 * best + to];
      wheel_.put(g, now + (best < 0 ? 1 : delay));
    }
    affected_.clear();
  }

  // Energy of the whole step, and the most that falls into a window of this many picoseconds.
  void account(int32_t window, Results& r, int64_t index) {
    double total = 0, inside = 0, most = 0;
    size_t low = 0;
    for (const Energy& e : spent_) {
      total += e.energy;
      inside += e.energy;
      while (e.time - spent_[low].time >= window) inside -= spent_[low++].energy;
      most = std::max(most, inside);
    }
    r.energy[index] = total;
    r.peak[index] = most;
  }

  Design d_;
  Wheel wheel_;
  std::vector<uint8_t> value_, start_;
  std::vector<int64_t> touched_, wake_;
  std::vector<uint8_t> now_value_;
  std::vector<double> energy_;
  std::vector<int64_t> seen_;
  std::vector<int32_t> fan_first_, fan_, affected_, due_, changed_;
  std::vector<Energy> spent_;
  int64_t cycle_ = 0, base_ = 1;
};

}  // namespace

extern "C" {

void* gcm_events_create(const Design* design, int32_t longest, const uint8_t* pattern) {
  auto* simulator = new Simulator(*design, longest);
  simulator->settle(pattern);
  return simulator;
}

void gcm_events_run(void* simulator, int64_t steps, const uint8_t* patterns, int32_t inputs,
                    int32_t window, Results* results) {
  for (int64_t i = 0; i < steps; ++i)
    static_cast<Simulator*>(simulator)->step(patterns + i * inputs, window, *results, i);
}

// The same, and for each step whose flag is set a row of `rows`: how often each net changed in it.
void gcm_events_watch(void* simulator, int64_t steps, const uint8_t* patterns, int32_t inputs,
                      int32_t window, Results* results, const uint8_t* flags, int32_t nets,
                      uint8_t* rows) {
  std::vector<int64_t> before(2 * static_cast<size_t>(nets));
  for (int64_t i = 0; i < steps; ++i) {
    if (flags[i]) std::memcpy(before.data(), results->toggles, 16 * static_cast<size_t>(nets));
    static_cast<Simulator*>(simulator)->step(patterns + i * inputs, window, *results, i);
    if (!flags[i]) continue;
    for (int32_t n = 0; n < nets; ++n) {
      int64_t edges = results->toggles[2 * n] - before[2 * n] + results->toggles[2 * n + 1]
          - before[2 * n + 1];
      rows[n] = static_cast<uint8_t>(std::min<int64_t>(edges, 255));
    }
    rows += nets;
  }
}

// The settled values of some nets.
void gcm_events_values(const void* simulator, int32_t count, const int32_t* nets, uint8_t* out) {
  for (int32_t i = 0; i < count; ++i)
    out[i] = static_cast<const Simulator*>(simulator)->value(nets[i]);
}

void gcm_events_destroy(void* simulator) { delete static_cast<Simulator*>(simulator); }
}
