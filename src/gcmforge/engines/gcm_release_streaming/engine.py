# SPDX-License-Identifier: Apache-2.0
"""Text that leaves as it comes."""

from gcmforge.config.kinds import Release
from gcmforge.engines.counting import beat_bits

ENGINE = Release(
    name="streaming",
    says="lets it leave at once. Decrypted text comes out before its tag is known",
    default=True,
    parameters=lambda config: (("Width", str(beat_bits(config))),),
)
