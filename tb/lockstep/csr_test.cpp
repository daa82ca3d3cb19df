// SPDX-License-Identifier: Apache-2.0
// needs: model
// clang-format off
// rtl: csr_4 = weir_mmu Ports=4 Domains=2 Copies=2 Profiles=3 Pools=2 EgressPools=2 AxisW=64
// rtl: csr_marks = weir_mmu Ports=4 Domains=2 Copies=2 Profiles=3 Pools=2 EgressPools=2 AxisW=64 WredProfiles=2
// Verilator's headers come before those of SystemC; otherwise they call it for the time.
#include "Vcsr_4.h"
#include "Vcsr_marks.h"
#include "lockstep/bench.hpp"
// clang-format on
#include "weir/model/registers/csr.hpp"

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/csr_reference.hpp"
#include "lockstep/domain_chip.hpp"
#include "lockstep/pins.hpp"
#include "lockstep/scoreboard.hpp"
#include "lockstep/step_corners.hpp"
#include "weir/core/congestion/ecn_marker.hpp"
#include "weir/core/mmu.hpp"
#include "weir/core/random.hpp"
#include "weir/model/agenda.hpp"
#include "weir/model/mmu/pfc_generator_unit.hpp"
#include "weir/model/mmu/pfc_receiver_unit.hpp"
#include "weir/model/registers/register_map.hpp"
#include "weir/model/rtl/weir_pkg.hpp"

namespace weir::test {
namespace {

/// Addresses of the map have 24 bits.
std::uint32_t address_of(const std::string& name) {
  return static_cast<std::uint32_t>(register_address(name).value());
}

// Registers of the whole weir_mmu against the model's register block in front of one core MMU: both
// get the same packets, one at a time, and the same accesses.

constexpr unsigned port_count = 4, domain_count = 2, copies = 2, row_bits = 5;
constexpr unsigned admit = pipeline::admit.usual;
constexpr unsigned length_bits = 8, byte_bits = 14, port_bits = 2, cell_bits = 17;

RtlShape shape(unsigned wred_profiles) {
  RtlShape built;
  built.ports = port_count;
  built.domains = domain_count;
  built.copies = copies;
  built.profiles = 3;
  built.wred_profiles = wred_profiles;
  return built;
}

/// Result of an access: an error, or data (of reads).
struct Answer {
  bool error{false};
  std::uint32_t data{0};
};

struct Packet {
  std::uint32_t pg, cells, bytes, queue;
  Ecn ecn;
  friend bool operator==(const Packet& a, const Packet& b) {
    return a.pg == b.pg && a.cells == b.cells && a.bytes == b.bytes && a.queue == b.queue &&
           a.ecn == b.ecn;
  }
};

/// The RTL: an APB master, and packets on its lanes.
template <class Verilated>
class Rtl {
 public:
  explicit Rtl(const Chip& chip) : chip_{chip} { reset(); }

  void reset() {
    bench_.reset();
    while (bench_->init_done_o == 0) bench_.clock();
  }

  Answer access(bool write, std::uint32_t address, std::uint32_t data = 0) {
    bench_->psel_i = 1;
    bench_->penable_i = 0;
    bench_->pwrite_i = write ? 1 : 0;
    bench_->paddr_i = address;
    bench_->pwdata_i = data;
    bench_.clock();
    bench_->penable_i = 1;
    bench_.settle();
    for (int waited = 0; bench_->pready_o == 0; ++waited) {
      if (waited == 1000) throw Difference{"no answer at address " + std::to_string(address)};
      bench_.clock();
    }
    const Answer answer{bench_->pslverr_o != 0, bench_->prdata_o};
    bench_.clock();
    bench_->psel_i = 0;
    bench_->penable_i = 0;
    return answer;
  }

  /// Whether the packet is granted and admitted; waits for the verdict.
  bool arrive(const Packet& packet) {
    const unsigned port = packet.pg / 8, domain = chip_.ports[port].domain.count();
    set_bits(bench_->arr_waiting_i, domain * port_count + port, 1, 1);
    bench_.settle();
    if (bits(bench_->arr_grant_valid_o, domain, 1) == 0) throw Difference{"no grant"};
    set_bits(bench_->arr_pg_i, domain * row_bits, row_bits, packet.pg);
    set_bits(bench_->arr_cells_i, domain * length_bits, length_bits, packet.cells);
    set_bits(bench_->arr_bytes_i, domain * byte_bits, byte_bits, packet.bytes);
    set_bits(bench_->arr_queue_i, domain * copies * row_bits, row_bits, packet.queue);
    set_bits(bench_->arr_mask_i, domain * copies, copies, 1);
    set_bits(bench_->arr_ect_i, domain, 1, is_ect(packet.ecn));
    bench_.clock();
    clear_pin(bench_->arr_waiting_i);
    for (unsigned n = 1; n < admit; ++n) bench_.clock();
    const bool admitted = bits(bench_->arr_valid_o, domain, 1) != 0 &&
                          bits(bench_->arr_reason_o, domain * weir_pkg::ReasonW,
                               weir_pkg::ReasonW) == weir_pkg::ReasonAdmitted;
    for (int n = 0; n < 4; ++n) bench_.clock();
    return admitted;
  }
  /// It leaves its queue, and then its cells are free.
  void leave(const Packet& packet) {
    const unsigned domain = chip_.ports[packet.pg / 8].domain.count(), port = packet.queue / 8;
    set_bits(bench_->dep_valid_i, port, 1, 1);
    set_bits(bench_->dep_queue_i, port * 3, 3, packet.queue % 8);
    // More than waits there, which is refused.
    set_bits(bench_->dep_sent_i, port, 1, 0);
    set_bits(bench_->dep_cells_i, port * length_bits, length_bits, (1U << length_bits) - 1);
    set_bits(bench_->dep_bytes_i, port * byte_bits, byte_bits, (1U << byte_bits) - 1);
    bench_.clock();
    set_bits(bench_->dep_sent_i, port, 1, 1);
    set_bits(bench_->dep_cells_i, port * length_bits, length_bits, packet.cells);
    set_bits(bench_->dep_bytes_i, port * byte_bits, byte_bits, packet.bytes);
    set_bits(bench_->dep_ect_i, port, 1, is_ect(packet.ecn));
    bench_.clock();
    clear_pin(bench_->dep_valid_i);
    set_bits(bench_->rel_waiting_i, domain * port_count + port, 1, 1);
    bench_.settle();
    set_bits(bench_->rel_pg_i, domain * row_bits, row_bits, packet.pg);
    set_bits(bench_->rel_cells_i, domain * length_bits, length_bits, packet.cells);
    set_bits(bench_->rel_queue_i, domain * row_bits, row_bits, packet.queue);
    set_bits(bench_->rel_last_i, domain, 1, 1);
    bench_.clock();
    clear_pin(bench_->rel_waiting_i);
    for (unsigned n = 0; n < admit + 4; ++n) bench_.clock();
  }
  /// The MAC of each port that requests a frame starts it; returns how many each port has sent.
  std::array<unsigned, port_count> send_pfc_frames() {
    std::array<unsigned, port_count> sent{};
    bench_->m_axis_pfc_tready_i = (1U << port_count) - 1;
    for (int n = 0; n < 40; ++n) {
      bench_.settle();
      const auto starts = static_cast<unsigned>(bench_->pfc_request_o & bench_->pfc_ready_o);
      for (unsigned p = 0; p < port_count; ++p)
        sent[p] += starts >> p & bench_->pfc_sends_o >> p & 1U;
      bench_->pfc_start_i = static_cast<std::uint8_t>(starts);
      bench_.clock();
      bench_->pfc_start_i = 0;
    }
    return sent;
  }
  /// Sends a PFC frame of one class to `port`: eight beats of 8 octets.
  void receive_pfc_frame(unsigned port) {
    PfcFrame frame;
    frame.class_enable = 1;
    frame.time[0] = Quanta{100};
    const PfcFrameBytes octets = encode(frame);
    for (unsigned beat = 0; beat < 8; ++beat) {
      for (unsigned n = 0; n < 8; ++n)
        set_bits(bench_->s_axis_rx_tdata_i, port * 64 + n * 8, 8, octets[beat * 8 + n]);
      set_bits(bench_->s_axis_rx_tkeep_i, port * 8, 8, 0xff);
      set_bits(bench_->s_axis_rx_tvalid_i, port, 1, 1);
      set_bits(bench_->s_axis_rx_tlast_i, port, 1, beat == 7);
      bench_.clock();
    }
    bench_->s_axis_rx_tvalid_i = 0;
  }

 private:
  const Chip& chip_;
  Bench<Verilated> bench_;
};

/// The model's register block on a core MMU that the test itself drives, and its initiator.
class Model : public sc_core::sc_module {
 public:
  Model(const sc_core::sc_module_name& name, const Chip& chip, std::function<void(Model&)> program)
      : sc_core::sc_module{name},
        mmu{chip},
        marker{chip, 1},
        generator_{"generator", {context_, chip, counters, name_}},
        counters(chip.ports.size()),
        receiver_{"receiver", {context_, chip, counters, name_}},
        csr_{"csr", {mmu, generator_, receiver_, counters, Cycle{0}}, agenda_},
        program_{std::move(program)} {
    for (NoMac& mac : macs_) {
      generator_.mac.bind(mac);
      receiver_.mac.bind(mac);
    }
    socket_.bind(csr_.socket);
    if (!chip.wred_profiles.empty()) mmu.set_marker_owner(owner_);
    SC_HAS_PROCESS(Model);
    SC_THREAD(run);
  }

  /// One access; for a write, time advances until it is in force.
  Answer access(bool write, std::uint32_t address, std::uint32_t data = 0) {
    tlm::tlm_generic_payload transaction;
    transaction.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    transaction.set_address(address);
    transaction.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    transaction.set_data_length(4);
    transaction.set_streaming_width(4);
    sc_core::sc_time delay;
    socket_->b_transport(transaction, delay);
    wait(delay + sc_core::sc_time(1, sc_core::SC_NS));
    return {transaction.get_response_status() != tlm::TLM_OK_RESPONSE, data};
  }

  [[nodiscard]] bool finished() const { return finished_; }

  bool arrive(const Packet& packet) {
    const QueueIndex queue{packet.queue};
    const Cells n{packet.cells};
    const Bytes length{packet.bytes};
    const bool admitted = mmu.arrive(PgIndex{packet.pg}, n, length, queue, Cycle{0}).admitted();
    if (admitted && marker.has_profile(queue))
      static_cast<void>(marker.enters(queue, n, length, packet.ecn));
    return admitted;
  }
  void leave(const Packet& packet) {
    const QueueIndex queue{packet.queue};
    const Cells n{packet.cells};
    if (marker.has_profile(queue))
      static_cast<void>(marker.leaves(queue, n, Bytes{packet.bytes}, packet.ecn));
    mmu.release(PgIndex{packet.pg}, n, queue, true, Cycle{0});
  }

  Mmu mmu;
  EcnMarker marker;

 private:
  struct NoMac final : TransmitterIf {
    void pfc_requested(Picoseconds) override {}
    void pause_changed(Picoseconds) override {}
  };
  void run() {
    program_(*this);
    finished_ = true;
  }

  PlainMarkerOwner owner_{marker};
  Agenda agenda_{"agenda"};
  FramePool frames_;
  Observers no_observers_;
  const ModelContext context_{agenda_, frames_, no_observers_, 1};
  std::string name_{"sw"};
  std::array<NoMac, port_count> macs_;
  PfcGeneratorUnit generator_;

 public:
  std::vector<PortCounters> counters;

 private:
  PfcReceiverUnit receiver_;
  Csr csr_;
  tlm_utils::simple_initiator_socket<Model> socket_{"socket"};
  std::function<void(Model&)> program_;
  bool finished_{false};
};

/// Both sides of one comparison.
template <class Verilated>
class CsrLockstep {
 public:
  CsrLockstep(std::uint64_t seed, unsigned wred_profiles)
      : random_{seed, "csr"}, chip_{RandomChip{shape(wred_profiles), random_, seed}.make()} {
    if (wred_profiles != 0) marked_ = board_.point("a queue that has marked");
  }

  explicit CsrLockstep(Chip chip) : random_{0, "csr"}, chip_{std::move(chip)} {}

  /// Runs `program` in a simulation of the model. Returns the first difference, or the reason why
  /// the comparison is worthless; empty: neither.
  std::string complaints(void (CsrLockstep::*program)()) {
    const std::string found = difference(program);
    return found.empty() ? board_.complaints() : found;
  }
  /// The same, where the program need not reach every functional point.
  std::string difference(void (CsrLockstep::*program)()) {
    std::string failure;
    Model model{"model", chip_, [&](Model& m) {
                  model_ = &m;
                  try {
                    (this->*program)();
                  } catch (const Difference& difference) {
                    failure = difference.what();
                  }
                }};
    sc_core::sc_start(100, sc_core::SC_MS);
    if (!failure.empty()) return failure;
    return model.finished() ? "" : "the program did not reach its end";
  }

  void everything() {
    const std::vector<Word> words = all_words();
    check_reset(words);
    configure(words);
    compare_all(words);
    check_access(words);
    compare_all(words);
    check_holes(words);
    for (int phase = 0; phase < 3; ++phase) {
      traffic();
      compare_all(words);
      both_write(address_of("chip.clear_stats"), phase == 1 ? 0 : 1);
      compare_all(words);
    }
    frames();
    compare_all(words);
    both_write(address_of("chip.clear_stats"), 1);
    compare_all(words);
    rtl_.reset();
    check_reset(words);
  }

  /// At two queues of each port a packet stays, and 2^21 bytes and more pass it; each is marked.
  void marks() {
    const std::vector<Word> words = all_words();
    configure(words);
    std::vector<Word> of_marks;
    for (const Word& word : words)
      if (word.block->name == "queue_wred") of_marks.push_back(word);
    for (std::uint32_t port = 0; port < port_count; ++port)
      for (const std::uint32_t number : {0U, 7U}) {
        const std::uint32_t pg = 8 * port, queue = pg + number;
        enter({pg, 1, 64, queue, Ecn::ect0});
        for (int n = 0; n < 150; ++n) {
          if (n % 30 == 0) compare_all(of_marks);
          // With the one that stays less than leave() of the RTL asks for in vain.
          const Packet packet{pg, 253, 253 * 64, queue, Ecn::ect0};
          enter(packet);
          leave(packet);
        }
        EXPECT_GT(model_->marker.counters(QueueIndex{queue}).marked_bytes, Bytes{1U << 21});
      }
    compare_all(words);
    both_write(address_of("chip.clear_stats"), 1);
    compare_all(words);
  }

 private:
  /// One word of the register map.
  struct Word {
    const RegisterBlock* block;
    const Register* reg;
    std::size_t index;
    unsigned word;
    [[nodiscard]] std::uint32_t address() const {
      return static_cast<std::uint32_t>(block->base + index * block->stride + reg->offset +
                                        4 * word);
    }
    [[nodiscard]] std::string name() const {
      return std::string{block->name} + "." + std::string{reg->name};
    }
  };

  std::vector<Word> all_words() const {
    std::vector<Word> words;
    for (const RegisterBlock& block : register_map())
      for (std::size_t i = 0; i < block.instances(chip_); ++i)
        for (const Register& reg : block.registers)
          for (unsigned word = 0; word < reg.words; ++word)
            words.push_back({&block, &reg, i, word});
    return words;
  }

  void compare(Scoreboard::Output output, std::uint64_t expected, std::uint64_t actual,
               std::uint32_t address) {
    try {
      board_.compare(output, expected, actual, address);
    } catch (const Difference& difference) {
      const auto where = find_register(chip_, address);
      throw Difference{
          std::string{difference.what()} +
          (where ? " at " + std::string{where->block->name} + "." + std::string{where->reg->name}
                 : " where no register is")};
    }
  }

  // Before configuration: fixed values read back, draws are not stuck at 0, all else is 0 or none.
  void check_reset(const std::vector<Word>& words) {
    for (const Word& w : words) {
      const Answer answer = rtl_.access(false, w.address());
      compare(error_, 0, answer.error, w.address());
      const bool map = w.reg->name == "profile";
      const bool state = w.block->name == "port_draw" && w.reg->name == "state";
      const bool fixed = w.block->name == "chip" && w.reg->access == RegisterAccess::ro;
      const std::uint64_t expected = fixed   ? model_->access(false, w.address()).data
                                     : map   ? 0xffff'ffffU
                                     : state ? 1
                                             : 0;
      compare(value_, expected, answer.data, w.address());
    }
  }

  // Illegal values are refused before the start as well; then writes the settings of the model's
  // chip.
  void configure(const std::vector<Word>& words) {
    for (const Word& w : words) {
      const bool setting =
          w.reg->access == RegisterAccess::cfg || w.reg->access == RegisterAccess::rw;
      if (!setting) continue;
      for (const std::uint32_t value : edges(*w.reg)) {
        const bool fits = is_legal(*w.reg, chip_, value) && !too_many_cells(w, value);
        compare(error_, fits ? 0 : 1, rtl_.access(true, w.address(), value).error, w.address());
        board_.hit_if(fits, legal_);
        board_.hit_if(!fits, illegal_);
        if (fits) compare(value_, value, rtl_.access(false, w.address()).data, w.address());
      }
      const std::uint32_t value = model_->access(false, w.address()).data;
      compare(error_, 0, rtl_.access(true, w.address(), value).error, w.address());
    }
    const std::uint32_t start = address_of("chip.start");
    both_write(start, 0);
    compare(value_, 0, rtl_.access(false, start).data, start);
    both_write(start, 1);
  }
  // The RTL was built for counts of cell_bits.
  static bool too_many_cells(const Word& w, std::uint32_t value) {
    const bool segment =
        (w.block->name == "profile" && (w.reg->name == "private" || w.reg->name == "headroom")) ||
        (w.block->name == "queue_profile" && w.reg->name == "minimum") ||
        w.reg->name == "shared_size" || w.reg->name == "headroom_size";
    return segment && value >> cell_bits != 0;
  }
  // Both sides of every limit of the fields, and values of every magnitude in between.
  std::vector<std::uint32_t> edges(const Register& reg) {
    std::vector<std::uint32_t> values{0,
                                      1,
                                      0xffff'ffffU,
                                      255,
                                      (1U << cell_bits) - 1,
                                      1U << cell_bits,
                                      static_cast<std::uint32_t>(random_.next())};
    for (int n = 0; n < 12; ++n) values.push_back(legal_word(random_, reg) >> (n % 4 * 4));
    for (const LegalField& field : reg.legal) {
      const auto put = [&](std::uint64_t value) {
        std::uint64_t word = 0;
        for (const LegalField& other : reg.legal)
          word |= std::uint64_t{&other == &field ? value : other.least} << other.low;
        values.push_back(static_cast<std::uint32_t>(word));
      };
      put(field.least);
      put(field.most);
      put((std::uint64_t{field.least} - 1) & low_bits(field.width));
      put((std::uint64_t{field.most} + 1) & low_bits(field.width));
      if (field.below != RegisterCount::none) {
        put(count_of(chip_, field.below) - 1);
        put(count_of(chip_, field.below));
      }
    }
    return values;
  }

  void compare_all(const std::vector<Word>& words) {
    for (const Word& w : words) {
      const Answer expected = model_->access(false, w.address());
      const Answer actual = rtl_.access(false, w.address());
      compare(error_, expected.error, actual.error, w.address());
      if (!w.reg->outside) compare(value_, expected.data, actual.data, w.address());
      if (w.reg->outside) compare(value_, 0, actual.data, w.address());
      board_.hit_if(w.reg->words == 2 && w.word == 1, high_word_);
      board_.hit_if(w.reg->access == RegisterAccess::ro && expected.data != 0, state_);
    }
  }

  void both_write(std::uint32_t address, std::uint32_t value) {
    const bool expected = model_->access(true, address, value).error;
    compare(error_, expected, rtl_.access(true, address, value).error, address);
  }

  // After the start RTL and model refuse the same writes.
  void check_access(const std::vector<Word>& words) {
    for (const Word& w : words) {
      if (w.reg->access == RegisterAccess::w1c) continue;
      const std::uint32_t now = model_->access(false, w.address()).data;
      if (w.reg->access == RegisterAccess::rw)
        for (const std::uint32_t value : edges(*w.reg)) {
          both_write(w.address(), value);
          compare(value_, model_->access(false, w.address()).data,
                  rtl_.access(false, w.address()).data, w.address());
        }
      both_write(w.address(), now);
      board_.hit_if(w.reg->access == RegisterAccess::cfg, refused_cfg_);
    }
  }

  void check_holes(const std::vector<Word>& words) {
    const auto both = [&](std::uint32_t address) {
      const bool expected = model_->access(false, address).error;
      compare(error_, expected, rtl_.access(false, address).error, address);
      board_.hit_if(expected, hole_);
    };
    for (const RegisterBlock& block : register_map()) {
      for (std::uint32_t offset = 0; offset < block.stride; offset += 4) both(block.base + offset);
      const auto end = static_cast<std::uint32_t>(block.instances(chip_) * block.stride);
      both(block.base + end - 4);
      both(block.base + end);
      both(block.base + end + block.stride);
    }
    for (int n = 0; n < 3000; ++n) both(static_cast<std::uint32_t>(random_.uniform(1U << 24)));
    for (const Word& w : words)
      both(w.address() + 1 + static_cast<std::uint32_t>(random_.uniform(3)));
    both(0xff'fffcU);
  }

  // Packets one at a time, into both; some are released again.
  void traffic() {
    for (int n = 0; n < 300; ++n) {
      const auto pg = static_cast<std::uint32_t>(random_.uniform(port_count * priorities));
      const auto queue = static_cast<std::uint32_t>(random_.uniform(port_count * priorities));
      const auto cells = static_cast<std::uint32_t>(1 + random_.uniform(12));
      const std::uint32_t bytes = cells * 64 - static_cast<std::uint32_t>(random_.uniform(64));
      const Packet packet{pg, cells, bytes, queue, n % 4 == 0 ? Ecn::not_ect : Ecn::ect0};
      enter(packet);
      if (random_.uniform(3) == 0 && !held_.empty()) leave(held_[random_.uniform(held_.size())]);
    }
    if (marked_) board_.hit_if(model_->marker.total().marked_packets != 0, *marked_);
  }
  void enter(const Packet& packet) {
    const bool admitted = model_->arrive(packet);
    compare(admitted_, admitted, rtl_.arrive(packet), packet.pg);
    if (admitted) held_.push_back(packet);
  }
  void leave(const Packet packet) {
    held_.erase(std::find(held_.begin(), held_.end(), packet));
    model_->leave(packet);
    rtl_.leave(packet);
  }

  // PFC frames that the RTL sends and receives are counted in the model as its MACs would: XOFF,
  // XON.
  void frames() {
    send_frames();
    while (!held_.empty()) leave(held_.back());
    send_frames();
    for (unsigned p = 0; p < port_count; ++p)
      for (unsigned n = 0; n <= p; ++n) {
        rtl_.receive_pfc_frame(p);
        ++model_->counters[p].pfc_frames_received;
      }
  }
  void send_frames() {
    const auto sent = rtl_.send_pfc_frames();
    for (unsigned p = 0; p < port_count; ++p) {
      model_->counters[p].pfc_frames_sent += sent[p];
      board_.hit_if(sent[p] != 0, frames_sent_);
    }
  }

  RandomStream random_;
  Chip chip_;
  Rtl<Verilated> rtl_{chip_};
  Model* model_{nullptr};
  std::vector<Packet> held_;
  Scoreboard board_{"csr"};
  Scoreboard::Output error_{board_.output("pslverr")};
  Scoreboard::Output value_{board_.output("prdata")};
  Scoreboard::Output admitted_{board_.output("admitted")};
  Scoreboard::Point legal_{board_.point("legal value written before the start")};
  Scoreboard::Point illegal_{board_.point("illegal value refused before the start")};
  Scoreboard::Point refused_cfg_{board_.point("configuration written after the start")};
  Scoreboard::Point hole_{board_.point("access where no register is")};
  Scoreboard::Point high_word_{board_.point("high word read after its low word")};
  Scoreboard::Point state_{board_.point("state or counter that is not 0")};
  Scoreboard::Point frames_sent_{board_.point("PFC frames sent")};
  std::optional<Scoreboard::Point> marked_;
};

template <class Verilated>
std::string complaints(std::uint64_t seed, unsigned wred_profiles = 0) {
  using Lockstep = CsrLockstep<Verilated>;
  return Lockstep{seed, wred_profiles}.complaints(&Lockstep::everything);
}

/// Room for some packets everywhere; a queue with a cell marks, the even ones at dequeue.
Chip chip_that_marks_all() {
  Chip chip = corner_chip(shape(2), XoffTrigger::on_crossing, XonRule::sai);
  for (Pool& pool : chip.ingress_pools) pool.shared = Cells{4'000};
  std::fill(chip.profile_of_pg.begin(), chip.profile_of_pg.end(), ProfileIndex{1});
  std::fill(chip.profile_of_queue.begin(), chip.profile_of_queue.end(), std::nullopt);
  for (WredProfile& profile : chip.wred_profiles) {
    profile.min = Cells{0};
    profile.max = Cells{1};
    profile.mark = true;
    profile.drop = false;
    profile.at = WredPoint::enqueue;
  }
  chip.wred_profiles.front().at = WredPoint::dequeue;
  for (QueueIndex queue; queue < chip.wred_of_queue.end_index(); ++queue)
    chip.wred_of_queue[queue] = WredProfileIndex{queue.value() % 2};
  chip.check();
  return chip;
}

TEST(CsrRtl, AnswersEveryAccessAsTheModelDoes) { EXPECT_EQ(complaints<Vcsr_4>(5), ""); }
TEST(CsrRtl, AnswersAsTheModelDoesOnAnotherChip) { EXPECT_EQ(complaints<Vcsr_4>(11), ""); }
TEST(CsrRtl, AnswersAsTheModelDoesOnAChipThatMarks) { EXPECT_EQ(complaints<Vcsr_marks>(5, 2), ""); }
TEST(CsrRtl, AnswersAsTheModelDoesOnAnotherChipThatMarks) {
  EXPECT_EQ(complaints<Vcsr_marks>(11, 2), "");
}
TEST(CsrRtl, AnswersAsTheModelDoesWhereEveryPortMarksMegabytes) {
  using Lockstep = CsrLockstep<Vcsr_marks>;
  EXPECT_EQ(Lockstep{chip_that_marks_all()}.difference(&Lockstep::marks), "");
}

}  // namespace
}  // namespace weir::test
