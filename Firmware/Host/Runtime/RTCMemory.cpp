#include "RTCMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "Fault.h"
#include "Runtime.h"

// The bounds of the sections, from the linker; null for an empty section.
#define SECTION(name)                                    \
  extern "C" {                                           \
  extern uint8_t __start_##name[] __attribute__((weak)); \
  extern uint8_t __stop_##name[] __attribute__((weak));  \
  }
SECTION(rtc_data)
SECTION(rtc_slow)
SECTION(rtc_fast)
SECTION(rtc_noinit)
#undef SECTION

namespace espbench {
namespace {

/// RTC slow memory without ESP-IDF's reserved part at its end (RESERVE_RTC_MEM).
constexpr size_t kSlowMemory = 8192 - 24 + kSystemTimeMemory;
constexpr size_t kFastMemory = 8192;

struct Section {
  uint8_t* start;
  size_t size;
};

Section section(uint8_t* start, uint8_t* stop) {
  // As integers: the compiler assumes that an array exists.
  return {start, static_cast<size_t>(reinterpret_cast<uintptr_t>(stop) -
                                     reinterpret_cast<uintptr_t>(start))};
}

Section noinit() { return section(__start_rtc_noinit, __stop_rtc_noinit); }

/// Memory that only deep sleep keeps, in the order of the offsets in cfc_rtc_memory.
struct Kept {
  Section sections[3];
};
Kept kept() {
  return {{section(__start_rtc_data, __stop_rtc_data), section(__start_rtc_slow, __stop_rtc_slow),
           section(__start_rtc_fast, __stop_rtc_fast)}};
}

void checkSize(const char* segment, size_t used, size_t room) {
  if (used <= room) return;
  char message[128];
  snprintf(message, sizeof message, "region `%s' overflowed by %u bytes", segment,
           static_cast<unsigned>(used - room));
  endFirmware(CFC_FAULT_PANIC, message);
}

void sendSection(const Section& section, uint32_t offset, bool isNoinit) {
  if (section.size == 0) return;
  cfc_rtc_memory part = {offset, isNoinit};
  send(CFC_KEEP_MEMORY, &part, sizeof part, section.start, section.size);
}

void copyInto(const Section& section, uint32_t sectionOffset, uint32_t offset, const uint8_t* bytes,
              size_t length) {
  uint64_t begin = std::max<uint64_t>(sectionOffset, offset);
  uint64_t end =
      std::min<uint64_t>(uint64_t{sectionOffset} + section.size, offset + uint64_t{length});
  if (begin >= end) return;
  memcpy(section.start + (begin - sectionOffset), bytes + (begin - offset),
         static_cast<size_t>(end - begin));
}

}  // namespace

void openRTCMemory(uint64_t seed) {
  Section noInitialization = noinit();
  Kept all = kept();
  checkSize("rtc_slow_seg", all.sections[0].size + all.sections[1].size + noInitialization.size,
            kSlowMemory);
  checkSize("rtc_data_seg", all.sections[2].size, kFastMemory);
  // A xorshift generator: arbitrary bytes, the same in each run.
  uint64_t state = seed | 1;
  for (size_t i = 0; i < noInitialization.size; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    noInitialization.start[i] = static_cast<uint8_t>(state);
  }
}

void restoreRTCMemory(const uint8_t* payload, size_t length) {
  cfc_rtc_memory part;
  if (length < sizeof part) return;
  memcpy(&part, payload, sizeof part);
  const uint8_t* bytes = payload + sizeof part;
  length -= sizeof part;
  if (part.is_noinit != 0) {
    copyInto(noinit(), 0, part.offset, bytes, length);
    return;
  }
  uint32_t offset = 0;
  for (const Section& section : kept().sections) {
    copyInto(section, offset, part.offset, bytes, length);
    offset += static_cast<uint32_t>(section.size);
  }
}

void keepRTCMemory(bool isDeepSleep) {
  sendSection(noinit(), 0, true);
  if (!isDeepSleep) return;
  uint32_t offset = 0;
  for (const Section& section : kept().sections) {
    sendSection(section, offset, false);
    offset += static_cast<uint32_t>(section.size);
  }
}

}  // namespace espbench
