// SPDX-License-Identifier: Apache-2.0
// The random numbers of the searches: the same from the same seed on every machine.
#pragma once

#include <cstdint>

namespace {

struct Random {  // splitmix64
  uint64_t state;
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  int below(int n) { return int((next() >> 32) * uint64_t(n) >> 32); }
  double unit() { return double(next() >> 11) * 0x1p-53; }
};

}  // namespace
