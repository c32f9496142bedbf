# SPDX-License-Identifier: Apache-2.0
"""Fuzzing of the tools themselves: files that are almost right, and what reads them.

A file is either taken, or refused in one line that names it. Anything else is a finding: another
exception, a command that ends with a traceback, too much time or memory, a file that was changed
although the command failed. `runs.fuzz` tries files of one of the four INPUTS for some time.
"""
