# SPDX-License-Identifier: Apache-2.0
"""Area, timing, throughput and power of cores and leaves on a target."""
