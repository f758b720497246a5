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
  /// Two lower-case digits per byte.
  static std::string dataToHexString(const uint8_t* source, uint8_t length);
  // Empty texts, as in the library's default configuration.
  static const char* gapEventToString(uint8_t) { return ""; }
  static const char* advTypeToString(uint8_t) { return ""; }
  static const char* returnCodeToString(int) { return ""; }
  /// A static random or a non-resolvable private address.
  static NimBLEAddress generateAddr(bool nrpa);
};
