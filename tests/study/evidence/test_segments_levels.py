# SPDX-License-Identifier: Apache-2.0
"""What a second level of products would need."""

import pytest

from gcmforge.config.presets import preset
from gcmforge.engines.gcm_segments.engine import blocks
from gcmforge.study.evidence.segments_levels import powers, with_parameters


@pytest.mark.parametrize("name", ["100ge", "200ge", "400ge", "800ge", "1t6"])
def test_low_powers_and_those_that_raise_make_every_power(name):
    """A segment's blocks have H^r to H^(r-B+1), and all of them H^(kB): whole segments need r of B
    at least."""
    config = preset(name)
    size = blocks(config)
    count, low, raising = powers(config)
    assert count == config.lanes * config.ghash_stages + 1

    def missing(low: int, raising: int) -> set[int]:
        raised = {k * size + r for k in range(1, raising + 1) for r in range(size, low + 1)}
        return set(range(1, count + 1)) - raised - set(range(1, low + 1))

    assert not missing(low, raising)
    assert missing(low - 1, raising), "one low power less would do"
    assert missing(low, raising - 1), "one less that raises would do"


def test_a_parameter_that_is_not_there_is_an_error():
    text = "module m #(\n    parameter int Depth = 8\n) ();\nendmodule\n"
    assert "parameter int Depth = 11\n" in with_parameters(text, {"Depth": 11})
    with pytest.raises(ValueError, match="Reads"):
        with_parameters(text, {"Reads": 2})
