// Compiled for each sketch with its build flags, but without its sources, as NimBLE's C files are
// for the chip: there too a #define in the sketch does not reach them.
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

const espbench::BuildSettings espbench::buildSettings = {
    static_cast<uint8_t>(MYNEWT_VAL_BLE_SM_SC_ONLY),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_STORE_MAX_BONDS),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_STORE_MAX_CCCDS),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_STORE_MAX_CSFCS),
    static_cast<uint8_t>(MYNEWT_VAL_BLE_SM_MAX_PROCS),
};
