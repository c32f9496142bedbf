/* SPDX-License-Identifier: Apache-2.0 */
/* What tests do to a simulated core besides what its driver does. */
#ifndef MORE_H
#define MORE_H

#include "simulated_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sends are taken whole, and text is given when all of it is there: as by a DMA. */
void simulated_moves_as_dma(struct simulated_core *simulated, bool does);

/* No beat is taken any more. */
void simulated_stops(struct simulated_core *simulated);

/* The port zeroise is high for one cycle, so many cycles from now. */
void simulated_zeroises(struct simulated_core *simulated, uint32_t cycles);

/* A reset; the FIFOs are empty after it. */
void simulated_resets(struct simulated_core *simulated);

uint64_t simulated_cycles(const struct simulated_core *simulated);

#ifdef __cplusplus
}
#endif

#endif
