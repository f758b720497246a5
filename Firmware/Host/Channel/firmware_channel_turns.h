// Waiting for the turn on the firmware channel: spin briefly, then sleep in the kernel (futex,
// Linux). Where both sides share a processor they do not spin: the other side runs only when this
// one sleeps.
#ifndef ESPBENCH_FIRMWARE_CHANNEL_TURNS_H
#define ESPBENCH_FIRMWARE_CHANNEL_TURNS_H

#if defined(__linux__)

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "firmware_channel.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The system call that takes this program's struct timespec.
#if defined(SYS_futex_time64) && __SIZEOF_POINTER__ == 4
#define CFC_SYS_FUTEX SYS_futex_time64
#else
#define CFC_SYS_FUTEX SYS_futex
#endif

/// A turn usually comes back within microseconds: with a processor for each side, spinning this
/// often costs less than sleeping.
#define CFC_SPINS 2000

/// The process whose turn it is.
static inline uint32_t cfc_turn(const struct cfc_header* header) {
  return __atomic_load_n(&header->turn, __ATOMIC_ACQUIRE);
}

static inline void cfc_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Waits until it is the turn of `who` (CFC_TURN_...). Returns false after `timeout_ns` (CFC_NEVER:
/// no limit), and when a signal interrupts the wait.
static inline bool cfc_wait_turn(struct cfc_header* header, uint32_t who, uint64_t timeout_ns) {
  uint32_t spins = header->spins;
  if (spins > CFC_SPINS) spins = CFC_SPINS;
  for (uint32_t i = 0; i < spins; i++) {
    if (cfc_turn(header) == who) return true;
    cfc_pause();
  }
  uint32_t* waits = who == CFC_TURN_BOARD ? &header->board_waits : &header->firmware_waits;
  // Sequentially consistent on both sides: either the giver sees the flag or this side sees the
  // turn.
  __atomic_store_n(waits, 1u, __ATOMIC_SEQ_CST);
  uint32_t seen = __atomic_load_n(&header->turn, __ATOMIC_SEQ_CST);
  if (seen != who) {
    struct timespec limit;
    limit.tv_sec = (time_t)(timeout_ns / 1000000000u);
    limit.tv_nsec = (long)(timeout_ns % 1000000000u);
    syscall(CFC_SYS_FUTEX, &header->turn, FUTEX_WAIT, seen, timeout_ns == CFC_NEVER ? NULL : &limit,
            NULL, 0);
  }
  __atomic_store_n(waits, 0u, __ATOMIC_SEQ_CST);
  return cfc_turn(header) == who;
}

/// Gives the turn to `who`; everything written before is visible to it.
static inline void cfc_give_turn(struct cfc_header* header, uint32_t who) {
  __atomic_store_n(&header->turn, who, __ATOMIC_SEQ_CST);
  uint32_t* waits = who == CFC_TURN_BOARD ? &header->board_waits : &header->firmware_waits;
  if (__atomic_load_n(waits, __ATOMIC_SEQ_CST)) {
    syscall(CFC_SYS_FUTEX, &header->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
  }
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // __linux__
#endif  // ESPBENCH_FIRMWARE_CHANNEL_TURNS_H
