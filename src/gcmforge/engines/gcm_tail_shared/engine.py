# SPDX-License-Identifier: Apache-2.0
"""A length block that goes through GHASH like any other."""

from gcmforge.config.kinds import Tail

ENGINE = Tail(
    name="shared",
    says="goes through GHASH like any other",
    default=True,
    closing="gcm_closing_shared",
    parameters=lambda config: (("Contexts", str(config.contexts)),),
)
