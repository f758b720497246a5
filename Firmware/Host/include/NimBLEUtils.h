#pragma once

#include <cstdint>
#include <string>

#include "NimBLEAddress.h"

#if defined(CONFIG_NIMBLE_CPP_ENABLE_RETURN_CODE_TEXT) ||        \
    defined(CONFIG_NIMBLE_CPP_ENABLE_ADVERTISEMENT_TYPE_TEXT) || \
    defined(CONFIG_NIMBLE_CPP_ENABLE_GAP_EVENT_CODE_TEXT)
#error \
    "CONFIG_NIMBLE_CPP_ENABLE_..._TEXT is not in espbench's host core: leave it out of build_opt.h"
#endif

struct ESPBENCH_NOT_YET("NimBLETaskData") NimBLETaskData;

class NimBLEUtils {
 public:
  /// Two lower-case digits a byte.
  static std::string dataToHexString(const uint8_t* source, uint8_t length);
  // Empty texts, as the library's are unless its configuration asks for more.
  static const char* gapEventToString(uint8_t) { return ""; }
  static const char* advTypeToString(uint8_t) { return ""; }
  static const char* returnCodeToString(int) { return ""; }
  /// A random static address or a private one that cannot be resolved; the null address before
  /// NimBLEDevice::init().
  static NimBLEAddress generateAddr(bool nrpa);
};
