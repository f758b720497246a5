// The memory that deep sleep and resets keep (esp_attr.h), between this start and the next.
#ifndef ESPBENCH_RTC_MEMORY_H
#define ESPBENCH_RTC_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace espbench {

/// Bytes of RTC_NOINIT_ATTR for the system time, which the chip keeps in registers.
constexpr size_t kSystemTimeMemory = 24;

/// Gives RTC_NOINIT_ATTR the arbitrary content that it has after power-on. Ends the firmware when
/// the chip has less memory than needed.
void openRTCMemory(uint64_t seed);
/// Restores a CFC_RTC_MEMORY of the board, before constructors run.
void restoreRTCMemory(const uint8_t* payload, size_t length);
/// Sends the board the memory to keep (CFC_KEEP_MEMORY): before deep sleep all of it, otherwise the
/// part that resets keep.
void keepRTCMemory(bool isDeepSleep);

}  // namespace espbench

#endif
