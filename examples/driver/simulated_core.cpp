// SPDX-License-Identifier: Apache-2.0
// A Verilated gcm_axil behind the functions that its driver asks for: AXI4-Lite, and a FIFO of a few
// beats on each data stream, as a processor often has one. An access that the core refuses ends the
// program: on a real bus it would be an error.

#include "simulated_core.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#ifndef MODEL
#include "Vgcm_axil.h"
#define MODEL Vgcm_axil
#endif
#include "verilated.h"

double sc_time_stamp() { return 0; }

namespace {

constexpr size_t kBeatBytes = sizeof(std::declval<MODEL&>().s_axis_tdata);
constexpr size_t kFifoBeats = 8;
constexpr unsigned kPatience = 100'000;  // cycles in which nothing moves
static_assert(kBeatBytes == GCM_BEAT_BYTES, "header and model are of one core");

// Ports that only some cores have.
void zeroise(auto& top, bool level) {
  if constexpr (requires { top.zeroise; }) top.zeroise = level;
}

void no_aad_aside(auto& top) {
  if constexpr (requires { top.s_axis_aad_keep; })
    std::memset(&top.s_axis_aad_keep, 0, sizeof top.s_axis_aad_keep);
}

}  // namespace

struct simulated_core {
  struct Beat {
    std::array<uint8_t, kBeatBytes> data{};
    size_t bytes = 0;
    bool text = false;
    bool last = false;
  };

  explicit simulated_core(uint64_t seed) : random(seed), pauses(seed != 0) {
    context.randReset(2);
    context.randSeed(static_cast<int>(seed % 1'000'000) + 1);
    top = std::make_unique<MODEL>(&context);
    no_aad_aside(*top);
    top->s_axil_awvalid = top->s_axil_wvalid = top->s_axil_arvalid = 0;
    top->s_axil_bready = top->s_axil_rready = 1;
    top->s_axil_wstrb = 15;
    reset();
  }
  ~simulated_core() { top->final(); }

  // ---- clock

  void reset() {
    in.clear();
    out.clear();
    offered = false;
    waited = 0;
    for (int level : {0, 1}) {
      top->aresetn = level;
      cycle();
      cycle();
    }
  }

  bool paused() {
    if (!pauses) return false;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (random >> 62) == 0;
  }

  void settle() {
    if (!offered) offered = !in.empty() && !paused();
    top->s_axis_tvalid = offered;
    if (offered) {
      const Beat& beat = in.front();
      const uint64_t keep[2] = {ones(beat.bytes, 0), ones(beat.bytes, 64)};
      std::memcpy(&top->s_axis_tdata, beat.data.data(), kBeatBytes);
      std::memcpy(&top->s_axis_tkeep, keep, std::min(sizeof keep, sizeof top->s_axis_tkeep));
      top->s_axis_tuser = beat.text;
      top->s_axis_tlast = beat.last;
    }
    top->m_axis_tready = out.size() < room && !paused();
    zeroise(*top, now == zeroises_at);
    top->aclk = 0;
    top->eval();
  }

  void edge() {
    const bool goes = offered && top->s_axis_tready && top->aresetn;
    if (top->m_axis_tvalid && top->m_axis_tready && top->aresetn) receive();
    top->aclk = 1;
    top->eval();
    if (goes) {
      in.pop_front();
      offered = false;
    }
    ++now;
  }

  void cycle() {
    settle();
    edge();
  }

  static uint64_t ones(size_t count, size_t from) {
    const size_t own = std::min<size_t>(count > from ? count - from : 0, 64);
    return own == 64 ? ~uint64_t{0} : (uint64_t{1} << own) - 1;
  }

  void receive() {
    Beat beat;
    uint64_t keep[2] = {};
    std::memcpy(beat.data.data(), &top->m_axis_tdata, kBeatBytes);
    std::memcpy(keep, &top->m_axis_tkeep, std::min(sizeof keep, sizeof top->m_axis_tkeep));
    beat.bytes = static_cast<size_t>(__builtin_popcountll(keep[0]) + __builtin_popcountll(keep[1]));
    beat.last = top->m_axis_tlast;
    out.push_back(beat);
  }

  // ---- interrupts

  void interrupts() {
    if (handler == nullptr || in_handler || !top->irq) return;
    in_handler = true;
    handler(argument);
    in_handler = false;
    woken = true;
  }

  // ---- what the driver asks for

  void write(uint32_t offset, uint32_t value) {
    top->s_axil_awaddr = offset;
    top->s_axil_wdata = value;
    top->s_axil_awvalid = top->s_axil_wvalid = 1;
    for (bool answered = false; !answered;) {
      settle();
      const bool address = top->s_axil_awready, data = top->s_axil_wready;
      answered = top->s_axil_bvalid;
      if (answered && top->s_axil_bresp != 0) refused("write to", offset);
      edge();
      if (address) top->s_axil_awvalid = 0;
      if (data) top->s_axil_wvalid = 0;
    }
    interrupts();
  }

  uint32_t read(uint32_t offset) {
    uint32_t value = 0;
    top->s_axil_araddr = offset;
    top->s_axil_arvalid = 1;
    for (bool answered = false; !answered;) {
      settle();
      const bool address = top->s_axil_arready;
      answered = top->s_axil_rvalid;
      value = top->s_axil_rdata;
      if (answered && top->s_axil_rresp != 0) refused("read of", offset);
      edge();
      if (address) top->s_axil_arvalid = 0;
    }
    interrupts();
    return value;
  }

  [[noreturn]] static void refused(const char* what, uint32_t offset) {
    std::fprintf(stderr, "the core refused a %s %#x\n", what, offset);
    std::abort();
  }

  size_t send(const uint8_t* bytes, size_t count, unsigned what) {
    const size_t beats = count == 0 ? 1 : (count + kBeatBytes - 1) / kBeatBytes;
    size_t done = 0;
    for (; done < beats && in.size() < room; ++done) {
      Beat beat;
      beat.bytes = std::min(count - done * kBeatBytes, kBeatBytes);
      if (beat.bytes != 0) std::memcpy(beat.data.data(), bytes + done * kBeatBytes, beat.bytes);
      beat.text = what & GCM_SEND_TEXT;
      beat.last = (what & GCM_SEND_LAST) && done + 1 == beats;
      in.push_back(beat);
    }
    waited = done ? 0 : waited;
    return done;
  }

  size_t take(uint8_t* bytes, size_t place, bool* last) {
    if (whole && (out.empty() || !out.back().last)) return 0;
    size_t taken = 0;
    while (!*last && !out.empty() && out.front().bytes <= place - taken) {
      const Beat& beat = out.front();
      std::memcpy(bytes + taken, beat.data.data(), beat.bytes);
      taken += beat.bytes;
      *last = beat.last;
      out.pop_front();
    }
    waited = taken ? 0 : waited;
    return taken;
  }

  bool wait(gcm_event what) {
    do {
      cycle();
      interrupts();
    } while (what == GCM_UNTIL_ANSWER && handler != nullptr && !woken && ++waited < kPatience);
    if (what == GCM_UNTIL_ANSWER) woken = false;
    return ++waited < kPatience;
  }

  VerilatedContext context;
  std::unique_ptr<MODEL> top;
  std::deque<Beat> in, out;
  size_t room = kFifoBeats;
  bool whole = false;  // text is given only when all of a packet's is there, as by a DMA
  bool offered = false;
  uint64_t random;
  bool pauses;
  unsigned waited = 0;
  uint64_t now = 0;                     // cycle
  uint64_t zeroises_at = ~uint64_t{0};  // for one cycle; never
  void (*handler)(void*) = nullptr;
  void* argument = nullptr;
  bool in_handler = false;
  bool woken = false;
};

namespace {

simulated_core& of(void* user) { return *static_cast<simulated_core*>(user); }

}  // namespace

extern "C" {

simulated_core* simulated_start(uint64_t seed) { return new simulated_core(seed); }

void simulated_end(simulated_core* simulated) { delete simulated; }

void simulated_on_irq(simulated_core* simulated, void (*handler)(void*), void* argument) {
  simulated->handler = handler;
  simulated->argument = argument;
}

gcm_platform simulated_platform(simulated_core* simulated) {
  gcm_platform platform;
  platform.user = simulated;
  platform.read32 = [](void* user, uint32_t offset) { return of(user).read(offset); };
  platform.write32 = [](void* user, uint32_t offset, uint32_t value) {
    of(user).write(offset, value);
  };
  platform.send = [](void* user, const uint8_t* bytes, size_t count, unsigned what) {
    return of(user).send(bytes, count, what);
  };
  platform.take = [](void* user, uint8_t* bytes, size_t room, bool* last) {
    return of(user).take(bytes, room, last);
  };
  platform.wait = [](void* user, gcm_event what) { return of(user).wait(what); };
  return platform;
}
}
