/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated core as a platform of its driver: what a port to a real machine replaces. */
#ifndef SIMULATED_CORE_H
#define SIMULATED_CORE_H

#include "gcm.h"

#ifdef __cplusplus
extern "C" {
#endif

struct simulated_core;

/* A core after its reset. With a seed other than 0 its streams pause now and then. */
struct simulated_core *simulated_start(uint64_t seed);
void simulated_end(struct simulated_core *simulated);

/* What gcm_init asks for. */
struct gcm_platform simulated_platform(struct simulated_core *simulated);

/* The handler is called between two accesses whenever irq is high. */
void simulated_on_irq(struct simulated_core *simulated, void (*handler)(void *), void *argument);

#ifdef __cplusplus
}
#endif

#endif
