// SPDX-License-Identifier: Apache-2.0
// Zeros in the table T of Crenne 2011, counted for many keys; statistics.py says how and calls this.
//
// The bits that leave the shift register when H is multiplied by x again and again are a sequence o.
// Every entry of T is o[n], o[n] + o[n+1] or o[n] + o[n+1] + o[n+2] for some n, and each output row
// of T is a window of 128 of one of these three.  So a key costs one extension of the sequence to 255
// bits and a weighted count of ones, weight by weight bit.
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#define FASTEST __attribute__((target_clones("popcnt", "default")))
#else
#define FASTEST
#endif
#define INLINE inline __attribute__((always_inline))

namespace {

using u8 = uint8_t;
using u64 = uint64_t;
using u128 = unsigned __int128;

constexpr int BLOCKS = 256;  // at a time: 4 KiB of subkeys between AES and counting

struct Weights {        // bit b of the weight of o[n] is bit n % 64 of single[b][n / 64]
  u64 single[7][4];
  u64 pair[1][4];
  u64 triple[3][4];
};

// ---- E(K, 0^128) for AES-128, FIPS 197

struct Sbox {
  u8 of[256];
  Sbox() {
    u8 p = 1, q = 1;  // p runs through the powers of 3, q through their inverses
    do {
      p = u8(p ^ (p << 1) ^ (p & 0x80 ? 0x1b : 0));
      q ^= u8(q << 1), q ^= u8(q << 2), q ^= u8(q << 4);
      if (q & 0x80) q ^= 0x09;
      auto turn = [&](int n) { return u8(q << n | q >> (8 - n)); };
      of[p] = u8(q ^ turn(1) ^ turn(2) ^ turn(3) ^ turn(4) ^ 0x63);
    } while (p != 1);
    of[0] = 0x63;
  }
};

void subkeys_plain(const u8* keys, int count, u8* out) {
  static const Sbox sbox;
  for (int k = 0; k < count; k++, keys += 16, out += 16) {
    u8 key[16], state[16], rcon = 1;
    memcpy(key, keys, 16), memcpy(state, keys, 16);
    for (int round = 1; round <= 10; round++, rcon = u8(rcon << 1 ^ (rcon & 0x80 ? 0x1b : 0))) {
      u8 moved[16];
      for (int i = 0; i < 16; i++) moved[i] = sbox.of[state[(i + 4 * (i % 4)) % 16]];
      for (int i = 0; i < 4; i++) key[i] ^= sbox.of[key[12 + (i + 1) % 4]];
      key[0] ^= rcon;
      for (int i = 4; i < 16; i++) key[i] ^= key[i - 4];
      for (int i = 0; i < 16; i++) {
        const u8* column = moved + (i & ~3);
        u8 a = column[i % 4], b = column[(i + 1) % 4];
        u8 twice = u8((a ^ b) << 1 ^ ((a ^ b) & 0x80 ? 0x1b : 0));
        u8 mixed = u8(twice ^ b ^ column[(i + 2) % 4] ^ column[(i + 3) % 4]);
        state[i] = u8((round < 10 ? mixed : a) ^ key[i]);
      }
    }
    memcpy(out, state, 16);
  }
}

#if defined(__x86_64__)
template <int Constant>
__attribute__((target("aes"))) INLINE void two_steps(__m128i* key, __m128i* state, bool last) {
  for (int k = 0; k < 4; k++) {
    __m128i word = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key[k], Constant), 0xff);
    key[k] = _mm_xor_si128(key[k], _mm_slli_si128(key[k], 4));
    key[k] = _mm_xor_si128(key[k], _mm_slli_si128(key[k], 8));
    key[k] = _mm_xor_si128(key[k], word);
  }
  for (int k = 0; k < 4; k++)
    state[k] = last ? _mm_aesenclast_si128(state[k], key[k]) : _mm_aesenc_si128(state[k], key[k]);
}

// Four keys side by side, so that the processor has something to do while a round is under way.
__attribute__((target("aes"))) void subkeys_fast(const u8* keys, u8* out) {
  __m128i key[4], state[4];
  for (int k = 0; k < 4; k++) key[k] = state[k] = _mm_loadu_si128((const __m128i*)keys + k);
  two_steps<0x01>(key, state, false), two_steps<0x02>(key, state, false);
  two_steps<0x04>(key, state, false), two_steps<0x08>(key, state, false);
  two_steps<0x10>(key, state, false), two_steps<0x20>(key, state, false);
  two_steps<0x40>(key, state, false), two_steps<0x80>(key, state, false);
  two_steps<0x1b>(key, state, false), two_steps<0x36>(key, state, true);
  for (int k = 0; k < 4; k++) _mm_storeu_si128((__m128i*)out + k, state[k]);
}
#endif

void subkeys(const u8* keys, int count, bool plain, u8* out) {
  int done = 0;
#if defined(__x86_64__)
  if (!plain && __builtin_cpu_supports("aes"))
    for (; done + 4 <= count; done += 4) subkeys_fast(keys + 16 * done, out + 16 * done);
#else
  (void)plain;
#endif
  subkeys_plain(keys + 16 * done, count - done, out + 16 * done);
}

// ---- the sequence, its pairs and triples; bit n of word n / 64 is that of index n

struct Bits {
  u64 word[5];  // the last is zero: a window may end there
};

INLINE u128 block_of(const u8* bytes) {
  u64 high, low;
  memcpy(&high, bytes, 8), memcpy(&low, bytes + 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  high = __builtin_bswap64(high), low = __builtin_bswap64(low);
#endif
  return u128(high) << 64 | low;
}

// H's coefficient of x^(127-t) is o[t+7] for t = 0..120; those of x^6 .. x^0 are sums of what left
// before.  Onwards o[n+128] = o[n] + o[n+1] + o[n+2] + o[n+7], the field's polynomial.
INLINE Bits sequence(u128 h) {
  u64 c = u64(h >> 121);  // bit 6 - j is the coefficient of x^j, j = 0..6
  u64 o6 = c >> 6 & 1, o5 = (c >> 5 & 1) ^ o6, o4 = (c >> 4 & 1) ^ o5 ^ o6;
  u64 o3 = (c >> 3 & 1) ^ o4 ^ o5, o2 = (c >> 2 & 1) ^ o3 ^ o4;
  u64 o1 = (c >> 1 & 1) ^ o2 ^ o3, o0 = (c & 1) ^ o1 ^ o2;
  u128 a = h << 7 | (o6 << 6 | o5 << 5 | o4 << 4 | o3 << 3 | o2 << 2 | o1 << 1 | o0);
  u128 b = a ^ a >> 1 ^ a >> 2 ^ a >> 7;
  b ^= b << 126 ^ b << 121;
  b &= ~(u128(1) << 127);
  return {{u64(a), u64(a >> 64), u64(b), u64(b >> 64), 0}};
}

INLINE Bits added(const Bits& s, int shift, const Bits& more) {  // more + (s moved down by shift)
  Bits out;
  for (int w = 0; w < 4; w++)
    out.word[w] = more.word[w] ^ (s.word[w] >> shift | s.word[w + 1] << (64 - shift));
  out.word[4] = 0;
  return out;
}

template <int Planes>
INLINE int weighted(const Bits& bits, const u64 (&weight)[Planes][4]) {
  int ones = 0;
  for (int b = 0; b < Planes; b++) {
    int level = 0;
    for (int w = 0; w < 4; w++) level += __builtin_popcountll(bits.word[w] & weight[b][w]);
    ones += level << b;
  }
  return ones;
}

INLINE int window(const Bits& bits, int from) {  // ones in 128 bits from there on, from < 64
  int ones = 0;
  for (int w = 0; w < 2; w++)
    ones += __builtin_popcountll(from ? bits.word[w] >> from | bits.word[w + 1] << (64 - from)
                                      : bits.word[w]);
  return ones;
}

struct Counts {
  u64* zeros;   // [16385]: keys whose table has so many zeros
  u64* row;     // [129]: output rows with so many ones
  u64* widest;  // [129]: keys whose widest output row has so many ones
};

FASTEST void count_all(const u8* subkey, int count, const Weights& weights, Counts counts) {
  uint32_t rows[4][129] = {};  // four, so that equal neighbours do not wait for each other
  for (int k = 0; k < count; k++) {
    Bits single = sequence(block_of(subkey + 16 * k));
    Bits pair = added(single, 1, single), triple = added(single, 2, pair);
    int ones = weighted(single, weights.single) + weighted(pair, weights.pair) +
               weighted(triple, weights.triple);
    counts.zeros[128 * 128 - ones]++;

    int most = 0, row = window(pair, 5);
    auto note = [&](int lane) { rows[lane][row]++, most = row > most ? row : most; };
    note(0);
    for (int from = 0; from < 5; from++) row = window(triple, from), note(from % 4);
    row = window(single, 6);
    note(3);
    for (int n = 6; n < 127; n++) {
      row += int(single.word[(n + 128) / 64] >> n % 64 & 1) - int(single.word[n / 64] >> n % 64 & 1);
      note(n % 4);
    }
    counts.widest[most]++;
  }
  for (auto& part : rows)
    for (int w = 0; w <= 128; w++) counts.row[w] += part[w];
}

}  // namespace

// blocks: 16 bytes each, first byte first; AES-128 keys, or subkeys H.  The three histograms grow.
extern "C" void gcm_table_zeros(const u8* blocks, int64_t count, int are_keys, int plain_aes,
                                const Weights* weights, u64* zeros, u64* row, u64* widest) {
  u8 made[16 * BLOCKS];
  for (int64_t done = 0; done < count; done += BLOCKS) {
    int some = count - done < BLOCKS ? int(count - done) : BLOCKS;
    const u8* from = blocks + 16 * done;
    if (are_keys) subkeys(from, some, plain_aes != 0, made), from = made;
    count_all(from, some, *weights, {zeros, row, widest});
  }
}
