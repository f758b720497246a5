// arduino-esp32 3.x Esp.h: information about the chip.
#pragma once

#include <cstdint>

#include "WString.h"

typedef enum {
  FM_QIO = 0x00,
  FM_QOUT = 0x01,
  FM_DIO = 0x02,
  FM_DOUT = 0x03,
  FM_FAST_READ = 0x04,
  FM_SLOW_READ = 0x05,
  FM_UNKNOWN = 0xff
} FlashMode_t;

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
  // As the image's header says, which a build of espbench writes.
  uint32_t getFlashChipSpeed() { return 80000000; }
  FlashMode_t getFlashChipMode() { return FM_DIO; }
  const char* getSdkVersion() { return "v5.5.1"; }
  const char* getCoreVersion() { return "3.3.0"; }

  // Sizes of the heap, in bytes. The real ESP32 also counts IRAM, which malloc() cannot allocate.
  uint32_t getHeapSize();
  uint32_t getFreeHeap();
  uint32_t getMinFreeHeap();   ///< since the start
  uint32_t getMaxAllocHeap();  ///< the longest block that can be allocated

  // The virtual board has no external memory.
  uint32_t getPsramSize() { return 0; }
  uint32_t getFreePsram() { return 0; }
  uint32_t getMinFreePsram() { return 0; }
  uint32_t getMaxAllocPsram() { return 0; }

  /// esp_deep_sleep()
  void deepSleep(uint64_t time_us);

#define ESPBENCH_UNAVAILABLE(name) \
  __attribute__((unavailable(name " is not in espbench's host core")))
  ESPBENCH_UNAVAILABLE("ESP.getSketchSize") uint32_t getSketchSize();
  ESPBENCH_UNAVAILABLE("ESP.getSketchMD5") String getSketchMD5();
  ESPBENCH_UNAVAILABLE("ESP.flashEraseSector") bool flashEraseSector(uint32_t sector);
  ESPBENCH_UNAVAILABLE("ESP.flashWrite")
  bool flashWrite(uint32_t offset, const uint32_t* data, size_t size);
  ESPBENCH_UNAVAILABLE("ESP.flashRead")
  bool flashRead(uint32_t offset, uint32_t* data, size_t size);
  ESPBENCH_UNAVAILABLE("ESP.getFreeSketchSpace") uint32_t getFreeSketchSpace();
#undef ESPBENCH_UNAVAILABLE
};

extern EspClass ESP;
