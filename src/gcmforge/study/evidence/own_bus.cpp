// SPDX-License-Identifier: Apache-2.0
// A core with a bus of its own, driven there for many cycles at once. Words are the bytes of the
// fields of a stream one after the other, as Verilator keeps them. bus_core.h has the class Core,
// how many packets an answer on m_tag is about (answered), and whether s_key_tready is high again
// when a key is usable (kReadyAgain).
#include "bus_core.h"
#include <cstdint>
#include <cstring>

namespace {

struct Bus {
  Core core;
  uint64_t cycle = 0;
  uint64_t dice = 1;

  uint64_t held_from[2] = {0, 0}, held_until[2] = {0, 0};

  uint64_t roll() {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice >> 20;
  }
  bool pauses(unsigned of_256) { return (roll() & 255) < of_256; }
  // A receiver takes nothing for 30 to 250 cycles; so many of 65,536 cycles begin such a time, and
  // every other key is followed by one within 12 cycles.
  bool holds(int who, unsigned of_65536) {
    if (of_65536 == 0) return false;
    if (cycle >= held_until[who] && (roll() & 65535) < of_65536) hold(who, cycle);
    return held_from[who] <= cycle && cycle < held_until[who];
  }
  void hold(int who, uint64_t from) {
    held_from[who] = from;
    held_until[who] = from + 30 + roll() % 221;
  }
  void settle() {
    core.aclk = 0;
    core.eval();
  }
  bool edge() {
    core.aclk = 1;
    core.eval();
    ++cycle;
    return !core.contextp()->gotError();
  }
};

// No text for so many cycles after the last answer: no more comes. A core that holds a text until
// its tag is right passes over a failed one of 16,384 bytes, a block a cycle, before the next.
constexpr long kDrained = 1100;

struct Key {
  uint8_t key[32];
  uint32_t size, context, after;
};

template <class T> const uint8_t* put(T& port, const uint8_t* from) {
  std::memcpy(&port, from, sizeof port);
  return from + sizeof port;
}
template <class T> uint8_t* get(const T& port, uint8_t* to) {
  std::memcpy(to, &port, sizeof port);
  return to + sizeof port;
}

}  // namespace

// What the proven multipliers are simulated as: the product in GF(2^128), bit i the coefficient of
// x^i, reduced by x^128 + x^7 + x^2 + x + 1.
extern "C" void gcmforge_gf128_mul(const uint32_t* a, const uint32_t* b, uint32_t* c) {
  uint64_t row[2] = {a[0] | uint64_t{a[1]} << 32, a[2] | uint64_t{a[3]} << 32}, sum[2] = {0, 0};
  for (int i = 0; i < 128; ++i) {
    const uint64_t take = -uint64_t{b[i / 32] >> i % 32 & 1};
    sum[0] ^= row[0] & take;
    sum[1] ^= row[1] & take;
    const uint64_t over = -(row[1] >> 63);
    row[1] = row[1] << 1 | row[0] >> 63;
    row[0] = row[0] << 1 ^ (over & 0x87);
  }
  for (int i = 0; i < 4; ++i) c[i] = static_cast<uint32_t>(sum[i / 2] >> 32 * (i % 2));
}

extern "C" {

void* bus_new(unsigned seed) {
  Verilated::randReset(2);
  Verilated::threadContextp()->randSeed(static_cast<int>(seed));
  Bus* bus = new Bus;
  bus->dice = seed * 2654435761u + 1;
  bus->core.contextp()->fatalOnError(false);
  bus->core.s_key_tvalid = bus->core.s_axis_tvalid = 0;
  bus->core.m_axis_tready = bus->core.m_tag_tready = 0;
  for (int level = 0; level < 2; ++level) {
    bus->core.aresetn = level;
    for (int n = 0; n < 2; ++n) {
      bus->settle();
      bus->edge();
    }
  }
  bus->core.contextp()->gotError(false);
  bus->cycle = 0;
  return bus;
}

void bus_delete(void* held) { delete static_cast<Bus*>(held); }

// A key, until it is usable: cycles, or -1.
long bus_key(void* held, const uint8_t* key, unsigned size, unsigned context) {
  Bus& bus = *static_cast<Bus*>(held);
  put(bus.core.s_key_tdata, key);
  bus.core.s_key_size = size;
  bus.core.s_key_context = context;
  bus.core.s_key_tvalid = 1;
  for (long n = 0; n < 100000; ++n) {
    bus.settle();
    const bool ready = bus.core.s_key_tready;
    const bool done = !bus.core.s_key_tvalid && (ready || !kReadyAgain);
    if (done) return n;
    if (!bus.edge()) return -1;
    if (ready) bus.core.s_key_tvalid = 0;
  }
  return -1;
}

// Beats in, until so many packets are answered. Pauses are parts of 256, of the sender, of the
// receiver of text, of that of tags; the fourth are parts of 65,536, see holds. Keys come meanwhile, each when so many beats have gone in.
// 0: all came. 1: nothing moves any more. 2: an assertion of the RTL failed. 3: a word changed while
// it waited.
int bus_play(void* held, const uint8_t* words, long beats, long answers, const unsigned* pauses,
             uint64_t* in_cycles, uint8_t* texts, uint64_t* text_cycles, long* text_count,
             uint8_t* tags, uint64_t* tag_cycles, long* tag_count, const Key* keys, long key_count,
             uint64_t* key_cycles) {
  Bus& bus = *static_cast<Bus*>(held);
  Core& core = bus.core;
  long sent = 0, got = 0, idle = 0, drained = 0, taken = 0;
  bool offered = false, text_held = false, tag_held = false;
  uint8_t* text_was = nullptr;
  uint8_t* tag_was = nullptr;
  *text_count = *tag_count = 0;
  while (sent < beats || got < answers || taken < key_count || drained < kDrained) {
    if (!offered && sent < beats && !bus.pauses(pauses[0])) {
      offered = true;
#define FIELD(name) words = put(core.name, words);
#include "bus_in.h"
#undef FIELD
    }
    core.s_axis_tvalid = offered;
    core.s_key_tvalid = taken < key_count && keys[taken].after <= sent;
    if (core.s_key_tvalid) {
      put(core.s_key_tdata, keys[taken].key);
      core.s_key_size = keys[taken].size;
      core.s_key_context = keys[taken].context;
    }
    core.m_axis_tready = !bus.pauses(pauses[1]) && !bus.holds(0, pauses[3]);
    core.m_tag_tready = !bus.pauses(pauses[2]) && !bus.holds(1, pauses[3]);
    bus.settle();
    bool moved = false;
    if (core.m_axis_tvalid) {
      uint8_t* const from = texts;
      uint8_t* to = texts;
#define FIELD(name) to = get(core.name, to);
#include "bus_text.h"
#undef FIELD
      if (text_held && std::memcmp(from, text_was, to - from)) return 3;
      text_was = from;
      text_held = !core.m_axis_tready;
      if (core.m_axis_tready) {
        texts = to;
        text_cycles[(*text_count)++] = bus.cycle;
        moved = true;
      }
    } else if (text_held) {
      return 3;
    }
    if (core.m_tag_tvalid) {
      uint8_t* const from = tags;
      uint8_t* to = tags;
#define FIELD(name) to = get(core.name, to);
#include "bus_tag.h"
#undef FIELD
      if (tag_held && std::memcmp(from, tag_was, to - from)) return 3;
      tag_was = from;
      tag_held = !core.m_tag_tready;
      if (core.m_tag_tready) {
        tags = to;
        tag_cycles[(*tag_count)++] = bus.cycle;
        got += answered(core);
        moved = true;
      }
    } else if (tag_held) {
      return 3;
    }
    if (offered && core.s_axis_tready) {
      offered = false;
      in_cycles[sent++] = bus.cycle;
      moved = true;
    }
    if (core.s_key_tvalid && core.s_key_tready) {
      key_cycles[taken++] = bus.cycle;
      for (int who = 0; pauses[3] && who < 2; ++who)
        if (bus.roll() & 1) bus.hold(who, bus.cycle + 1 + bus.roll() % 12);
      moved = true;
    }
    idle = moved ? 0 : idle + 1;
    if (sent == beats && got >= answers) drained = core.m_axis_tvalid ? 0 : drained + 1;
    if (idle > 20000) return 1;
    if (!bus.edge()) return 2;
  }
  core.s_axis_tvalid = 0;
  core.s_key_tvalid = 0;
  return 0;
}
}
