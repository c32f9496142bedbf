# SPDX-License-Identifier: Apache-2.0
"""The study: the papers' tables made again, searches for smaller circuits, long runs, and the pages
that show them.

It uses the product, and nothing of the product imports it: a core is configured, built, verified,
measured and explored with this folder deleted. Its commands are `gcmforge-study`.
"""
