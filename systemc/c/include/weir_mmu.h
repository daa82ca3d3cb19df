/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MMU of a switch chip as a reference in C11: what the core of Weir decides, without SystemC
 * and without a clock. docs/guide/c-interface.md has an example.
 *
 * Every function returns WEIR_MMU_OK or another weir_mmu_status. After an error nothing has
 * changed, outputs are as they were, and weir_mmu_last_error() says more. No exception leaves the
 * library, and no argument makes it crash, as long as pointers are null or point to what the
 * prototype says.
 *
 * An MMU is known by a number that open gives. The number is never used again, so that a closed one
 * is refused. Different MMUs may be used by different threads at once; one MMU, by one at a time.
 *
 * Structures begin with `size`, which the caller sets to sizeof: it says which version the caller
 * was compiled for, and other values are refused.
 *
 * Units: whole cells, bytes, core-clock cycles. A priority group is port x 8 + group, a queue
 * port x 8 + queue. `now` is the cycle of a step; it never goes back.
 */
#ifndef WEIR_MMU_H
#define WEIR_MMU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program that was compiled with version 1.x runs with every library 1.y, y >= x. */
#define WEIR_MMU_VERSION_MAJOR 1
#define WEIR_MMU_VERSION_MINOR 1

#define WEIR_MMU_MAX_OPEN 4096 /* MMUs that are open at the same time */

/* An open MMU; 0 is none. */
typedef uint64_t weir_mmu;

typedef enum weir_mmu_status {
  WEIR_MMU_OK = 0,
  WEIR_MMU_NULL = 1,     /* a pointer is null that must not be */
  WEIR_MMU_HANDLE = 2,   /* the MMU is not open */
  WEIR_MMU_SIZE = 3,     /* `size` of a structure, or too little room */
  WEIR_MMU_RANGE = 4,    /* an argument is out of its range */
  WEIR_MMU_ORDER = 5,    /* `now` goes back, cells leave that are not there, or enter twice */
  WEIR_MMU_CONFIG = 6,   /* the chip file cannot be used */
  WEIR_MMU_NAME = 7,     /* no counter, or no register, has this name */
  WEIR_MMU_ADDRESS = 8,  /* no register is at this address */
  WEIR_MMU_ACCESS = 9,   /* the register is read-only */
  WEIR_MMU_VALUE = 10,   /* the register does not take this value */
  WEIR_MMU_FULL = 11,    /* memory is used up, or WEIR_MMU_MAX_OPEN MMUs are open */
  WEIR_MMU_INTERNAL = 12 /* a fault of the library; the MMU should be closed */
} weir_mmu_status;

/* Why a packet was admitted or refused; docs/blocks/admission.md. */
typedef enum weir_mmu_reason {
  WEIR_MMU_ADMITTED = 0,
  WEIR_MMU_SHARED_THRESHOLD = 1,
  WEIR_MMU_SHARED_POOL = 2,
  WEIR_MMU_HEADROOM_LIMIT = 3,
  WEIR_MMU_HEADROOM_POOL = 4,
  WEIR_MMU_EGRESS_QUEUE = 5,
  WEIR_MMU_WRED = 6
} weir_mmu_reason;

/* What a chip file describes. */
typedef struct weir_mmu_chip_info {
  uint32_t size;
  uint32_t ports;
  uint32_t domains; /* memories; the port that a packet came in by decides which */
  uint32_t lanes;   /* arrivals, and as many releases, per domain and cycle */
  uint32_t cell;    /* bytes */
  uint32_t cell_overhead;
  uint32_t mtu;
  uint32_t admit_latency; /* cycles; they belong to the user's own clock */
  uint32_t pfc_latency;
  uint32_t threshold_lag;
  uint64_t clock; /* ps */
} weir_mmu_chip_info;

/* A packet that comes in. */
typedef struct weir_mmu_arrival {
  uint32_t size;
  uint32_t pg;    /* port x 8 + priority group */
  uint32_t queue; /* port x 8 + queue that it is bound for */
  uint32_t cells; /* 1 to 2^24; weir_mmu_cells() */
  uint32_t bytes;
  uint32_t ecn; /* the two ECN bits of its IP header; 0: not ECT */
  uint64_t now;
} weir_mmu_arrival;

typedef struct weir_mmu_verdict {
  uint32_t size;
  uint32_t reason; /* weir_mmu_reason */
  uint32_t private_cells, shared_cells, headroom_cells;
  uint32_t threshold; /* T that the admission used */
  uint8_t xoff;       /* level of the priority group after the step */
  uint8_t changed;    /* the step changed it */
  uint8_t port_off;   /* all classes of its port are paused */
  uint8_t marked;     /* its queue writes CE into it at enqueue; 0 after weir_mmu_enter_later() */
  uint32_t reserved;  /* 0 */
} weir_mmu_verdict;

/* One of several queues that a packet is bound for. */
typedef struct weir_mmu_copy {
  uint32_t size;
  uint32_t queue;
  uint8_t accepted; /* result: this queue has taken it */
  uint8_t marked;   /* result */
  uint16_t reserved;
} weir_mmu_copy;

/* Cells that leave. */
typedef struct weir_mmu_departure {
  uint32_t size;
  uint32_t pg;    /* that the packet came in by */
  uint32_t queue; /* that it has left through */
  uint32_t cells;
  uint32_t last; /* 1: its last reader, which frees the cells of the priority group */
  uint32_t reserved;
  uint64_t now;
} weir_mmu_departure;

typedef struct weir_mmu_level {
  uint32_t size;
  uint8_t xoff, changed, port_off, reserved;
} weir_mmu_level;

/* What a priority group holds. */
typedef struct weir_mmu_group {
  uint32_t private_cells, shared_cells, headroom_cells;
  uint32_t threshold; /* T now */
  uint32_t xoff;
} weir_mmu_group;

/* The version of the library: major x 65536 + minor. */
uint32_t weir_mmu_version(void);

/* What the last error of this thread was, in words; "" before the first. Valid until its next call.
 */
const char* weir_mmu_last_error(void);

/* A new MMU, empty, from a chip file (docs/reference/chip-format.md), or from `length` bytes of its
 * text, which errors call `name`. */
weir_mmu_status weir_mmu_open(const char* chip_file, weir_mmu* mmu);
weir_mmu_status weir_mmu_open_text(const char* text, size_t length, const char* name,
                                   weir_mmu* mmu);
weir_mmu_status weir_mmu_close(weir_mmu mmu);

weir_mmu_status weir_mmu_chip(weir_mmu mmu, weir_mmu_chip_info* chip);

/* Cells that a packet of `bytes` takes. */
weir_mmu_status weir_mmu_cells(weir_mmu mmu, uint32_t bytes, uint32_t* cells);

/* One step: a packet comes in for one queue. A queue with a WRED profile is asked first. */
weir_mmu_status weir_mmu_arrive(weir_mmu mmu, const weir_mmu_arrival* arrival,
                                weir_mmu_verdict* verdict);

/* The same for `count` queues, all different (flood, multicast); arrival->queue is not read. The
 * cells are charged once at ingress. Queues that refuse are left out; when all do, the packet is
 * refused. WRED drops nothing here, and marks copy by copy. */
weir_mmu_status weir_mmu_arrive_copies(weir_mmu mmu, const weir_mmu_arrival* arrival,
                                       weir_mmu_copy* copies, uint32_t count,
                                       weir_mmu_verdict* verdict);

/* A packet begins to leave `queue`: whether CE is written into it. Call it once for each packet
 * that such a queue has taken, ahead of its release; a queue without a WRED profile marks nothing.
 */
weir_mmu_status weir_mmu_mark(weir_mmu mmu, uint32_t queue, uint32_t cells, uint32_t bytes,
                              uint32_t ecn, uint64_t now, uint8_t* marked);

/* The same of a packet that leaves without being sent: its cells wait no more, nothing is drawn. */
weir_mmu_status weir_mmu_discard(weir_mmu mmu, uint32_t queue, uint32_t cells, uint64_t now);

/* As in hardware, where a packet counts in q from the cycle of its verdict on, which comes `admit`
 * cycles after its request: a packet that is admitted from now on enters none of its queues until
 * weir_mmu_enter() is called for it, once for each queue that has taken it. That says whether CE is
 * written into it at enqueue. */
weir_mmu_status weir_mmu_enter_later(weir_mmu mmu);
weir_mmu_status weir_mmu_enter(weir_mmu mmu, uint32_t queue, uint32_t cells, uint32_t bytes,
                               uint32_t ecn, uint64_t now, uint8_t* marked);

/* One step: cells have left. */
weir_mmu_status weir_mmu_release(weir_mmu mmu, const weir_mmu_departure* departure,
                                 weir_mmu_level* level);

/* T of a priority group, and of a queue in one memory domain; 2^32 - 1: the queue has no limit. */
weir_mmu_status weir_mmu_threshold(weir_mmu mmu, uint32_t pg, uint64_t now, uint32_t* cells);
weir_mmu_status weir_mmu_queue_threshold(weir_mmu mmu, uint32_t queue, uint32_t domain,
                                         uint64_t now, uint32_t* cells);

/* Classes of a port that its peer must stop: bit n is priority n. */
weir_mmu_status weir_mmu_xoff_classes(weir_mmu mmu, uint32_t port, uint8_t* classes);

/* A statistic by its SAI name. `index`: the priority group, the queue, or pool x domains + domain.
 */
weir_mmu_status weir_mmu_counter(weir_mmu mmu, const char* sai_name, uint32_t index,
                                 uint64_t* value);

/* Registers by their byte address (docs/reference/registers.md), and the address by its name, such
 * as "pg_stats.packets". What MACs and PFC blocks count is 0 here. As over the bus, reading the low
 * word of a counter of 64 bit latches the high word for the next read of that. */
weir_mmu_status weir_mmu_register(weir_mmu mmu, const char* name, uint32_t index,
                                  uint32_t* address);
weir_mmu_status weir_mmu_read32(weir_mmu mmu, uint32_t address, uint64_t now, uint32_t* value);
weir_mmu_status weir_mmu_write32(weir_mmu mmu, uint32_t address, uint64_t now, uint32_t value);

/* All priority groups at once. *count: room in, groups out; without `groups` only their number. */
weir_mmu_status weir_mmu_snapshot(weir_mmu mmu, uint64_t now, weir_mmu_group* groups,
                                  size_t group_size, uint32_t* count);

#ifdef __cplusplus
}
#endif

#endif
