// arduino-esp32 3.x Esp.h: information about the chip.
#pragma once

#include <cstdint>

#include "WString.h"

class EspClass {
 public:
  void restart();
  uint32_t getCpuFreqMHz();
  uint32_t getCycleCount();
  uint64_t getEfuseMac();
  const char* getChipModel();
  uint16_t getChipRevision();
  uint8_t getChipCores();
  uint32_t getFlashChipSize();
  const char* getSdkVersion() { return "v5.5.1"; }
  const char* getCoreVersion() { return "3.3.0"; }

#define ESPBENCH_UNAVAILABLE(name) \
  __attribute__((unavailable(name " is not in espbench's host core")))
  ESPBENCH_UNAVAILABLE("ESP.getHeapSize") uint32_t getHeapSize();
  ESPBENCH_UNAVAILABLE("ESP.getFreeHeap") uint32_t getFreeHeap();
  ESPBENCH_UNAVAILABLE("ESP.getMinFreeHeap") uint32_t getMinFreeHeap();
  ESPBENCH_UNAVAILABLE("ESP.getMaxAllocHeap") uint32_t getMaxAllocHeap();
  ESPBENCH_UNAVAILABLE("ESP.getPsramSize") uint32_t getPsramSize();
  ESPBENCH_UNAVAILABLE("ESP.deepSleep") void deepSleep(uint64_t time_us);
  ESPBENCH_UNAVAILABLE("ESP.getSketchSize") uint32_t getSketchSize();
  ESPBENCH_UNAVAILABLE("ESP.getFreeSketchSpace") uint32_t getFreeSketchSpace();
#undef ESPBENCH_UNAVAILABLE
};

extern EspClass ESP;
