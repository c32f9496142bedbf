// SPDX-License-Identifier: Apache-2.0
// A mapped netlist as both kernels of the event simulation take it.
#pragma once
#include <cstdint>

extern "C" {

// Everything by gate or by net; pairs are [fall, rise]. Gates come in topological order, flip-flops
// after them; a flip-flop's pins feed its next state and its delay is the one from its clock.
struct Design {
  int32_t nets, gates, flops, inputs, one;
  const int32_t* output;       // [gates + flops] net
  const int32_t* first;        // [gates + flops + 1] into the pins
  const uint64_t* table;       // [gates + flops] truth table, pin i is bit i of the index
  const int32_t* launch;       // [2 * flops] delay from the clock
  const double* launch_energy; // [2 * flops]
  const int32_t* pin_net;      // [pins]
  const int32_t* pin_delay;    // [2 * pins], -1 where there is no path
  const double* pin_energy;    // [2 * pins]
  const double* net_energy;    // [2 * nets] for each edge of the net
  const int32_t* input_net;    // [inputs]
};
}
