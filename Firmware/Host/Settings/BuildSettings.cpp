// Compiled for each sketch with its build flags, but without its sources, like NimBLE's C files for
// the chip: a #define in the sketch does not affect them there, either.
#include "BuildSettings.h"

#include "nimconfig.h"

#define CHECK_SETTING(name)                   \
  static_assert((name) >= 0 && (name) <= 255, \
                "the build flag " #name " is out of range: expected 0 to 255")
CHECK_SETTING(MYNEWT_VAL_BLE_SM_SC_ONLY);
CHECK_SETTING(MYNEWT_VAL_BLE_STORE_MAX_BONDS);
CHECK_SETTING(MYNEWT_VAL_BLE_STORE_MAX_CCCDS);
CHECK_SETTING(MYNEWT_VAL_BLE_STORE_MAX_CSFCS);
CHECK_SETTING(MYNEWT_VAL_BLE_SM_MAX_PROCS);
static_assert(MYNEWT_VAL_MSYS_1_BLOCK_COUNT > 0 && MYNEWT_VAL_MSYS_1_BLOCK_COUNT <= 1000,
              "the build flag MYNEWT_VAL_MSYS_1_BLOCK_COUNT is out of range: expected 1 to 1000");
static_assert(MYNEWT_VAL_MSYS_1_BLOCK_SIZE >= 64 && MYNEWT_VAL_MSYS_1_BLOCK_SIZE <= 4096,
              "the build flag MYNEWT_VAL_MSYS_1_BLOCK_SIZE is out of range: expected 64 to 4096");

const espbench::BuildSettings espbench::buildSettings = {
    static_cast<uint8_t>(MYNEWT_VAL_BLE_SM_SC_ONLY),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_STORE_MAX_BONDS),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_STORE_MAX_CCCDS),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_STORE_MAX_CSFCS),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_SM_MAX_PROCS),
    static_cast<uint16_t>(MYNEWT_VAL_MSYS_1_BLOCK_COUNT),
    static_cast<uint16_t>(MYNEWT_VAL_MSYS_1_BLOCK_SIZE),
};
