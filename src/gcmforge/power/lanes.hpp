// SPDX-License-Identifier: Apache-2.0
// Words of lanes, truth tables on them, and counters for each lane.
#pragma once
#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace gcm {

// A bit for each of 512 lanes. Where the machine has no registers of that width, the compiler takes
// several.
typedef uint64_t Word __attribute__((vector_size(64)));
constexpr int kWordLanes = 512;

inline bool any(const Word& word) {
#ifdef __AVX512F__
  __m512i bits = (__m512i)word;
  return _mm512_test_epi64_mask(bits, bits) != 0;
#else
  return (word[0] | word[1] | word[2] | word[3] | word[4] | word[5] | word[6] | word[7]) != 0;
#endif
}

inline Word everywhere(uint64_t bit) { return Word{} - (bit & 1); }

// A truth table of K pins: choices between pairs of its entries by the first pin, then by the rest.
template <int K, int N>
class Function {
 public:
  explicit Function(uint64_t table) {
    for (int i = 0; i < kHalf; ++i) {
      low_[i] = everywhere(table >> (2 * i));
      turns_[i] = low_[i] ^ everywhere(table >> (2 * i + 1));
    }
  }

  Word operator()(const Word (*pins)[N], int w) const {
    Word leaf[kHalf];
    for (int i = 0; i < kHalf; ++i) leaf[i] = (pins[0][w] & turns_[i]) ^ low_[i];
    for (int p = 1, n = kHalf / 2; p < K; ++p, n /= 2)
      for (int i = 0; i < n; ++i)
        leaf[i] = leaf[2 * i] ^ (pins[p][w] & (leaf[2 * i] ^ leaf[2 * i + 1]));
    return leaf[0];
  }

 private:
  static constexpr int kHalf = 1 << (K - 1);
  Word low_[kHalf], turns_[kHalf];
};

// A number for each lane, a word for each of its bits. Two are always there, the rest when needed.
template <int N>
class Count {
 public:
  bool used() const { return planes_ != 0; }
  void drop() { planes_ = 0; }

  void clear() {
    std::memset(plane_, 0, 2 * sizeof plane_[0]);
    planes_ = 2;
  }

  // One more in these lanes.
  void add(const Word* lanes) {
    Word carry[N], more{};
    for (int w = 0; w < N; ++w) {
      Word once = plane_[0][w] & lanes[w];
      plane_[0][w] ^= lanes[w];
      carry[w] = plane_[1][w] & once;
      plane_[1][w] ^= once;
      more |= carry[w];
    }
    if (__builtin_expect(any(more), 0)) ripple(carry);
  }

  // (lanes, weight) of each bit that is set in some lane.
  template <class Each>
  void each(Each each) const {
    for (int q = 0; q < planes_; ++q) {
      Word some{};
      for (int w = 0; w < N; ++w) some |= plane_[q][w];
      if (any(some)) each(plane_[q], int64_t{1} << q);
    }
  }

 private:
  __attribute__((noinline)) void ripple(Word* carry) {
    for (int q = 2;; ++q) {
      if (q == planes_) {
        std::memcpy(plane_[planes_++], carry, sizeof plane_[0]);
        return;
      }
      Word more{};
      for (int w = 0; w < N; ++w) {
        Word again = plane_[q][w] & carry[w];
        plane_[q][w] ^= carry[w];
        carry[w] = again;
        more |= again;
      }
      if (!any(more)) return;
    }
  }

  Word plane_[32][N];  // in one step a gate changes less than 2^32 times
  int planes_ = 0;
};

// A sum of energies for each lane, which are whole numbers of a unit, none above 2^26 of them.
template <int N>
class Energies {
 public:
  static constexpr int kLanes = N * kWordLanes;

  // lanes: the first so many are summed.
  Energies(double unit, int lanes) : scale_(1 / unit), sixteens_((lanes + 15) / 16) {}

  // The units of an energy.
  int64_t units(double energy) const {
    double scaled = energy * scale_;
    return static_cast<int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  }

  void add(const Word* lanes, int64_t units) {
    int64_t size = units < 0 ? -units : units;
    if (size > kMost) {  // seldom: a gate that changed some ten times
      add(lanes, units / 2);
      add(lanes, units - units / 2);
      return;
    }
    if ((bound_ += size) > kMost) flush(), bound_ = size;
#ifdef __AVX512F__
    const __m512i amount = _mm512_set1_epi32(static_cast<int32_t>(units));
    for (int i = 0; i < sixteens_; ++i) {
      __mmask16 some;
      std::memcpy(&some, reinterpret_cast<const char*>(lanes) + 2 * i, 2);
      __m512i now = _mm512_load_si512(part_ + 16 * i);
      _mm512_store_si512(part_ + 16 * i, _mm512_mask_add_epi32(now, some, now, amount));
    }
#else
    const int32_t amount = static_cast<int32_t>(units);
    for (int i = 0; i < sixteens_; ++i) {
      uint16_t some;
      std::memcpy(&some, reinterpret_cast<const char*>(lanes) + 2 * i, 2);
      for (int n = 0; n < 16; ++n) part_[16 * i + n] += amount & -(some >> n & 1);
    }
#endif
  }

  // What was added since the last time.
  void take(double* energy) {
    flush();
    for (int i = 0; i < kLanes; ++i) {
      energy[i] = static_cast<double>(whole_[i]) / scale_;
      whole_[i] = 0;
    }
  }

 private:
  static constexpr int64_t kMost = 1 << 30;

  void flush() {
    for (int i = 0; i < kLanes; ++i) {
      whole_[i] += part_[i];
      part_[i] = 0;
    }
    bound_ = 0;
  }

  double scale_;
  int sixteens_;
  int64_t bound_ = 0;
  alignas(64) int32_t part_[kLanes] = {};
  alignas(64) int64_t whole_[kLanes] = {};
};

}  // namespace gcm
