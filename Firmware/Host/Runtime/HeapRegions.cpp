// Sources of the figures:
//
// ESP32: soc/esp32 memory layout and Bluetooth's reserved ranges of ESP-IDF v5.5.1
// (components/heap/port/esp32/memory_layout.c): the memory between the controller's ranges, the
// memory from the static data to 0x3FFE0000, and D/IRAM above the ROM's data. The static data of a
// NimBLE sketch take about 33 KB of DRAM (h2zero/NimBLE-Arduino issue 1: 47 KB with Wi-Fi, which
// takes 14 KB); the sketch's own static data follow. Together they give the reported values:
// 224,892 bytes free before NimBLE starts (espressif/esp-idf issue 8136), 33,052 allocated at the
// start of setup(), and 110,580 as the longest block (the report of arduino-esp32 3.x in
// pschatzmann/ESP32-A2DP issue 661).
//
// ESP32-S3: 302,148 bytes in all for a NimBLE sketch with arduino-esp32 3.3.1
// (h2zero/NimBLE-Arduino issue 1046), of which 22,308 are the ROM's stack and 7,912 RTC memory,
// which are left out here (the heap summary in RomanLut/hx-esp32-cam-fpv issue 46).
//
// ESP32-C3: 255,556 bytes in all, 30,532 allocated (the report of arduino-esp32 3.x in
// espressif/arduino-esp32 issue 10900), of which 10,576 are the ROM's stack and 8,168 RTC memory.
#include "HeapRegions.h"

#include <algorithm>
#include <cstring>

// The build links a program so that espbench_static_end - espbench_static_start is the size of the
// static data of the sketch and its libraries. Without these symbols, the size is 0.
extern "C" {
extern const char espbench_static_start[];
const char espbench_static_start[] = {0};
extern const char espbench_static_end[] __attribute__((weak));
}

namespace espbench {
namespace {

/// The part of a region that always remains; the chip's linker refuses data that need all of it.
constexpr uint32_t kLeastRegion = 4096;

constexpr HeapRegion kESP32[] = {{0x3FFB6388, 0x1C78, "DRAM"},
                                 {0x3FFB9A20, 0x4108, "DRAM"},
                                 {0x3FFC5D70, 0x1A290, "DRAM"},
                                 {0x3FFE0440, 0x3AE0, "D/IRAM"},
                                 {0x3FFE4350, 0x1BCB0, "D/IRAM"}};
constexpr HeapRegion kESP32S3[] = {{0x3FCA70D8, 0x42638, "DRAM"}, {0x3FCE9710, 0x5724, "D/IRAM"}};
constexpr HeapRegion kESP32C3[] = {{0x3FCA2A04, 0x39D0C, "DRAM"}, {0x3FCDC710, 0x2950, "D/IRAM"}};

template <size_t count>
constexpr HeapLayout layout(const char* chip, const HeapRegion (&regions)[count], size_t behindData,
                            uint32_t used) {
  return {chip, regions, count, behindData, used};
}

constexpr HeapLayout kLayouts[] = {
    layout("ESP32-S3", kESP32S3, 0, 22000),
    layout("ESP32-C3", kESP32C3, 0, 22000),
    layout("ESP32", kESP32, 2, 22000),
};

}  // namespace

const HeapLayout& heapLayout(const char* chipModel) {
  for (const HeapLayout& layout : kLayouts) {
    if (strncmp(chipModel, layout.chip, strlen(layout.chip)) == 0) return layout;
  }
  return kLayouts[sizeof kLayouts / sizeof *kLayouts - 1];
}

HeapRegion heapRegion(const HeapLayout& layout, size_t index) {
  HeapRegion region = layout.regions[index];
  const auto end = reinterpret_cast<uintptr_t>(espbench_static_end);
  if (index != layout.behindData || end == 0) return region;
  const uintptr_t bytes = (end - reinterpret_cast<uintptr_t>(espbench_static_start) + 3) & ~3u;
  const uint32_t taken =
      static_cast<uint32_t>(std::min<uintptr_t>(bytes, region.bytes - kLeastRegion));
  return {region.address + taken, region.bytes - taken, region.name};
}

}  // namespace espbench
