// SPDX-License-Identifier: Apache-2.0
// Plays operations (key loads and packets) on the five streams of a Verilated gcm_axis, with stalls,
// checks the stream rules every cycle, and records what came out. Compiled with the model into one
// shared library; driver.py calls the functions at the end. All lane counts and port widths: the
// ports' own C++ types say how wide they are.
//
// One clock cycle: inputs are put while aclk is low, the model settles, handshakes are sampled, then
// aclk rises. A source keeps valid and payload until ready, and never looks at ready before; sinks
// move ready as they like. Payloads are noise wherever the core must not look.

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#ifdef __PCLMUL__
#include <wmmintrin.h>
#endif

#include "Vgcm_axis.h"
#include "verilated.h"
#if defined(GCM_TRACE_FST)
#include "verilated_fst_c.h"
using TraceFile = VerilatedFstC;
#elif defined(GCM_TRACE_VCD)
#include "verilated_vcd_c.h"
using TraceFile = VerilatedVcdC;
#endif

namespace {

thread_local std::string said;  // by the model since somebody looked

}  // namespace

// Where Verilator's library prints, see compile.py: a broken assertion's words are kept.
int gcm_says(const char* format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  said += line;
  return length;
}

namespace {

using Model = Vgcm_axis;

template <typename Port>
constexpr size_t kSize = sizeof(std::remove_reference_t<Port>);

constexpr size_t kBeatBytes = kSize<decltype(std::declval<Model&>().s_axis_tdata)>;
constexpr size_t kKeepBytes = (kBeatBytes + 7) / 8;
constexpr size_t kKeepRoom = 64;
constexpr size_t kContexts = 1024;
constexpr uint64_t kNever = ~uint64_t{0};
constexpr uint64_t kResetCycles = 2;  // as few as the documents allow
constexpr uint64_t kDrainCycles = 64;
constexpr uint64_t kProbeEvery = 61;
constexpr size_t kMaxViolations = 256;

// Bytes of AAD that may come with a packet's first beat; none when the core has no ports for them.
template <typename Top, typename = void>
struct Side {
  static constexpr size_t kBytes = 0;
  static void offer(Top&, const uint8_t*, const uint8_t*) {}
};

// Little-endian hosts: bit 0 of a port is bit 0 of its first byte.
template <typename Port>
void put(Port& port, const void* from, size_t bytes) {
  std::memcpy(&port, from, std::min(bytes, sizeof(Port)));
}

template <typename Port>
void get(const Port& port, void* to, size_t bytes) {
  std::memcpy(to, &port, std::min(bytes, sizeof(Port)));
}

template <typename Top>
struct Side<Top, std::void_t<decltype(std::declval<Top&>().s_axis_aad_keep)>> {
  static constexpr size_t kBytes = kSize<decltype(std::declval<Top&>().s_axis_aad)>;
  static void offer(Top& top, const uint8_t* data, const uint8_t* keep) {
    put(top.s_axis_aad, data, kBytes);
    put(top.s_axis_aad_keep, keep, kKeepRoom);
  }
};

// The fixed field of a key's IVs, on cores that make their own; these get noise as IVs.
template <typename Top, typename = void>
struct Fixed {
  static constexpr bool kThere = false;
  static void offer(Top&, const uint8_t*) {}
};

template <typename Top>
struct Fixed<Top, std::void_t<decltype(std::declval<Top&>().s_key_fixed)>> {
  static constexpr bool kThere = true;
  static void offer(Top& top, const uint8_t* fixed) { put(top.s_key_fixed, fixed, 4); }
};

// The beats of text that a command says, on cores that make key stream ahead.
template <typename Top, typename = void>
struct Said {
  static void offer(Top&, uint32_t) {}
};

template <typename Top>
struct Said<Top, std::void_t<decltype(std::declval<Top&>().s_cmd_text_beats)>> {
  static void offer(Top& top, uint32_t beats) { top.s_cmd_text_beats = beats; }
};

// Erasing is asked for by a port that not all cores have.
template <typename Top, typename = void>
struct Erase {
  static constexpr bool kThere = false;
  static void ask(Top&, bool) {}
};

template <typename Top>
struct Erase<Top, std::void_t<decltype(std::declval<Top&>().zeroise)>> {
  static constexpr bool kThere = true;
  static void ask(Top& top, bool now) { top.zeroise = now; }
};

// ---- what is shared with driver.py: same fields, same order ------------------------------------

constexpr size_t kSideBytes = Side<Model>::kBytes;
constexpr size_t kSideRoom = 64;

enum Kind : uint8_t { kLoadKey = 0, kPacket = 1 };

struct Operation {
  uint64_t head_offset;  // the key, or the IV, in the input bytes
  uint64_t aad_offset;
  uint64_t aad_bytes;
  uint64_t text_offset;
  uint64_t text_bytes;
  uint64_t out_offset;  // where the text's bytes go in the output bytes
  uint64_t out_room;
  uint64_t frame_offset;  // beats given one by one, see FrameBeat; then AAD and text are not used
  uint64_t frame_beats;   // 0: the beats follow from AAD and text
  uint64_t out_beats;     // text beats that will come out
  uint32_t head_bytes;
  uint16_t context;
  uint8_t kind;
  uint8_t decrypt;
  uint8_t size_code;
  uint8_t tag_bytes;
  uint8_t tag_given;  // bytes of tag that mean something; the rest is noise
  uint8_t withheld;   // no text comes out unless the status is OK
  uint32_t said_beats;  // of text, as the command says
  uint8_t tag[16];
  uint32_t silence;   // cycles after its answer before anything of the next is sent, if not 0
  uint8_t stops;      // see Stop
  uint8_t holds;      // of a packet: commands after its own that are taken before its data is
                      // offered; of a key: commands of its context that come while it is on offer
  uint16_t rest_beats;  // given after the others, and sent after that silence
};
static_assert(sizeof(Operation) == 120, "driver.py has the same layout");

// What a sender leaves out of a packet; what comes after waits for its answer.
enum Stop : uint8_t {
  kNoLast = 1,       // of the data all but the beats that are given one by one, which may be none
  kNoCommand = 2,    // the whole command
  kOneWord = 4,      // of a command all but its first word
  kLateCommand = 8,  // nothing; but the command comes as long after its data as the silence lasts
  kAfterKey = 16,    // nothing; but the command comes while the key after it is on offer
};

// What the core has taken when it is erased, both counted from the first packet on.
struct Erased {
  uint64_t cycle;
  uint64_t accepted;  // packets whose command had begun
  uint64_t answered;
};

struct FrameBeat {
  uint8_t data[kBeatBytes];
  uint8_t keep[kKeepBytes];
  uint8_t user;
  uint8_t last;
  uint8_t aad[kSideRoom];  // with the beat
  uint8_t aad_keep[kSideRoom / 8];
};

struct Result {
  uint64_t command_cycle;  // last beat of the command
  uint64_t first_in_cycle;
  uint64_t last_in_cycle;
  uint64_t first_out_cycle;
  uint64_t last_out_cycle;
  uint64_t tag_cycle;
  uint64_t in_beats;
  uint64_t out_beats;
  uint64_t out_bytes;
  uint8_t tag[16];
  uint8_t status;
  uint8_t ok;
  uint8_t pad[6];
};
static_assert(sizeof(Result) == 96, "driver.py has the same layout");

// Probabilities in 1/65536.
struct Stalls {
  uint32_t key_idle;
  uint32_t command_idle;
  uint32_t data_idle;
  uint32_t text_wait;
  uint32_t tag_wait;
  uint32_t data_after_command;  // a packet's data is held back until its command was accepted
  uint32_t null_beats;          // an empty section gets a beat of its own
  uint32_t bursts;              // not 0: the density changes every few hundred cycles
  uint32_t longest_pause;       // of a sender, in cycles; 0: any
  uint32_t after_valid;         // not 0: a sink is ready only for what was offered a cycle before
};

struct Counters {
  uint64_t cycles;
  uint64_t key_loads;
  uint64_t commands;
  uint64_t in_beats;
  uint64_t out_beats;
  uint64_t tags;
  uint64_t in_refused;      // cycles in which data was offered and not taken
  uint64_t out_waited;      // cycles in which text was offered and the sink was not ready
  uint64_t longest_in_run;  // most consecutive cycles with a data beat
};

struct Violation {
  uint64_t cycle;
  uint32_t code;
  uint32_t operation;
};

enum Code : uint32_t {
  kTextValidDropped = 1,
  kTextChanged = 2,
  kTagValidDropped = 3,
  kTagChanged = 4,
  kKeepGap = 5,
  kKeepShort = 6,
  kKeepEmpty = 7,
  kDirtyBytes = 8,
  kLastEarly = 9,
  kLastLate = 10,
  kTextUnasked = 11,
  kTagUnasked = 12,
  kTagTooEarly = 13,
  kTagDirty = 14,
  kTagLeak = 15,
  kOkWrong = 16,
  kTextMissing = 17,
  kFollows = 18,  // and the four after it: one for each stream
  kKeepLong = 23,
  kAsserted = 24,  // its operation is the number of its words
  kNotEnded = 25,
  kTextShown = 26,
};

// ---- random numbers, stall patterns ------------------------------------------------------------

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du) {
    if (state_ == 0) state_ = 1;
    for (int i = 0; i < 8; ++i) next();
  }
  uint64_t next() {  // xorshift64*
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Du;
  }
  bool chance(uint32_t of_65536) { return (next() >> 48) < of_65536; }
  void fill(uint8_t* to, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 8) {
      const uint64_t word = next();
      std::memcpy(to + i, &word, std::min<size_t>(8, bytes - i));
    }
  }

 private:
  uint64_t state_;
};

// When one stream pauses. Plain: each cycle by chance. Bursts: a mood for a few hundred cycles
// (flowing, by chance, long pauses between long runs, nearly stopped), then another.
class Pace {
 public:
  void set(uint32_t pause, bool bursts, uint32_t longest = 0) {
    pause_ = pause;
    longest_ = longest;
    paused_ = 0;
    bursts_ = bursts;
    left_ = 0;
    mood_ = 1;
  }
  bool go(Random& random) {
    if (pause_ == 0) return true;
    const bool goes = drawn(random) || (longest_ != 0 && paused_ >= longest_);
    paused_ = goes ? 0 : paused_ + 1;
    return goes;
  }

 private:
  bool drawn(Random& random) {
    if (bursts_ && left_-- == 0) {
      mood_ = random.next() >> 62;
      left_ = 32 + (random.next() >> 56);
    }
    switch (mood_) {
      case 0: return true;
      case 2:
        if (random.chance(65536 / 12)) long_pause_ = random.chance(pause_);
        return !long_pause_;
      case 3: return !random.chance((pause_ + 2 * 65536) / 3);
      default: return !random.chance(pause_);
    }
  }

  uint32_t pause_ = 0;
  uint32_t longest_ = 0;
  uint32_t paused_ = 0;
  bool bursts_ = false;
  uint32_t left_ = 0;
  unsigned mood_ = 1;
  bool long_pause_ = false;
};

// ---- the driver ---------------------------------------------------------------------------------

enum RunState : int { kRunning = 0, kDone = 1, kHang = 2 };

struct TextBeat {
  uint8_t data[kBeatBytes];
  uint8_t keep[kKeepRoom];
  uint8_t last;
};

struct TagBeat {
  uint8_t tag[16];
  uint8_t ok;
  uint8_t status;
};

class Sim {
 public:
  Sim(uint64_t seed, const char* trace_path, uint64_t trace_from, uint64_t trace_to)
      : random_(seed), noise_(~seed), trace_from_(trace_from), trace_to_(trace_to) {
    context_ = std::make_unique<VerilatedContext>();
    context_->fatalOnError(false);
    context_->randReset(2);  // registers start with noise, as they do in silicon
    context_->randSeed(static_cast<int>(seed % 0x7FFFFFFE) + 1);
#if defined(GCM_TRACE_FST) || defined(GCM_TRACE_VCD)
    context_->traceEverOn(true);
#endif
    top_ = std::make_unique<Model>(context_.get(), "gcm_axis");
    open_trace(trace_path);
    reset();
  }
  ~Sim() {
    top_->final();
#if defined(GCM_TRACE_FST) || defined(GCM_TRACE_VCD)
    if (trace_) trace_->close();
#endif
  }

  // How often each point was reached, as Verilator writes it.
  void points(const char* path) { context_->coveragep()->write(path); }

  void set_stalls(const Stalls& stalls) {
    stalls_ = stalls;
    const bool bursts = stalls.bursts != 0;
    key_pace_.set(stalls.key_idle, bursts, stalls.longest_pause);
    command_pace_.set(stalls.command_idle, bursts, stalls.longest_pause);
    data_pace_.set(stalls.data_idle, bursts, stalls.longest_pause);
    text_pace_.set(stalls.text_wait, bursts);
    tag_pace_.set(stalls.tag_wait, bursts);
  }

  // Another list of operations; the core is not reset. All earlier ones must be done.
  void submit(const Operation* operations, Result* results, uint64_t count, const uint8_t* in,
              uint8_t* out) {
    operations_ = operations;
    results_ = results;
    in_ = in;
    out_ = out;
    keys_.clear();
    packets_.clear();
    texts_.clear();
    stops_.clear();
    stop_head_ = 0;
    resume_cycle_ = kNever;
    text_open_ = close_awaited_ = false;
    std::fill(std::begin(keys_taken_), std::end(keys_taken_), 0u);
    std::fill(std::begin(commands_taken_), std::end(commands_taken_), 0u);
    before_.assign(count, 0);
    uint32_t keys_seen[kContexts] = {};
    uint32_t packets_seen[kContexts] = {};
    for (uint64_t i = 0; i < count; ++i) sort_in(i, keys_seen, packets_seen);
    key_head_ = command_head_ = command_beat_ = data_head_ = text_head_ = tag_head_ = 0;
    text_beats_in_ = text_beats_out_ = drained_ = 0;
    last_progress_ = cycle_;
    packet_started_ = false;
  }

  // From the next cycle on the core erases itself, whatever is under way.
  Erased erase() {
    Erase<Model>::ask(*top_, true);
    step();
    Erase<Model>::ask(*top_, false);
    const Erased erased{cycle_, command_head_ + (command_beat_ != 0), tag_head_};
    text_waiting_ = tag_waiting_ = shown_ = known_data_ = false;  // the one case in which an offer is withdrawn
    close_awaited_ = text_open_;
    while (text_head_ < texts_.size() && erased.accepted != 0 &&
           texts_[text_head_] <= packets_[erased.accepted - 1])
      ++text_head_;
    return erased;
  }

  // Whatever is under way ends here; the next list begins on a core that was reset.
  void interrupt() {
    reset();
    text_waiting_ = tag_waiting_ = shown_ = known_data_ = false;
    in_run_ = 0;
    submit(nullptr, nullptr, 0, nullptr, nullptr);
  }

  int run(uint64_t max_cycles, uint64_t patience) {
    for (uint64_t i = 0; i < max_cycles; ++i) {
      if (all_done()) {
        if (++drained_ > kDrainCycles) return kDone;
      } else if (cycle_ - last_progress_ > patience) {
        return give_up();
      }
      step();
    }
    return kRunning;
  }

  uint64_t first_cycle() const { return first_cycle_; }
  const Counters& counters() const { return counters_; }
  const std::vector<Violation>& violations() const { return violations_; }
  uint64_t violations_total() const { return violations_total_; }
  const std::string& words(uint64_t number) const { return words_.at(number); }

  // One line: what every stream is waiting for.
  void describe(char* to, size_t room) const {
    std::snprintf(
        to, room,
        "cycle %llu; keys %zu of %zu taken (valid %d ready %d); commands %zu of %zu (valid %d "
        "ready %d); data of %zu packets (valid %d ready %d); text of %zu of %zu packets out (valid "
        "%d ready %d); tags %zu (valid %d ready %d)",
        static_cast<unsigned long long>(cycle_), key_head_, keys_.size(), top_->s_key_tvalid,
        top_->s_key_tready, command_head_, packets_.size(), top_->s_cmd_tvalid, top_->s_cmd_tready,
        data_head_, top_->s_axis_tvalid, top_->s_axis_tready, text_head_, texts_.size(),
        top_->m_axis_tvalid, top_->m_axis_tready, tag_head_, top_->m_tag_tvalid,
        top_->m_tag_tready);
  }

 private:
  void sort_in(uint64_t i, uint32_t* keys_seen, uint32_t* packets_seen) {
    const Operation& op = operations_[i];
    if (op.kind == kLoadKey) {
      before_[i] = packets_seen[op.context];
      ++keys_seen[op.context];
      keys_.push_back(i);
      return;
    }
    before_[i] = keys_seen[op.context];
    ++packets_seen[op.context];
    packets_.push_back(i);
    if (op.silence != 0) stops_.push_back(i);
    if (op.out_beats != 0) texts_.push_back(i);
    Result& r = results_[i];
    std::memset(&r, 0, sizeof r);
    r.command_cycle = r.first_in_cycle = r.last_in_cycle = kNever;
    r.first_out_cycle = r.last_out_cycle = r.tag_cycle = kNever;
  }

  bool all_done() const {
    return key_head_ == keys_.size() && command_head_ == packets_.size() &&
           data_head_ == packets_.size() && text_head_ == texts_.size() &&
           tag_head_ == packets_.size() && !close_awaited_;
  }

  int give_up() {
    const bool only_text = key_head_ == keys_.size() && command_head_ == packets_.size() &&
                           data_head_ == packets_.size() && tag_head_ == packets_.size();
    if (!only_text) return kHang;
    if (text_head_ < texts_.size()) violate(kTextMissing, texts_[text_head_]);
    if (close_awaited_) violate(kNotEnded, kNever);
    return kDone;
  }

  void violate(Code code, uint64_t operation) {
    ++violations_total_;
    if (violations_.size() < kMaxViolations)
      violations_.push_back({cycle_, code, static_cast<uint32_t>(operation)});
  }

  // A broken assertion of the RTL: its words are kept, and the model goes on. At the first edge of
  // all, registers have values that nothing led to, and no assertion need hold.
  void listen() {
    if (said.empty()) return;
    if (context_->gotError()) {
      if (cycle_ != 0) {
        violate(kAsserted, words_.size());
        if (words_.size() < kMaxViolations) words_.push_back(said);
      }
      context_->gotError(false);
      context_->gotFinish(false);
    }
    said.clear();
  }

  // ---- clock

  void reset() {
    top_->aresetn = 0;
    key_taken_ = command_taken_ = data_taken_ = false;
    Erase<Model>::ask(*top_, false);
    top_->s_key_tvalid = top_->s_cmd_tvalid = top_->s_axis_tvalid = 0;
    top_->m_axis_tready = top_->m_tag_tready = 0;
    key_noise();
    command_noise();
    data_noise();
    for (uint64_t i = 0; i < kResetCycles; ++i) {
      settle_low();
      rise();
    }
    top_->aresetn = 1;
    first_cycle_ = cycle_;
  }

  void settle_low() {
    top_->aclk = 0;
    top_->eval();
    dump();
  }

  void rise() {
    context_->timeInc(5000);
    top_->aclk = 1;
    top_->eval();
    listen();
    dump();
    context_->timeInc(5000);
    ++cycle_;
  }

  void step() {
    if (resume_cycle_ <= cycle_) {
      ++stop_head_;
      resume_cycle_ = kNever;
    }
    offer_key();
    offer_command();
    offer_data();
    top_->m_axis_tready = text_pace_.go(random_) && (stalls_.after_valid == 0 || text_waiting_);
    top_->m_tag_tready = tag_pace_.go(random_) && (stalls_.after_valid == 0 || tag_waiting_);
    if (cycle_ % kProbeEvery == 0) probe();
    settle_low();
    check_text();
    check_tag();
    take_text();  // before the data: what leaves must have come in an earlier cycle
    take_tag();
    take_key();
    take_command();
    take_data();
    rise();
    ++counters_.cycles;
  }

  // ready must not follow the valid of its own stream, nor valid the ready, within a cycle.
  void probe() {
    Model& t = *top_;
    const uint8_t valids[3] = {t.s_key_tvalid, t.s_cmd_tvalid, t.s_axis_tvalid};
    const uint8_t readies[2] = {t.m_axis_tready, t.m_tag_tready};
    t.aclk = 0;
    t.eval();
    const uint8_t before[5] = {t.s_key_tready, t.s_cmd_tready, t.s_axis_tready, t.m_axis_tvalid,
                               t.m_tag_tvalid};
    for (int which = 0; which < 5; ++which) {
      flip(which);
      t.eval();
      const uint8_t after[5] = {t.s_key_tready, t.s_cmd_tready, t.s_axis_tready, t.m_axis_tvalid,
                                t.m_tag_tvalid};
      if (after[which] != before[which]) violate(static_cast<Code>(kFollows + which), kNever);
      flip(which);
    }
    t.s_key_tvalid = valids[0];
    t.s_cmd_tvalid = valids[1];
    t.s_axis_tvalid = valids[2];
    t.m_axis_tready = readies[0];
    t.m_tag_tready = readies[1];
  }

  void flip(int which) {
    Model& t = *top_;
    switch (which) {
      case 0: t.s_key_tvalid = !t.s_key_tvalid; break;
      case 1: t.s_cmd_tvalid = !t.s_cmd_tvalid; break;
      case 2: t.s_axis_tvalid = !t.s_axis_tvalid; break;
      case 3: t.m_axis_tready = !t.m_axis_tready; break;
      default: t.m_tag_tready = !t.m_tag_tready; break;
    }
  }

  // ---- s_key: a key waits for every earlier command of its context

  void offer_key() {
    if (top_->s_key_tvalid && !key_taken_) return;
    key_taken_ = false;
    top_->s_key_tvalid = 0;
    key_noise();
    if (key_head_ == keys_.size()) return;
    const Operation& op = operations_[keys_[key_head_]];
    if (commands_taken_[op.context] + op.holds < before_[keys_[key_head_]]) return;
    if (!key_pace_.go(random_)) return;
    uint8_t key[32];
    noise_.fill(key, sizeof key);
    std::memcpy(key, in_ + op.head_offset, std::min<size_t>(op.head_bytes, sizeof key));
    put(top_->s_key_tdata, key, sizeof key);
    Fixed<Model>::offer(*top_, op.tag);
    top_->s_key_size = op.size_code & 3;
    top_->s_key_context = op.context;
    top_->s_key_tvalid = 1;
    key_cycle_ = cycle_;
  }

  void key_noise() {
    uint8_t key[32];
    noise_.fill(key, sizeof key);
    put(top_->s_key_tdata, key, sizeof key);
    top_->s_key_size = key[0] & 3;
    top_->s_key_context = key[1] & 1;  // the port may be one bit wide
  }

  void take_key() {
    if (!(top_->s_key_tvalid && top_->s_key_tready)) return;
    key_taken_ = true;
    ++keys_taken_[operations_[keys_[key_head_]].context];
    results_[keys_[key_head_]].command_cycle = cycle_;
    ++key_head_;
    ++counters_.key_loads;
    last_progress_ = cycle_;
  }

  // ---- s_cmd: a command waits for every earlier key of its context

  void offer_command() {
    if (top_->s_cmd_tvalid && !command_taken_) return;
    command_taken_ = false;
    top_->s_cmd_tvalid = 0;
    command_noise();
    skip_commands();
    if (command_head_ == packets_.size() || silent(packets_[command_head_])) return;
    const Operation& op = operations_[packets_[command_head_]];
    if (keys_taken_[op.context] < before_[packets_[command_head_]]) return;
    if (op.stops & kLateCommand && !data_waited(op)) return;
    if (op.stops & kAfterKey && !next_key_waits(packets_[command_head_])) return;
    if (!command_pace_.go(random_)) return;
    const size_t done = command_beat_ * 16;
    if (op.head_bytes > done) {
      uint8_t iv[16];
      noise_.fill(iv, sizeof iv);
      if (!Fixed<Model>::kThere || op.decrypt)
        std::memcpy(iv, in_ + op.head_offset + done, std::min<size_t>(16, op.head_bytes - done));
      put(top_->s_cmd_iv, iv, sizeof iv);
    }
    top_->s_cmd_tvalid = 1;
    if (command_beat_ != 0) return;  // the other fields mean nothing in later beats
    top_->s_cmd_context = op.context;
    top_->s_cmd_decrypt = op.decrypt;
    uint8_t tag[16];
    noise_.fill(tag, sizeof tag);
    std::memcpy(tag, op.tag, std::min<size_t>(op.tag_given, sizeof tag));
    put(top_->s_cmd_tag, tag, sizeof tag);
    top_->s_cmd_tag_bytes = op.tag_bytes & 31;
    top_->s_cmd_iv_bytes = static_cast<uint16_t>(op.head_bytes);
    Said<Model>::offer(*top_, op.said_beats);
  }

  // Whether a packet waits for one before it, whose sender has stopped.
  bool silent(uint64_t i) const { return stop_head_ < stops_.size() && i > stops_[stop_head_]; }

  // Whether a key that comes after the packet was on offer in the cycle before.
  bool next_key_waits(uint64_t i) const {
    const size_t offered = key_head_ + (top_->s_key_tvalid && key_cycle_ < cycle_);
    return offered != 0 && keys_[offered - 1] > i;
  }

  // Whether the packet's data was there for as long as its command is to be late.
  bool data_waited(const Operation& op) const {
    return packet_started_ && data_head_ == command_head_ && cycle_ >= started_cycle_ + op.silence;
  }

  // Commands that never come.
  void skip_commands() {
    while (command_head_ < packets_.size() && !silent(packets_[command_head_]) &&
           operations_[packets_[command_head_]].stops & kNoCommand)
      end_command();
  }

  void end_command() {
    const uint64_t i = packets_[command_head_];
    results_[i].command_cycle = cycle_;
    ++commands_taken_[operations_[i].context];
    ++command_head_;
    command_beat_ = 0;
  }

  void command_noise() {
    uint8_t noise[44];
    noise_.fill(noise, sizeof noise);
    top_->s_cmd_context = noise[36] & 1;
    put(top_->s_cmd_tag, noise, 16);
    put(top_->s_cmd_iv, noise + 16, 16);
    top_->s_cmd_decrypt = noise[32] & 1;
    top_->s_cmd_tag_bytes = noise[33] & 31;
    top_->s_cmd_iv_bytes = static_cast<uint16_t>(noise[34] | noise[35] << 8);
    Said<Model>::offer(*top_, static_cast<uint32_t>(noise[40] | noise[41] << 24));
  }

  void take_command() {
    if (!(top_->s_cmd_tvalid && top_->s_cmd_tready)) return;
    command_taken_ = true;
    last_progress_ = cycle_;
    const uint64_t i = packets_[command_head_];
    const Operation& op = operations_[i];
    const bool own_iv = Fixed<Model>::kThere && !op.decrypt;  // then a command is one beat
    const bool whole = (++command_beat_) * 16 >= op.head_bytes || own_iv;
    if (!whole && !(op.stops & kOneWord)) return;
    end_command();
    ++counters_.commands;
  }

  // ---- s_axis

  void start_packet(const Operation& op) {
    packet_started_ = true;
    started_cycle_ = cycle_;
    frame_text_ = false;
    beat_ = 0;
    hold_data_ = random_.chance(stalls_.data_after_command) && !(op.stops & kLateCommand);
    if (op.frame_beats != 0 || op.stops & kNoLast) {
      aad_beats_ = op.frame_beats + op.rest_beats;
      text_beats_ = 0;
      return;
    }
    // Null beats are one way to be unusual; AAD in beats of its own that would fit with text is the
    // other.
    const bool fits = op.aad_bytes != 0 && op.aad_bytes <= kSideBytes;
    side_bytes_ = fits && !random_.chance(stalls_.null_beats) ? op.aad_bytes : 0;
    aad_beats_ = (op.aad_bytes - side_bytes_ + kBeatBytes - 1) / kBeatBytes;
    text_beats_ = (op.text_bytes + kBeatBytes - 1) / kBeatBytes;
    if (side_bytes_ != 0) {
      if (text_beats_ == 0) text_beats_ = 1;
      return;
    }
    if (aad_beats_ == 0 && random_.chance(stalls_.null_beats)) aad_beats_ = 1;
    if (text_beats_ == 0 && random_.chance(stalls_.null_beats)) text_beats_ = 1;
    if (aad_beats_ + text_beats_ == 0) (random_.chance(32768) ? aad_beats_ : text_beats_) = 1;
  }

  void offer_data() {
    if (top_->s_axis_tvalid && !data_taken_) return;
    data_taken_ = false;
    top_->s_axis_tvalid = 0;
    skip_data();
    if (data_head_ == packets_.size() || silent(packets_[data_head_])) return data_noise();
    const Operation& op = operations_[packets_[data_head_]];
    if (!packet_started_) start_packet(op);
    if (at_rest(op) && stop_head_ < stops_.size() && stops_[stop_head_] == packets_[data_head_])
      return data_noise();
    if (hold_data_ && data_head_ >= command_head_) return data_noise();
    if (op.holds != 0 && data_head_ + op.holds >= command_head_) return data_noise();
    if (!data_pace_.go(random_)) return data_noise();
    if (op.frame_beats != 0) return offer_frame_beat(op);
    const bool is_text = beat_ >= aad_beats_;
    const uint64_t at = (is_text ? beat_ - aad_beats_ : beat_) * kBeatBytes;
    const uint64_t have = is_text ? op.text_bytes : op.aad_bytes;
    const uint8_t* from = in_ + (is_text ? op.text_offset : op.aad_offset) + at;
    const size_t bytes = have > at ? std::min<uint64_t>(kBeatBytes, have - at) : 0;
    uint8_t data[kBeatBytes];
    if (bytes < kBeatBytes) noise_.fill(data, sizeof data);
    std::memcpy(data, from, bytes);
    put(top_->s_axis_tdata, data, sizeof data);
    uint8_t keep[kKeepRoom] = {};
    std::memset(keep, 0xFF, bytes / 8);
    if (bytes % 8 != 0) keep[bytes / 8] = static_cast<uint8_t>((1u << (bytes % 8)) - 1);
    put(top_->s_axis_tkeep, keep, kKeepRoom);
    top_->s_axis_tuser = is_text;
    top_->s_axis_tlast = beat_ + 1 == aad_beats_ + text_beats_;
    offer_side(in_ + op.aad_offset, beat_ == 0 ? side_bytes_ : 0);
    top_->s_axis_tvalid = 1;
    text_beat_offered_ = is_text && bytes != 0;
  }

  // Packets without a single beat, once their commands are there.
  void skip_data() {
    while (data_head_ < command_head_ && operations_[packets_[data_head_]].stops & kNoLast &&
           operations_[packets_[data_head_]].frame_beats == 0) {
      ++data_head_;
      packet_started_ = false;
    }
  }

  // Whether what is left of a packet's data is what comes after the answer.
  bool at_rest(const Operation& op) const {
    return op.stops & kNoLast && beat_ >= op.frame_beats;
  }

  void offer_side(const uint8_t* aad, size_t bytes) {
    if (kSideBytes == 0) return;
    uint8_t data[kSideRoom], keep[kKeepRoom] = {};
    noise_.fill(data, sizeof data);
    std::memcpy(data, aad, bytes);
    for (size_t i = 0; i < bytes; ++i) keep[i / 8] |= static_cast<uint8_t>(1u << i % 8);
    Side<Model>::offer(*top_, data, keep);
  }

  void offer_frame_beat(const Operation& op) {
    FrameBeat frame;
    std::memcpy(&frame, in_ + op.frame_offset + beat_ * sizeof frame, sizeof frame);
    put(top_->s_axis_tdata, frame.data, sizeof frame.data);
    uint8_t keep[kKeepRoom] = {};
    std::memcpy(keep, frame.keep, sizeof frame.keep);
    put(top_->s_axis_tkeep, keep, kKeepRoom);
    top_->s_axis_tuser = frame.user;
    top_->s_axis_tlast = frame.last;
    uint8_t side_keep[kKeepRoom] = {};
    std::memcpy(side_keep, frame.aad_keep, sizeof frame.aad_keep);
    Side<Model>::offer(*top_, frame.aad, side_keep);
    top_->s_axis_tvalid = 1;
    const bool text = frame.user != 0 && std::any_of(std::begin(frame.keep), std::end(frame.keep),
                                                     [](uint8_t k) { return k != 0; });
    text_beat_offered_ = text || (frame.last != 0 && frame_text_);  // text that left is ended
    if (at_rest(op)) text_beat_offered_ = false;
    frame_text_ = frame_text_ || text;
  }

  void data_noise() {
    uint8_t data[kBeatBytes];
    noise_.fill(data, sizeof data);
    put(top_->s_axis_tdata, data, sizeof data);
    uint8_t keep[kKeepRoom] = {};
    if (data[2] & 1) std::memset(keep, 0xFF, kKeepBytes);
    put(top_->s_axis_tkeep, keep, kKeepRoom);
    top_->s_axis_tuser = data[0] & 1;
    top_->s_axis_tlast = data[1] & 1;
    if (kSideBytes == 0) return;
    uint8_t side[kSideRoom];
    noise_.fill(side, sizeof side);
    Side<Model>::offer(*top_, side, keep);
  }

  void take_data() {
    if (!top_->s_axis_tvalid) {
      in_run_ = 0;
      return;
    }
    if (!top_->s_axis_tready) {
      ++counters_.in_refused;
      in_run_ = 0;
      return;
    }
    data_taken_ = true;
    last_progress_ = cycle_;
    counters_.longest_in_run = std::max(counters_.longest_in_run, ++in_run_);
    ++counters_.in_beats;
    Result& r = results_[packets_[data_head_]];
    if (r.first_in_cycle == kNever) r.first_in_cycle = cycle_;
    ++r.in_beats;
    if (text_beat_offered_) ++text_beats_in_;
    const Operation& op = operations_[packets_[data_head_]];
    ++beat_;
    if (op.stops & kNoLast && beat_ == op.frame_beats && frame_text_) ++text_beats_in_;  // its end
    if (beat_ < aad_beats_ + text_beats_) return;
    r.last_in_cycle = cycle_;
    ++data_head_;
    packet_started_ = false;
  }

  // ---- m_axis

  void sample(TextBeat& beat) const {
    std::memset(&beat, 0, sizeof beat);
    get(top_->m_axis_tdata, beat.data, sizeof beat.data);
    get(top_->m_axis_tkeep, beat.keep, sizeof beat.keep);
    beat.last = top_->m_axis_tlast;
  }

  void check_text() {
    const uint64_t who = text_head_ < texts_.size() ? texts_[text_head_] : kNever;
    const bool valid = top_->m_axis_tvalid;
    if (text_waiting_) {
      if (!valid) violate(kTextValidDropped, who);
      if (valid) {
        TextBeat now;
        sample(now);
        if (std::memcmp(&now, &held_text_, sizeof now) != 0) violate(kTextChanged, who);
      }
    }
    check_shown(valid, who);
    text_waiting_ = valid && !top_->m_axis_tready;
    if (text_waiting_) {
      ++counters_.out_waited;
      sample(held_text_);
    }
  }

  // What m_axis_tdata changes to without being offered is zero, or what is offered next; on a core
  // that is erased by packets of zeros also the text of these, the same each time.
  void check_shown(bool valid, uint64_t who) {
    uint8_t data[kBeatBytes];
    get(top_->m_axis_tdata, data, sizeof data);
    const bool changed = known_data_ && std::memcmp(data, last_data_, sizeof data) != 0;
    if (changed && shown_) violate(kTextShown, who);
    if (valid || changed)
      shown_ = !valid && std::any_of(std::begin(data), std::end(data), [](uint8_t b) { return b; });
    std::memcpy(last_data_, data, sizeof data);
    known_data_ = true;
    if (!shown_ || !Erase<Model>::kThere) return;
    if (!of_zeros_known_) std::memcpy(of_zeros_, data, sizeof data);
    of_zeros_known_ = true;
    shown_ = std::memcmp(of_zeros_, data, sizeof data) != 0;
  }

  // The number of bytes kept; rules of one beat on its own.
  size_t check_beat(const TextBeat& beat, uint64_t who, bool framed) {
    size_t bytes = 0;
    while (bytes < kBeatBytes && kept(beat, bytes)) ++bytes;
    for (size_t i = bytes; i < kBeatBytes; ++i) {
      if (kept(beat, i) && !framed) {
        violate(kKeepGap, who);
        break;
      }
    }
    for (size_t i = 0; i < kBeatBytes; ++i) {
      if (!kept(beat, i) && beat.data[i] != 0) {
        violate(kDirtyBytes, who);
        break;
      }
    }
    if (framed) return bytes;
    if (bytes == 0) violate(kKeepEmpty, who);
    if (bytes != kBeatBytes && !beat.last) violate(kKeepShort, who);
    return bytes;
  }

  static bool kept(const TextBeat& beat, size_t i) { return beat.keep[i / 8] >> (i % 8) & 1; }

  // Text that was expected but is withheld after all, as the packet's status says.
  void skip_withheld() {
    while (text_head_ < texts_.size()) {
      const Result& r = results_[texts_[text_head_]];
      const bool refused = operations_[texts_[text_head_]].withheld && r.tag_cycle != kNever &&
                           r.status != 0;
      if (!refused || r.out_beats != 0) return;
      ++text_head_;
    }
  }

  void take_text() {
    skip_withheld();
    if (!(top_->m_axis_tvalid && top_->m_axis_tready)) return;
    ++counters_.out_beats;
    text_open_ = !top_->m_axis_tlast;
    if (close_awaited_) return close_text();
    if (text_beats_out_ >= text_beats_in_ || text_head_ == texts_.size()) {
      violate(kTextUnasked, kNever);
      if (text_head_ == texts_.size()) return;
    } else {
      last_progress_ = cycle_;  // text that nobody asked for is none: it may never end
    }
    ++text_beats_out_;
    const uint64_t i = texts_[text_head_];
    const Operation& op = operations_[i];
    Result& r = results_[i];
    TextBeat beat;
    sample(beat);
    const size_t bytes = check_beat(beat, i, op.frame_beats != 0);
    const size_t room = op.out_room - std::min(op.out_room, r.out_bytes);
    if (bytes > room) violate(kKeepLong, i);
    std::memcpy(out_ + op.out_offset + r.out_bytes, beat.data, std::min(bytes, room));
    r.out_bytes += std::min(bytes, room);
    if (r.first_out_cycle == kNever) r.first_out_cycle = cycle_;
    r.last_out_cycle = cycle_;
    ++r.out_beats;
    const bool last = r.out_beats >= op.out_beats;
    if (beat.last && !last) violate(kLastEarly, i);
    if (!beat.last && last) violate(kLastLate, i);
    if ((beat.last && op.frame_beats == 0) || last) ++text_head_;
  }

  // After an erase: a beat without a byte, the last one of a text that had begun to leave.
  void close_text() {
    close_awaited_ = false;
    TextBeat beat;
    sample(beat);
    const TextBeat empty{{}, {}, 1};
    if (std::memcmp(&beat, &empty, sizeof beat) != 0) violate(kNotEnded, kNever);
  }

  // ---- m_tag

  void sample(TagBeat& beat) const {
    std::memset(&beat, 0, sizeof beat);
    get(top_->m_tag_tag, beat.tag, sizeof beat.tag);
    beat.ok = top_->m_tag_ok;
    beat.status = top_->m_tag_status;
  }

  void check_tag() {
    const uint64_t who = tag_head_ < packets_.size() ? packets_[tag_head_] : kNever;
    const bool valid = top_->m_tag_tvalid;
    TagBeat now;
    if (valid || tag_waiting_) sample(now);
    if (tag_waiting_ && !valid) violate(kTagValidDropped, who);
    if (tag_waiting_ && valid && std::memcmp(&now, &held_tag_, sizeof now) != 0)
      violate(kTagChanged, who);
    tag_waiting_ = valid && !top_->m_tag_tready;
    if (tag_waiting_) held_tag_ = now;
  }

  void take_tag() {
    if (!(top_->m_tag_tvalid && top_->m_tag_tready)) return;
    ++counters_.tags;
    if (tag_head_ == packets_.size()) return violate(kTagUnasked, kNever);
    last_progress_ = cycle_;
    const uint64_t i = packets_[tag_head_];
    const Operation& op = operations_[i];
    Result& r = results_[i];
    TagBeat beat;
    sample(beat);
    std::memcpy(r.tag, beat.tag, sizeof r.tag);
    r.ok = beat.ok;
    r.status = beat.status;
    r.tag_cycle = cycle_;
    if (stop_head_ < stops_.size() && stops_[stop_head_] == i) resume_cycle_ = cycle_ + op.silence;
    if (r.command_cycle == kNever) violate(kTagUnasked, i);
    if (beat.status == 0 && r.last_in_cycle == kNever) violate(kTagTooEarly, i);
    if ((beat.status == 0) != (beat.ok != 0)) violate(kOkWrong, i);
    const bool hidden = op.decrypt || beat.status != 0;
    for (size_t k = hidden ? 0 : std::min<size_t>(op.tag_bytes, 16); k < 16; ++k) {
      if (beat.tag[k] != 0) {
        violate(hidden ? kTagLeak : kTagDirty, i);
        break;
      }
    }
    ++tag_head_;
  }

  // ---- waveform

  void open_trace(const char* path) {
#if defined(GCM_TRACE_FST) || defined(GCM_TRACE_VCD)
    if (path == nullptr || *path == 0) return;
    trace_ = std::make_unique<TraceFile>();
    top_->trace(trace_.get(), 99);
    trace_->open(path);
#else
    (void)path;
#endif
  }

  void dump() {
#if defined(GCM_TRACE_FST) || defined(GCM_TRACE_VCD)
    if (trace_ && cycle_ >= trace_from_ && cycle_ <= trace_to_) trace_->dump(context_->time());
#endif
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> top_;
#if defined(GCM_TRACE_FST) || defined(GCM_TRACE_VCD)
  std::unique_ptr<TraceFile> trace_;
#endif
  Random random_;  // decides
  Random noise_;   // fills what must not matter
  uint64_t trace_from_;
  uint64_t trace_to_;
  Stalls stalls_{};
  Pace key_pace_, command_pace_, data_pace_, text_pace_, tag_pace_;
  Counters counters_{};
  std::vector<Violation> violations_;
  std::vector<std::string> words_;
  uint64_t violations_total_ = 0;
  uint64_t cycle_ = 0;
  uint64_t first_cycle_ = 0;  // after the last reset
  uint64_t last_progress_ = 0;
  uint64_t drained_ = 0;

  const Operation* operations_ = nullptr;
  Result* results_ = nullptr;
  const uint8_t* in_ = nullptr;
  uint8_t* out_ = nullptr;
  std::vector<uint64_t> keys_, packets_, texts_;  // operations by stream, in program order
  std::vector<uint64_t> stops_;   // operations after which senders are silent
  size_t stop_head_ = 0;
  uint64_t resume_cycle_ = kNever;
  uint64_t started_cycle_ = 0;  // of the data under way
  uint64_t key_cycle_ = 0;      // since when the key has been on offer
  bool text_open_ = false, close_awaited_ = false;
  std::vector<uint32_t> before_;  // packets (keys) of the same context before a key (packet)
  uint32_t keys_taken_[kContexts] = {};
  uint32_t commands_taken_[kContexts] = {};

  size_t key_head_ = 0, command_head_ = 0, command_beat_ = 0, data_head_ = 0;
  size_t text_head_ = 0, tag_head_ = 0;
  bool key_taken_ = false, command_taken_ = false, data_taken_ = false;
  bool packet_started_ = false, hold_data_ = false, text_beat_offered_ = false, frame_text_ = false;
  uint64_t beat_ = 0, aad_beats_ = 0, text_beats_ = 0, side_bytes_ = 0;
  uint64_t text_beats_in_ = 0, text_beats_out_ = 0, in_run_ = 0;
  bool text_waiting_ = false, tag_waiting_ = false;
  TextBeat held_text_{};
  bool shown_ = false, known_data_ = false;
  bool of_zeros_known_ = false;
  uint8_t last_data_[kBeatBytes];
  uint8_t of_zeros_[kBeatBytes];
  TagBeat held_tag_{};
};

}  // namespace

// ---- what the proven leaves of leaves.py call ----------------------------------------------------

namespace {

using Word128 = unsigned __int128;

// Carry-less product of two 64-bit polynomials: by the instruction for it, or four bits of y at a
// time.
#ifdef __PCLMUL__
Word128 product64(uint64_t x, uint64_t y) {
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(x), _mm_cvtsi64_si128(y), 0);
  Word128 sum;
  std::memcpy(&sum, &product, sizeof sum);
  return sum;
}
#else
Word128 product64(uint64_t x, uint64_t y) {
  Word128 multiple[16];
  multiple[0] = 0;
  multiple[1] = x;
  for (int i = 2; i < 16; i += 2) {
    multiple[i] = multiple[i / 2] << 1;
    multiple[i + 1] = multiple[i] ^ x;
  }
  Word128 sum = 0;
  for (int i = 60; i >= 0; i -= 4) sum = (sum << 4) ^ multiple[y >> i & 15];
  return sum;
}
#endif

}  // namespace

// c = a * b modulo x^128 + x^7 + x^2 + x + 1; bit i is the coefficient of x^i.
extern "C" void gcmforge_gf128_mul(const uint32_t* a, const uint32_t* b, uint32_t* c) {
  uint64_t x[2], y[2];
  std::memcpy(x, a, sizeof x);
  std::memcpy(y, b, sizeof y);
  Word128 low = product64(x[0], y[0]);
  Word128 high = product64(x[1], y[1]);
  const Word128 middle = product64(x[0] ^ x[1], y[0] ^ y[1]) ^ low ^ high;
  low ^= middle << 64;
  high ^= middle >> 64;
  const Word128 over = high >> 127 ^ high >> 126 ^ high >> 121;
  high ^= over;
  low ^= high ^ high << 1 ^ high << 2 ^ high << 7;
  std::memcpy(c, &low, sizeof low);
}

#define GCM_API extern "C" __attribute__((visibility("default")))

GCM_API uint32_t gcm_beat_bytes() { return kBeatBytes; }

GCM_API uint32_t gcm_layout() { return sizeof(Operation) << 16 | sizeof(Result); }

GCM_API void* gcm_new(uint64_t seed, const char* trace_path, uint64_t from, uint64_t to) {
  return new Sim(seed, trace_path, from, to);
}

GCM_API void gcm_delete(void* sim) { delete static_cast<Sim*>(sim); }

GCM_API void gcm_set_stalls(void* sim, const Stalls* stalls) {
  static_cast<Sim*>(sim)->set_stalls(*stalls);
}

GCM_API void gcm_submit(void* sim, const Operation* operations, Result* results, uint64_t count,
                        const uint8_t* in, uint8_t* out) {
  static_cast<Sim*>(sim)->submit(operations, results, count, in, out);
}

GCM_API int gcm_run(void* sim, uint64_t max_cycles, uint64_t patience) {
  return static_cast<Sim*>(sim)->run(max_cycles, patience);
}

GCM_API void gcm_interrupt(void* sim) { static_cast<Sim*>(sim)->interrupt(); }

GCM_API void gcm_erase(void* sim, Erased* to) { *to = static_cast<Sim*>(sim)->erase(); }

GCM_API uint64_t gcm_first(void* sim) { return static_cast<Sim*>(sim)->first_cycle(); }

GCM_API void gcm_counters(void* sim, Counters* to) { *to = static_cast<Sim*>(sim)->counters(); }

GCM_API uint64_t gcm_violations(void* sim, Violation* to, uint64_t room) {
  const Sim& s = *static_cast<Sim*>(sim);
  const uint64_t count = std::min<uint64_t>(room, s.violations().size());
  std::copy_n(s.violations().begin(), count, to);
  return s.violations_total();
}

GCM_API void gcm_words(void* sim, uint64_t number, char* to, uint64_t room) {
  std::snprintf(to, room, "%s", static_cast<Sim*>(sim)->words(number).c_str());
}

GCM_API void gcm_points(void* sim, const char* path) { static_cast<Sim*>(sim)->points(path); }

GCM_API void gcm_describe(void* sim, char* to, uint64_t room) {
  static_cast<Sim*>(sim)->describe(to, room);
}
