# SPDX-License-Identifier: Apache-2.0
<<<<<<< HEAD
"""What people read: pages, tables and pictures. No number is computed here."""
=======
"""Pages and pictures: no number is computed here."""
>>>>>>> 32f0ea1 (specialise --statistics: zeros of table T over 10^8 keys, counted and in theory; the claim of Crenne 2011 holds)
