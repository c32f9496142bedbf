# SPDX-License-Identifier: Apache-2.0
"""Many cores at once: spaces, estimates, measurements side by side, and what serves a need."""
