# SPDX-License-Identifier: Apache-2.0
"""One wrong bit in tag, ciphertext, AAD or IV: cores with verified release must give nothing out.

python bench/flips.py [--packets 10000] [--seed S]: that many flipped packets on each core, with
each stall pattern in turn. Exit code 1 if one of them is not refused, or a byte of it leaves.
"""

import argparse
import secrets
import sys

from gcmforge.config import CoreConfig
from gcmforge.sim import Core, RunResult, Stalls, Status
from gcmforge.sim.aead import built
from gcmforge.sim.driver import STALL_PATTERNS
from gcmforge.sim.flips import flipped_traffic
from gcmforge.sim.operations import packets_of

VERIFIED = {"release": "verified", "max_text_bytes": 2048}
CORES = {
    "default": CoreConfig(**VERIFIED),
    "quad": CoreConfig(lanes=4, ghash_stages=2, **VERIFIED),
    "small": CoreConfig(
        aes="loop", key_schedule="travelling", ghash="serial", sbox="small", **VERIFIED
    ),
}
ROUND_PACKETS = 2_500


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=None)
    asked = parser.parse_args()
    seed = secrets.randbits(32) if asked.seed is None else asked.seed
    failed = sum(flip(name, config, asked.packets, seed) for name, config in CORES.items())
    print(f"{failed} failures (seed {seed})" if failed else f"nothing was released (seed {seed})")
    return 1 if failed else 0


def flip(name: str, config: CoreConfig, packets: int, seed: int) -> int:
    """Failures on one core."""
    core = Core(built(config))
    flipped = good = failed = out_beats = good_beats = 0
    for number, first in enumerate(range(0, packets, ROUND_PACKETS)):
        stalls = list(STALL_PATTERNS)[number % len(STALL_PATTERNS)]
        count = min(ROUND_PACKETS, packets - first)
        operations = flipped_traffic(config, packets=count, seed=seed + number)
        result: RunResult = core.run(operations, stalls=Stalls.named(stalls), seed=seed + number)
        for failure in result.failures[:3]:
            print(f"    {failure}")
        sent = packets_of(operations)
        of_good = [packet for packet in sent if packet.expect.status == Status.OK]
        flipped, good = flipped + len(sent) - len(of_good), good + len(of_good)
        out_beats += result.counters.out_beats
        good_beats += sum(-(-len(packet.text) // (16 * config.lanes)) for packet in of_good)
        failed += len(result.failures)
    failed += out_beats != good_beats
    print(
        f"{name}: {flipped:,} packets with a flipped bit and {good:,} good ones with "
        f"{good_beats:,} beats of text; {out_beats:,} beats came out, {failed} failures",
        flush=True,
    )
    return failed


if __name__ == "__main__":
    sys.exit(main())
