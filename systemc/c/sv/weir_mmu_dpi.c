/* SPDX-License-Identifier: Apache-2.0 */
/*
 * weir_mmu.h for DPI-C: numbers in, numbers out. Compile it with the bench and link libweir_mmu;
 * the imports are in weir_mmu_dpi_pkg.sv. Each function returns a weir_mmu_status, if nothing else.
 */
#include <string.h>
#include <weir_mmu.h>

#ifdef __cplusplus /* some simulators compile all of C as C++ */
extern "C" {
#endif

enum { MAX_COPIES = 8 };

/* 0: it failed, and weir_dpi_error() says why. */
unsigned long long weir_dpi_open(const char* chip_file) {
  weir_mmu mmu = 0;
  return weir_mmu_open(chip_file, &mmu) == WEIR_MMU_OK ? mmu : 0;
}

int weir_dpi_close(unsigned long long mmu) { return (int)weir_mmu_close(mmu); }

const char* weir_dpi_error(void) { return weir_mmu_last_error(); }

int weir_dpi_chip(unsigned long long mmu, unsigned* ports, unsigned* domains, unsigned* lanes,
                  unsigned* admit_latency, unsigned* mtu) {
  weir_mmu_chip_info info = {.size = sizeof info};
  const weir_mmu_status status = weir_mmu_chip(mmu, &info);
  *ports = info.ports;
  *domains = info.domains;
  *lanes = info.lanes;
  *admit_latency = info.admit_latency;
  *mtu = info.mtu;
  return (int)status;
}

int weir_dpi_cells(unsigned long long mmu, unsigned bytes, unsigned* cells) {
  return (int)weir_mmu_cells(mmu, bytes, cells);
}

int weir_dpi_enter_later(unsigned long long mmu) { return (int)weir_mmu_enter_later(mmu); }

int weir_dpi_enter(unsigned long long mmu, unsigned long long now, unsigned queue, unsigned cells,
                   unsigned bytes, unsigned ecn, unsigned* marked) {
  unsigned char answer = 0;
  const weir_mmu_status status = weir_mmu_enter(mmu, queue, cells, bytes, ecn, now, &answer);
  *marked = answer;
  return (int)status;
}

/* `sent`: 0, it is discarded. */
int weir_dpi_leave(unsigned long long mmu, unsigned long long now, unsigned queue, unsigned cells,
                   unsigned bytes, unsigned ecn, unsigned sent, unsigned* marked) {
  unsigned char answer = 0;
  const weir_mmu_status status = sent ? weir_mmu_mark(mmu, queue, cells, bytes, ecn, now, &answer)
                                      : weir_mmu_discard(mmu, queue, cells, now);
  *marked = answer;
  return (int)status;
}

/* `queues` has 8 places, of which bit n of `mask` says that the n-th is used; *taken likewise. A
 * packet for the first one alone may be refused by its WRED profile. */
int weir_dpi_arrive(unsigned long long mmu, unsigned long long now, unsigned pg, unsigned cells,
                    unsigned bytes, unsigned ecn, const unsigned* queues, unsigned mask,
                    unsigned* reason, unsigned* private_cells, unsigned* shared_cells,
                    unsigned* headroom_cells, unsigned* threshold, unsigned* xoff,
                    unsigned* changed, unsigned* taken) {
  const weir_mmu_arrival arrival = {.size = sizeof arrival,
                                    .pg = pg,
                                    .queue = queues[0],
                                    .cells = cells,
                                    .bytes = bytes,
                                    .ecn = ecn,
                                    .now = now};
  weir_mmu_verdict verdict = {.size = sizeof verdict};
  weir_mmu_copy copies[MAX_COPIES];
  unsigned place[MAX_COPIES];
  unsigned count = 0;
  memset(copies, 0, sizeof copies);
  for (unsigned n = 0; n < MAX_COPIES; ++n) {
    if ((mask >> n & 1U) == 0) continue;
    copies[count].size = sizeof copies[count];
    copies[count].queue = queues[n];
    place[count++] = n;
  }
  const weir_mmu_status status =
      mask == 1U ? weir_mmu_arrive(mmu, &arrival, &verdict)
                 : weir_mmu_arrive_copies(mmu, &arrival, copies, count, &verdict);
  if (mask == 1U) copies[0].accepted = status == WEIR_MMU_OK && verdict.reason == 0;
  *reason = verdict.reason;
  *private_cells = verdict.private_cells;
  *shared_cells = verdict.shared_cells;
  *headroom_cells = verdict.headroom_cells;
  *threshold = verdict.threshold;
  *xoff = verdict.xoff;
  *changed = verdict.changed;
  *taken = 0;
  for (unsigned n = 0; n < count; ++n)
    if (copies[n].accepted) *taken |= 1U << place[n];
  return (int)status;
}

int weir_dpi_release(unsigned long long mmu, unsigned long long now, unsigned pg, unsigned cells,
                     unsigned queue, unsigned last, unsigned* xoff, unsigned* changed) {
  const weir_mmu_departure departure = {
      .size = sizeof departure, .pg = pg, .queue = queue, .cells = cells, .last = last, .now = now};
  weir_mmu_level level = {.size = sizeof level};
  const weir_mmu_status status = weir_mmu_release(mmu, &departure, &level);
  *xoff = level.xoff;
  *changed = level.changed;
  return (int)status;
}

int weir_dpi_read32(unsigned long long mmu, unsigned address, unsigned long long now,
                    unsigned* value) {
  *value = 0;
  return (int)weir_mmu_read32(mmu, address, now, value);
}

int weir_dpi_write32(unsigned long long mmu, unsigned address, unsigned long long now,
                     unsigned value) {
  return (int)weir_mmu_write32(mmu, address, now, value);
}

int weir_dpi_register(unsigned long long mmu, const char* name, unsigned index, unsigned* address) {
  *address = 0;
  return (int)weir_mmu_register(mmu, name, index, address);
}

#ifdef __cplusplus
}
#endif
