/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weir_mmu against the core in C11, with nothing but weir_mmu.h: settings over APB, random traffic,
 * every verdict, level, mark and early drop compared in its cycle, then every register. One domain,
 * one copy. What belongs to PFC frames is not compared: the C interface has none.
 *
 *   mmu_bench CHIP CYCLES SEED      exit code 1 where weir_mmu differs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir_mmu.h>

#include "rtl.h"

enum { MAX_PORTS = 8, MAX_LANES = 4, MAX_PACKETS = 4096, MAX_DUE = 4096, ROUND = 1500 };

static weir_mmu mmu;
static weir_mmu_chip_info chip = {.size = sizeof chip};
static uint64_t cycle;
static uint32_t mark_latency, row_bits, port_bits, count_bits;
static unsigned long compared, differ, pauses, refusals, drops, marks, mark_errors;
static int filling;

/* ---- Draws, errors ---- */

static uint32_t random_state = 1;
static uint32_t draw(uint32_t below) {
  random_state = random_state * 1664525U + 1013904223U;
  return (random_state >> 8) % below;
}

static void require(weir_mmu_status status) {
  if (status == WEIR_MMU_OK) return;
  fprintf(stderr, "%s\n", weir_mmu_last_error());
  exit(2);
}

static void same(const char* what, uint64_t index, uint64_t shown, uint64_t wanted) {
  ++compared;
  if (shown == wanted) return;
  if (++differ <= 10)
    printf("cycle %lu: %s %lx is %lx, expected %lx\n", (unsigned long)cycle, what,
           (unsigned long)index, (unsigned long)shown, (unsigned long)wanted);
}

/* ---- Pins ---- */

static const rtl_pin* pins;
static uint32_t pin_count;

static const rtl_pin* pin(const char* name) {
  for (uint32_t n = 0; n < pin_count; ++n)
    if (strcmp(pins[n].name, name) == 0) return &pins[n];
  fprintf(stderr, "weir_mmu has no pin %s\n", name);
  exit(2);
}
static uint64_t get(const rtl_pin* from, uint32_t part, uint32_t bits) {
  uint64_t value = 0;
  for (uint32_t bit = 0; bit < bits; ++bit) {
    const uint32_t at = part * bits + bit;
    value |= (uint64_t)(from->data[at / 8] >> at % 8 & 1) << bit;
  }
  return value;
}
static void set(const rtl_pin* to, uint32_t part, uint32_t bits, uint64_t value) {
  for (uint32_t bit = 0; bit < bits; ++bit) {
    const uint32_t at = part * bits + bit;
    to->data[at / 8] =
        (uint8_t)((to->data[at / 8] & ~(1U << at % 8)) | (value >> bit & 1) << at % 8);
  }
}

enum { LEN_BITS = 8, BYTE_BITS = 14, CELL_BITS = 17 };
/* clang-format off */
#define PINS(X)                                                                                  \
  X(clk_i) X(rst_ni) X(init_done_o) X(psel_i) X(penable_i) X(pwrite_i) X(paddr_i) X(pwdata_i)    \
  X(pready_o) X(prdata_o) X(pslverr_o) X(rel_waiting_i) X(rel_grant_valid_o) X(rel_grant_port_o) \
  X(rel_pg_i) X(rel_cells_i) X(rel_queue_i) X(rel_last_i) X(arr_waiting_i) X(arr_grant_valid_o)  \
  X(arr_grant_port_o) X(arr_pg_i) X(arr_cells_i) X(arr_bytes_i) X(arr_queue_i) X(arr_mask_i)     \
  X(arr_ect_i) X(arr_asks_i) X(rel_valid_o) X(rel_pg_o) X(rel_xoff_o) X(rel_changed_o)           \
  X(rel_error_o) X(arr_valid_o) X(arr_pg_o) X(arr_reason_o) X(arr_private_o) X(arr_shared_o)     \
  X(arr_headroom_o) X(arr_threshold_o) X(arr_xoff_o) X(arr_changed_o) X(arr_mask_o)              \
  X(arr_mark_o) X(dep_valid_i) X(dep_sent_i) X(dep_queue_i) X(dep_cells_i) X(dep_bytes_i)        \
  X(dep_ect_i) X(dep_mark_o) X(dep_error_o) X(xoff_o)
/* clang-format on */
#define DECLARE(name) static const rtl_pin* name;
PINS(DECLARE)
#undef DECLARE

static void find_pins(void) {
  pins = rtl_pins(&pin_count);
#define FIND(name) name = pin(#name);
  PINS(FIND)
#undef FIND
}

static void edge(void) {
  set(clk_i, 0, 1, 1);
  rtl_eval();
  set(clk_i, 0, 1, 0);
  rtl_eval();
  ++cycle;
}

/* ---- Registers ---- */

static uint32_t address_of(const char* name, uint32_t index) {
  uint32_t address;
  require(weir_mmu_register(mmu, name, index, &address));
  return address;
}
static uint32_t core_read(uint32_t address) {
  uint32_t value;
  require(weir_mmu_read32(mmu, address, cycle, &value));
  return value;
}

/* Whether the access is taken. */
static int access(int write, uint32_t address, uint32_t value, uint32_t* answer) {
  set(psel_i, 0, 1, 1);
  set(penable_i, 0, 1, 0);
  set(pwrite_i, 0, 1, (uint64_t)write);
  set(paddr_i, 0, 24, address);
  set(pwdata_i, 0, 32, value);
  edge();
  set(penable_i, 0, 1, 1);
  rtl_eval();
  while (!get(pready_o, 0, 1)) edge();
  const int taken = !get(pslverr_o, 0, 1);
  *answer = (uint32_t)get(prdata_o, 0, 32);
  edge();
  set(psel_i, 0, 1, 0);
  set(penable_i, 0, 1, 0);
  rtl_eval();
  return taken;
}

/* The blocks, by their first registers. `state`: all words are of the MMU; else only settings. */
static const struct {
  const char* first;
  int state;
} blocks[] = {{"profile.lossless", 0},
              {"partition.cells", 0},
              {"queue_profile.pool", 0},
              {"pool.shared_size", 1},
              {"egress_pool.shared_size", 1},
              {"port.rate", 0},
              {"wred.min", 0},
              {"port_draw.polynomial", 1},
              {"pg.private", 1},
              {"pg_stats.packets", 1},
              {"queue.profile", 1},
              {"queue_stats.packets", 1},
              {"queue_wred.marked_packets", 1}};

static uint8_t is_setting[1 << 22]; /* by word: weir_mmu has taken a write of it */

/* Of a block: writes what the core has, or compares. What is read-only is refused as a write. */
static void each_word(uint32_t block, int write) {
  uint32_t first, next, value, answer;
  const char* name = blocks[block].first;
  const uint32_t base = address_of(name, 0);
  const uint32_t stride = weir_mmu_register(mmu, name, 1, &next) == WEIR_MMU_OK ? next - base : 256;
  for (uint32_t index = 0; weir_mmu_register(mmu, name, index, &first) == WEIR_MMU_OK; ++index)
    for (uint32_t address = first; address < first + stride; address += 4) {
      if (weir_mmu_read32(mmu, address, cycle, &value) != WEIR_MMU_OK) continue;
      if (write) is_setting[address / 4] = (uint8_t)access(1, address, value, &answer);
      if (write || !(is_setting[address / 4] || blocks[block].state)) continue;
      if (!access(0, address, 0, &answer)) answer = ~value;
      same("register", address, answer, core_read(address));
    }
}

/* The most cells that a count of weir_mmu holds, and one more. */
static void sizes(void) {
  const uint32_t address = address_of("pool.shared_size", 0), most = (1U << CELL_BITS) - 1;
  uint32_t answer;
  same("the largest size at", address, (uint64_t)access(1, address, most, &answer), 1);
  same("a larger size at", address, (uint64_t)access(1, address, most + 1, &answer), 0);
}

static void configure(void) {
  static const char* const words[] = {"chip.cell",          "chip.cell_overhead", "chip.clock",
                                      "chip.mtu",           "chip.port_fifo",     "chip.quanta",
                                      "chip.pg_of_priority"};
  uint32_t answer;
  for (uint32_t n = 0; n < sizeof words / sizeof *words; ++n) {
    const uint32_t address = address_of(words[n], 0);
    if (!access(1, address, core_read(address), &answer)) same(words[n], 0, 0, 1);
  }
  for (uint32_t block = 0; block < sizeof blocks / sizeof *blocks; ++block) each_word(block, 1);
  if (!access(1, address_of("chip.start", 0), 1, &answer)) same("chip.start", 0, 0, 1);
}

/* ---- Packets and what they owe ---- */

typedef struct packet {
  uint32_t pg, queue, cells, bytes, ecn;
} packet;
typedef struct list {
  packet packets[MAX_PACKETS];
  uint32_t count;
} list;
static list coming, leaving, held, waiting[MAX_PORTS];

static void put(list* to, packet one) {
  if (to->count == MAX_PACKETS) {
    fprintf(stderr, "more than %d packets wait\n", MAX_PACKETS);
    exit(2);
  }
  to->packets[to->count++] = one;
}
static packet take(list* from, uint32_t index) {
  const packet one = from->packets[index];
  --from->count;
  memmove(&from->packets[index], &from->packets[index + 1], (from->count - index) * sizeof(packet));
  return one;
}

/* A verdict that is owed; of an arrival also its packet, which then enters its queue. */
typedef struct owed {
  uint64_t due;
  uint32_t lane;
  int arrival;
  packet one;
  weir_mmu_verdict verdict;
} owed;
static owed due[MAX_DUE];
static uint64_t due_first, due_end, due_entered;
static uint8_t level[8 * MAX_PORTS];
/* Marks that are owed, by cycle: what entered by lane, what left and errors by port. */
static uint64_t entry_marks[64], exit_marks[64], exit_errors[64];

static void owe(owed one) {
  one.due = cycle + chip.admit_latency;
  due[due_end++ % MAX_DUE] = one;
}

static packet some_packet(void) {
  packet one = {draw(8 * chip.ports), 8 * draw(chip.ports), 64 + draw(1600), 0, draw(4)};
  one.bytes = one.cells;
  const uint32_t kind = draw(8);
  if (kind < 4) one.pg = 3;
  if (kind == 4 || kind == 5) one.pg -= one.pg % 8;
  one.queue += one.pg % 8;
  if (one.pg % 8 == 0) one.queue %= 16;
  require(weir_mmu_cells(mmu, one.bytes, &one.cells));
  return one;
}

static void add_waiting(const rtl_pin* to, uint32_t port) {
  set(to, port, count_bits, get(to, port, count_bits) + 1);
}

static void offer(int last) {
  if (draw(200) == 0) filling = !filling;
  memset(rel_waiting_i->data, 0, rel_waiting_i->bytes);
  memset(arr_waiting_i->data, 0, arr_waiting_i->bytes);
  coming.count = leaving.count = 0;
  for (uint32_t lane = 0; lane < chip.lanes; ++lane) {
    if (!last && draw(10) < (filling ? 9U : 3U)) {
      put(&coming, some_packet());
      add_waiting(arr_waiting_i, coming.packets[coming.count - 1].pg / 8);
    }
    if (lane < held.count && draw(10) < (last ? 10U : filling ? 4U : 7U)) {
      put(&leaving, take(&held, 0));
      add_waiting(rel_waiting_i, leaving.packets[leaving.count - 1].queue / 8);
    }
  }
}

/* Packets whose verdict comes in this cycle wait in their queues from now on. */
static void enter(void) {
  for (; due_entered != due_end && due[due_entered % MAX_DUE].due <= cycle; ++due_entered) {
    const owed* one = &due[due_entered % MAX_DUE];
    const packet* p = &one->one;
    uint8_t marked;
    if (!one->arrival || one->verdict.reason != WEIR_MMU_ADMITTED) continue;
    require(weir_mmu_enter(mmu, p->queue, p->cells, p->bytes, p->ecn, cycle, &marked));
    if (marked) entry_marks[(cycle + mark_latency) % 64] |= 1ULL << one->lane;
    marks += marked;
    put(&waiting[p->queue / 8], *p);
  }
}

/* Any packet of each port leaves; now and then more cells than its queue has. */
static void depart(int last) {
  memset(dep_valid_i->data, 0, dep_valid_i->bytes);
  set(dep_ect_i, 0, chip.ports, ~0ULL);
  for (uint32_t port = 0; port < chip.ports; ++port) {
    if (waiting[port].count == 0 || (!last && draw(filling ? 4 : 2) != 0)) continue;
    const uint32_t index = draw(waiting[port].count);
    packet one = waiting[port].packets[index];
    const uint32_t there = core_read(address_of("queue_wred.waiting", one.queue));
    const int too_many = there != 0 && there < 255 && draw(64) == 0;
    const int sent = draw(8) != 0;
    uint8_t marked = 0;
    if (too_many) one.cells = there + 1;
    const weir_mmu_status status =
        sent ? weir_mmu_mark(mmu, one.queue, one.cells, one.bytes, one.ecn, cycle, &marked)
             : weir_mmu_discard(mmu, one.queue, one.cells, cycle);
    if (!too_many) require(status);
    const uint64_t at = (cycle + mark_latency) % 64;
    if (marked) exit_marks[at] |= 1ULL << port;
    if (status == WEIR_MMU_ORDER) exit_errors[at] |= 1ULL << port;
    marks += marked;
    mark_errors += status == WEIR_MMU_ORDER;
    set(dep_valid_i, port, 1, 1);
    set(dep_sent_i, port, 1, (uint64_t)sent);
    set(dep_queue_i, port, 3, one.queue % 8);
    set(dep_cells_i, port, LEN_BITS, one.cells);
    set(dep_bytes_i, port, BYTE_BITS, one.bytes);
    set(dep_ect_i, port, 1, one.ecn != 0);
    if (status == WEIR_MMU_OK) put(&held, take(&waiting[port], index));
  }
}

static packet granted(list* from, uint32_t port, int by_queue) {
  for (uint32_t n = 0; n < from->count; ++n)
    if ((by_queue ? from->packets[n].queue : from->packets[n].pg) / 8 == port) return take(from, n);
  same("a grant of nothing at port", port, 1, 0);
  return (packet){0, 0, 1, 64, 0};
}

typedef struct lane_pins {
  const rtl_pin *grant_port, *pg, *queue, *cells;
} lane_pins;

/* The packet that a lane is granted, which the pins show from now on. */
static packet shown(list* from, uint32_t lane, lane_pins to, int by_queue) {
  const packet one = granted(from, (uint32_t)get(to.grant_port, lane, port_bits), by_queue);
  set(to.pg, lane, row_bits, one.pg);
  set(to.queue, lane, row_bits, one.queue);
  set(to.cells, lane, LEN_BITS, one.cells);
  return one;
}

static void release(uint32_t lane) {
  if (leaving.count == 0) return;
  const packet one =
      shown(&leaving, lane, (lane_pins){rel_grant_port_o, rel_pg_i, rel_queue_i, rel_cells_i}, 1);
  const weir_mmu_departure departure = {.size = sizeof departure,
                                        .pg = one.pg,
                                        .queue = one.queue,
                                        .cells = one.cells,
                                        .last = 1,
                                        .now = cycle};
  weir_mmu_level after = {.size = sizeof after};
  owed answer = {.lane = lane, .one = one};
  set(rel_last_i, lane, 1, 1);
  require(weir_mmu_release(mmu, &departure, &after));
  answer.verdict.xoff = after.xoff;
  answer.verdict.changed = after.changed;
  owe(answer);
}

static void arrive(uint32_t lane) {
  if (coming.count == 0) return;
  const packet one =
      shown(&coming, lane, (lane_pins){arr_grant_port_o, arr_pg_i, arr_queue_i, arr_cells_i}, 0);
  const weir_mmu_arrival arrival = {.size = sizeof arrival,
                                    .pg = one.pg,
                                    .queue = one.queue,
                                    .cells = one.cells,
                                    .bytes = one.bytes,
                                    .ecn = one.ecn,
                                    .now = cycle};
  owed answer = {
      .lane = lane, .arrival = 1, .one = one, .verdict = {.size = sizeof answer.verdict}};
  const uint32_t profile = core_read(address_of("pg.profile", one.pg));
  set(arr_bytes_i, lane, BYTE_BITS, one.bytes);
  set(arr_ect_i, lane, 1, one.ecn != 0);
  set(arr_asks_i, lane, 1, core_read(address_of("profile.lossless", profile)) == 0);
  require(weir_mmu_arrive(mmu, &arrival, &answer.verdict));
  if (answer.verdict.reason == WEIR_MMU_WRED) { /* no domain has judged it: the pins show nothing */
    answer.verdict.threshold = 0;
    answer.verdict.xoff = 0;
    ++drops;
  }
  owe(answer);
}

static void grant(void) {
  set(arr_mask_i, 0, chip.lanes, ~0ULL);
  set(arr_asks_i, 0, chip.lanes, ~0ULL); /* of lanes that are not granted, too */
  for (uint32_t lane = 0; lane < chip.lanes; ++lane)
    if (get(rel_grant_valid_o, lane, 1)) release(lane);
  for (uint32_t lane = 0; lane < chip.lanes; ++lane)
    if (get(arr_grant_valid_o, lane, 1)) arrive(lane);
  while (leaving.count != 0) { /* not granted: the first to leave next time */
    const packet back = take(&leaving, leaving.count - 1);
    memmove(&held.packets[1], &held.packets[0], held.count++ * sizeof(packet));
    held.packets[0] = back;
  }
}

/* ---- What weir_mmu shows ---- */

static void see_verdict(uint32_t lane, int arrival) {
  const owed* one = &due[due_first % MAX_DUE];
  if (due_first == due_end || one->due != cycle || one->lane != lane || one->arrival != arrival) {
    same(arrival ? "an arrival's verdict of lane" : "a release's verdict of lane", lane, 1, 0);
    return;
  }
  ++due_first;
  const weir_mmu_verdict* wanted = &one->verdict;
  const rtl_pin* const pg = arrival ? arr_pg_o : rel_pg_o;
  same(pg->name, lane, get(pg, lane, row_bits), one->one.pg);
  same("xoff of lane", lane, get(arrival ? arr_xoff_o : rel_xoff_o, lane, 1), wanted->xoff);
  same("changed of lane", lane, get(arrival ? arr_changed_o : rel_changed_o, lane, 1),
       wanted->changed);
  if (wanted->reason != WEIR_MMU_WRED) level[one->one.pg] = wanted->xoff;
  pauses += wanted->changed && wanted->xoff;
  refusals += wanted->reason != WEIR_MMU_ADMITTED;
  if (!arrival) {
    same("rel_error_o of lane", lane, get(rel_error_o, lane, 1), 0);
    return;
  }
  same("arr_reason_o of lane", lane, get(arr_reason_o, lane, 3), wanted->reason);
  same("arr_private_o of lane", lane, get(arr_private_o, lane, LEN_BITS), wanted->private_cells);
  same("arr_shared_o of lane", lane, get(arr_shared_o, lane, LEN_BITS), wanted->shared_cells);
  same("arr_headroom_o of lane", lane, get(arr_headroom_o, lane, LEN_BITS), wanted->headroom_cells);
  same("arr_threshold_o of lane", lane, get(arr_threshold_o, lane, 32), wanted->threshold);
  same("arr_mask_o of lane", lane, get(arr_mask_o, lane, 1), wanted->reason == WEIR_MMU_ADMITTED);
}

static void see(void) {
  for (uint32_t lane = 0; lane < chip.lanes; ++lane)
    if (get(rel_valid_o, lane, 1)) see_verdict(lane, 0);
  for (uint32_t lane = 0; lane < chip.lanes; ++lane)
    if (get(arr_valid_o, lane, 1)) see_verdict(lane, 1);
  while (due_first != due_end && due[due_first % MAX_DUE].due <= cycle) {
    same("no verdict of lane", due[due_first % MAX_DUE].lane, 0, 1);
    ++due_first;
  }
  for (uint32_t pg = 0; pg < 8 * chip.ports; ++pg)
    same("xoff_o of PG", pg, get(xoff_o, pg, 1), level[pg]);
  same("arr_mark_o", 0, get(arr_mark_o, 0, chip.lanes), entry_marks[cycle % 64]);
  same("dep_mark_o", 0, get(dep_mark_o, 0, chip.ports), exit_marks[cycle % 64]);
  same("dep_error_o", 0, get(dep_error_o, 0, chip.ports), exit_errors[cycle % 64]);
  entry_marks[cycle % 64] = exit_marks[cycle % 64] = exit_errors[cycle % 64] = 0;
}

/* Counters are cleared while requests go on: what is written acts in the cycle that answers. */
static void drive_clear(int more) {
  const int selected = (int)get(psel_i, 0, 1);
  if (!selected && more && draw(40) == 0) {
    set(psel_i, 0, 1, 1);
    set(pwrite_i, 0, 1, 1);
    set(paddr_i, 0, 24, address_of("chip.clear_stats", 0));
    set(pwdata_i, 0, 32, 1);
  } else if (selected) {
    set(penable_i, 0, 1, 1);
  }
}
/* 1: the access ends with this cycle. */
static int take_clear(void) {
  if (!get(penable_i, 0, 1) || !get(pready_o, 0, 1)) return 0;
  same("chip.clear_stats is refused", 0, get(pslverr_o, 0, 1), 0);
  require(weir_mmu_write32(mmu, address_of("chip.clear_stats", 0), cycle, 1));
  return 1;
}

static void traffic(uint64_t cycles, uint64_t draining) {
  for (uint64_t n = 0; n < cycles + draining && differ < 10; ++n) {
    offer(n >= cycles);
    drive_clear(n < cycles);
    rtl_eval();
    const int ends = take_clear();
    enter();
    depart(n >= cycles);
    grant();
    rtl_eval();
    see();
    edge();
    if (ends) set(psel_i, 0, 1, 0), set(penable_i, 0, 1, 0);
  }
  memset(rel_waiting_i->data, 0, rel_waiting_i->bytes);
  memset(arr_waiting_i->data, 0, arr_waiting_i->bytes);
  memset(dep_valid_i->data, 0, dep_valid_i->bytes);
  rtl_eval();
}

static uint32_t bits_for(uint32_t values) {
  uint32_t bits = 0;
  while (1U << bits < values) ++bits;
  return bits;
}

static void open_chip(const char* file) {
  require(weir_mmu_open(file, &mmu));
  require(weir_mmu_chip(mmu, &chip));
  require(weir_mmu_enter_later(mmu));
  if (chip.domains != 1 || chip.ports > MAX_PORTS || chip.lanes > MAX_LANES) {
    fprintf(stderr, "%s: this bench is for one domain, %d ports and %d lanes\n", file, MAX_PORTS,
            MAX_LANES);
    exit(2);
  }
  mark_latency = core_read(address_of("chip.mark", 0));
  row_bits = bits_for(8 * chip.ports);
  port_bits = bits_for(chip.ports);
  count_bits = bits_for(chip.lanes + 1);
}

int main(int argc, char** argv) {
  uint32_t answer;
  if (argc != 4) return fprintf(stderr, "usage: %s CHIP CYCLES SEED\n", argv[0]), 2;
  open_chip(argv[1]);
  random_state = (uint32_t)strtoul(argv[3], NULL, 10);
  find_pins();
  for (uint32_t n = 0; n < pin_count; ++n) memset(pins[n].data, 0, pins[n].bytes);
  rtl_eval();
  for (int n = 0; n < 3; ++n) edge();
  set(rst_ni, 0, 1, 1);
  rtl_eval();
  while (!get(init_done_o, 0, 1)) edge();
  sizes();
  configure();
  const uint64_t rounds = strtoull(argv[2], NULL, 10) / ROUND;
  for (uint64_t round = 0; round < rounds && differ == 0; ++round) {
    traffic(ROUND, ROUND / 2);
    for (uint32_t block = 0; block < sizeof blocks / sizeof *blocks; ++block) each_word(block, 0);
    if (!access(1, address_of("chip.clear_stats", 0), 1, &answer))
      same("chip.clear_stats", 0, 0, 1);
    require(weir_mmu_write32(mmu, address_of("chip.clear_stats", 0), cycle, 1));
  }
  require(weir_mmu_close(mmu));
  printf(
      "C bench: compared %lu, %lu wrong; %lu pauses, %lu refusals, %lu early drops, %lu marks, "
      "%lu errors of departures\n",
      compared, differ, pauses, refusals, drops, marks, mark_errors);
  return differ != 0 || pauses == 0 || refusals == 0 || drops == 0 || marks == 0 ||
         mark_errors == 0;
}
