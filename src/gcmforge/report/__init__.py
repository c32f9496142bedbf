# SPDX-License-Identifier: Apache-2.0
"""What people read: pages, tables and pictures. No number is computed here."""
