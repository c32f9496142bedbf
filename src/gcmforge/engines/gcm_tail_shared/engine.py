# SPDX-License-Identifier: Apache-2.0
"""A length block that goes through GHASH like any other."""

from gcmforge.config.kinds import Tail

ENGINE = Tail(
    name="shared",
    says="sends it through GHASH like any block",
    default=True,
    diagram=("passes the", "digest on"),
    closing="gcm_closing_shared",
    parameters=lambda config: (("Contexts", str(config.contexts)),),
)
