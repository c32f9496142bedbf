# SPDX-License-Identifier: Apache-2.0
"""What every tool works on: netlists as they are read, libraries of cells, and the targets."""
