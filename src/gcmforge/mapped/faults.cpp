// SPDX-License-Identifier: Apache-2.0
// A mapped core on streams of 32 bits, simulated 256 times at once, each time with faults of its
// own. A net is one bit in each of 256 lanes. Faults are put on a net right after it was computed,
// so nets without one cost nothing. Each lane has a bench of its own: it sends words when the core
// takes them, and compares what leaves with what left without a fault.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr int kWords = 4, kLanes = 64 * kWords;
struct Lanes { uint64_t w[kWords]; };

enum Op : uint8_t { kAnd, kOr, kXor, kNot, kCopy };
enum Stream { kKey, kCommand, kData, kStreams };
enum Seen : uint32_t {
  kWrongTag = 1,     // a word of a tag that is wrong, with status OK
  kWrongText = 2,    // a packet with status OK whose text is wrong
  kAccepted = 4,     // status OK where it was not to be
  kFault = 8,        // status FAULT
  kEarly = 16,       // a wrong word of text or tag left before FAULT
  kRefused = 32,     // another status than without a fault, or wrong text with an error
  kHang = 64,        // not all packets were answered
  kLastRight = 128,  // the last packet was right
};

}  // namespace

extern "C" {

struct Design {
  int32_t nets, ops, flops, zero, one;
  const uint8_t* op;
  const int32_t *a, *b, *out;
  const int32_t *flop_q, *flop_d;
  // Nets of ports, bit 0 first.
  const int32_t *reset, *valid_in, *ready_in;      // ready_in: what the core takes, 3 streams
  const int32_t *key, *command, *data;             // 33, 33, 38 nets: data, (keep, user,) last
  const int32_t *text_valid, *text_ready, *text;   // 37 nets: data, keep, last
  const int32_t *tag_valid, *tag_ready, *tag;      // 41 nets: data, keep, last, status
};

struct Word { uint64_t bits; int32_t after_answers, after_keys; };

struct Bench {
  int32_t count[kStreams];
  const Word* words[kStreams];
  int32_t packets, cycles;       // cycles: as many are played at most
  int32_t fault_status;
};

struct Fault { int32_t net, lane, kind, cycle; };  // kind: 0, 1: stuck there; 2: flip in that cycle

struct Record { uint64_t bits; int32_t tag, packet; };

}  // extern "C"

namespace {

struct Run {
  const Design& d;
  const Bench& bench;
  std::vector<Lanes> v;
  std::vector<int32_t> last;  // op that computes a net; -1 for registers and inputs

  Run(const Design& design, const Bench& b)
      : d(design), bench(b), v(design.nets), last(design.nets, -1) {
    for (int i = 0; i < d.ops; i++) last[d.out[i]] = i;
  }

  bool get(int net, int lane) const { return v[net].w[lane >> 6] >> (lane & 63) & 1; }
  void set(int net, int lane, bool value) {
    uint64_t bit = uint64_t(1) << (lane & 63);
    uint64_t& w = v[net].w[lane >> 6];
    w = value ? w | bit : w & ~bit;
  }
  void all(int net, bool value) {
    for (auto& w : v[net].w) w = value ? ~uint64_t(0) : 0;
  }
  uint64_t bits(const int32_t* nets, int n, int lane) const {
    uint64_t found = 0;
    for (int i = 0; i < n; i++) found |= uint64_t(get(nets[i], lane)) << i;
    return found;
  }

  void evaluate(int from, int to) {
    for (int i = from; i < to; i++) {
      const Lanes &a = v[d.a[i]], &b = v[d.b[i]];
      Lanes& o = v[d.out[i]];
      switch (d.op[i]) {
        case kAnd: for (int k = 0; k < kWords; k++) o.w[k] = a.w[k] & b.w[k]; break;
        case kOr: for (int k = 0; k < kWords; k++) o.w[k] = a.w[k] | b.w[k]; break;
        case kXor: for (int k = 0; k < kWords; k++) o.w[k] = a.w[k] ^ b.w[k]; break;
        case kNot: for (int k = 0; k < kWords; k++) o.w[k] = ~a.w[k]; break;
        default: o = a; break;
      }
    }
  }

  void apply(const Fault& f, int cycle) {
    if (f.kind == 2) {
      if (f.cycle == cycle) set(f.net, f.lane, !get(f.net, f.lane));
    } else {
      set(f.net, f.lane, f.kind == 1);
    }
  }
};

struct Lane {
  int next[kStreams] = {0, 0, 0};
  int packet = 0, text = 0, tag = 0, keys = 0;
  bool early = false, text_wrong = false, tag_wrong = false;
  uint32_t seen = 0;
};

constexpr uint64_t kKeepShift = 32;

bool is_wrong_word(uint64_t bits) {  // whether a word says anything
  return (bits >> kKeepShift & 15) != 0 && (bits & 0xffffffff) != 0;
}

}  // namespace

extern "C" int32_t gcm_faults_run(const Design* design, const Bench* bench, const Fault* given,
                                  int32_t faults, const Record* golden, int32_t golden_count,
                                  Record* record, int32_t record_room, uint64_t seed,
                                  uint32_t* seen) {
  Run run(*design, *bench);
  const Design& d = *design;
  std::vector<Fault> list(given, given + faults);
  std::stable_sort(list.begin(), list.end(), [&](const Fault& p, const Fault& q) {
    return run.last[p.net] < run.last[q.net];
  });
  // Words without a fault, by packet.
  std::vector<std::vector<uint64_t>> texts(bench->packets), tags(bench->packets);
  for (int i = 0; i < golden_count && golden[i].packet < bench->packets; i++)
    (golden[i].tag ? tags : texts)[golden[i].packet].push_back(golden[i].bits);
  std::vector<Lane> lanes(kLanes);
  int recorded = 0, left = kLanes;
  for (int i = 0; i < d.flops; i++) {  // registers begin with any value, the same in all lanes
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    run.all(d.flop_q[i], seed >> 63);
  }
  run.all(d.zero, false);
  run.all(d.one, true);
  const int32_t* nets_in[kStreams] = {d.key, d.command, d.data};
  const int widths[kStreams] = {33, 33, 38};
  std::vector<Lanes> next(d.flops);
  int cycle = 0;
  std::vector<int> offered(kLanes * kStreams, -1);
  for (; cycle < bench->cycles && left; cycle++) {
    run.all(d.reset[0], cycle >= 3);
    const bool text_ready = cycle % 7 != 3, tag_ready = cycle % 5 != 2;
    run.all(d.text_ready[0], text_ready);
    run.all(d.tag_ready[0], tag_ready);
    for (int l = 0; l < kLanes; l++) {
      Lane& lane = lanes[l];
      for (int s = 0; s < kStreams; s++) {
        const int n = lane.next[s];
        const bool there = n < bench->count[s] && bench->words[s][n].after_answers <= lane.packet &&
            bench->words[s][n].after_keys <= lane.keys && cycle >= 4;
        run.set(d.valid_in[s], l, there);
        if (there && offered[l * kStreams + s] != n) {
          offered[l * kStreams + s] = n;
          for (int i = 0; i < widths[s]; i++)
            run.set(nets_in[s][i], l, bench->words[s][n].bits >> i & 1);
        }
      }
    }
    int done = 0;
    for (const Fault& f : list) {
      const int at = run.last[f.net] + 1;
      if (at > done) run.evaluate(done, at), done = at;
      run.apply(f, cycle);
    }
    run.evaluate(done, d.ops);
    for (int l = 0; l < kLanes; l++) {
      Lane& lane = lanes[l];
      if (lane.packet >= bench->packets || cycle < 4) continue;
      for (int s = 0; s < kStreams; s++)
        if (run.get(d.valid_in[s], l) && run.get(d.ready_in[s], l) &&
            lane.next[s] < bench->count[s]) {
          const uint64_t bits = bench->words[s][lane.next[s]++].bits;
          if (s == kKey && bits >> 32 & 1) lane.keys++;
        }
      const int p = lane.packet;
      if (run.get(d.text_valid[0], l) && run.get(d.text_ready[0], l)) {
        const uint64_t bits = run.bits(d.text, 37, l);
        if (record && l == 0 && recorded < record_room) record[recorded++] = {bits, 0, p};
        const bool same = lane.text < int(texts[p].size()) && texts[p][lane.text] == bits;
        if (!same) lane.text_wrong = true;
        if (!same && is_wrong_word(bits)) {
          const bool data_same = lane.text < int(texts[p].size()) &&
              (texts[p][lane.text] & 0xffffffff) == (bits & 0xffffffff);
          if (!data_same) lane.early = true;
        }
        lane.text++;
      }
      if (run.get(d.tag_valid[0], l) && run.get(d.tag_ready[0], l)) {
        const uint64_t bits = run.bits(d.tag, 41, l);
        if (record && l == 0 && recorded < record_room) record[recorded++] = {bits, 1, p};
        const int status = int(bits >> 37 & 15);
        const bool same = lane.tag < int(tags[p].size()) && tags[p][lane.tag] == bits;
        const int wanted = tags[p].empty() ? 0 : int(tags[p].back() >> 37 & 15);
        if (!same && status == 0) lane.tag_wrong = true;
        lane.tag++;
        if (bits >> 36 & 1) {
          const bool short_tag = lane.tag != int(tags[p].size());
          const bool text_bad = lane.text_wrong || lane.text != int(texts[p].size());
          if (status == bench->fault_status) {
            lane.seen |= kFault;
            if (lane.early || lane.tag_wrong) lane.seen |= kEarly;
          } else if (status == 0) {
            if (wanted != 0) lane.seen |= kAccepted;
            else if (lane.tag_wrong || short_tag) lane.seen |= kWrongTag;
            if (text_bad) lane.seen |= kWrongText;
          } else if (status != wanted || text_bad) {
            lane.seen |= kRefused;
          }
          if (p == bench->packets - 1 && status == wanted && !text_bad && !lane.tag_wrong)
            lane.seen |= kLastRight;
          lane.early = lane.text_wrong = lane.tag_wrong = false;
          lane.text = lane.tag = 0;
          if (++lane.packet >= bench->packets) left--;
        }
      }
    }
    for (int i = 0; i < d.flops; i++) next[i] = run.v[d.flop_d[i]];
    for (int i = 0; i < d.flops; i++) run.v[d.flop_q[i]] = next[i];
  }
  for (int l = 0; l < kLanes; l++) {
    if (lanes[l].packet < bench->packets) {
      lanes[l].seen |= kHang;
      if (lanes[l].text_wrong && lanes[l].early) lanes[l].seen |= kEarly;
    }
    seen[l] = lanes[l].seen;
  }
  return record ? recorded : cycle;
}
