# SPDX-License-Identifier: Apache-2.0
"""How much of a wrong core verification sees: mutants of its modules, judged by `verify`."""
