// SPDX-License-Identifier: Apache-2.0
#include "more.h"

#include "simulated_core.cpp"

extern "C" {

void simulated_moves_as_dma(simulated_core* simulated, bool does) {
  simulated->room = does ? SIZE_MAX : kFifoBeats;
  simulated->whole = does;
}

void simulated_stops(simulated_core* simulated) { simulated->room = 0; }

void simulated_zeroises(simulated_core* simulated, uint32_t cycles) {
  simulated->zeroises_at = simulated->now + cycles;
}

void simulated_resets(simulated_core* simulated) {
  simulated_moves_as_dma(simulated, false);
  simulated->reset();
}

uint64_t simulated_cycles(const simulated_core* simulated) { return simulated->now; }
}
