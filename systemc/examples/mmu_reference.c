/* SPDX-License-Identifier: Apache-2.0 */
/* Fills one priority group of a chip, packet by packet, until it pauses its peer and then drops. */
#include <stdio.h>
#include <weir_mmu.h>

static int failed(void) {
  fprintf(stderr, "%s\n", weir_mmu_last_error());
  return 1;
}

int main(int argc, char** argv) {
  weir_mmu mmu;
  weir_mmu_arrival packet = {.size = sizeof packet, .pg = 0 * 8 + 3, .queue = 1 * 8 + 3};
  weir_mmu_verdict verdict = {.size = sizeof verdict};
  uint64_t bytes;
  if (argc != 2) return fprintf(stderr, "usage: %s CHIP.toml\n", argv[0]), 2;
  if (weir_mmu_open(argv[1], &mmu)) return failed();
  packet.bytes = 1086; /* from port 0, priority group 3, to port 1, queue 3 */
  if (weir_mmu_cells(mmu, packet.bytes, &packet.cells)) return failed();

  while (verdict.reason == WEIR_MMU_ADMITTED) {
    ++packet.now;
    if (weir_mmu_arrive(mmu, &packet, &verdict)) return failed();
    if (verdict.changed)
      printf("packet %d: XOFF, T = %u cells\n", (int)packet.now, (unsigned)verdict.threshold);
  }
  if (weir_mmu_counter(mmu, "SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES", packet.pg,
                       &bytes))
    return failed();
  printf("packet %d: refused, %lu bytes are held\n", (int)packet.now, (unsigned long)bytes);
  return weir_mmu_close(mmu) ? failed() : 0;
}
