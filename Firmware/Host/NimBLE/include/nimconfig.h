// The default configuration of NimBLE-Arduino 2.5, for which the virtual board is built.
//
// Arduino.h includes it (BuiltInNimBLE.h), so that the compiler warns of a #define in the .ino; it
// shows the comment of the line here.
#pragma once

#define CONFIG_BT_ENABLED 1
#define CONFIG_BT_NIMBLE_ROLE_PERIPHERAL 1      // fixed on the virtual board
#define CONFIG_BT_NIMBLE_ROLE_BROADCASTER 1     // fixed on the virtual board
#define CONFIG_BT_NIMBLE_ROLE_CENTRAL 0         // fixed on the virtual board
#define CONFIG_BT_NIMBLE_ROLE_OBSERVER 0        // fixed on the virtual board
#define CONFIG_BT_NIMBLE_EXT_ADV 0              // fixed on the virtual board
#define CONFIG_BT_NIMBLE_MAX_CONNECTIONS 3      // fixed on the virtual board
#define CONFIG_BT_NIMBLE_ATT_PREFERRED_MTU 255  // use NimBLEDevice::setMTU()
#define CONFIG_BT_NIMBLE_GAP_DEVICE_NAME_MAX_LEN 31
#define CONFIG_NIMBLE_CPP_ATT_VALUE_INIT_LENGTH 20
#define CONFIG_NIMBLE_MAX_CONNECTIONS CONFIG_BT_NIMBLE_MAX_CONNECTIONS
#define NIMBLE_MAX_CONNECTIONS CONFIG_BT_NIMBLE_MAX_CONNECTIONS

// Settings of NimBLE that build flags may change.
#ifndef CONFIG_BT_NIMBLE_MAX_BONDS
#define CONFIG_BT_NIMBLE_MAX_BONDS 3  // only a build flag has effect (build_opt.h, build_flags)
#endif
#ifndef CONFIG_BT_NIMBLE_MAX_CCCDS
#define CONFIG_BT_NIMBLE_MAX_CCCDS 8  // only a build flag has effect (build_opt.h, build_flags)
#endif
#ifndef MYNEWT_VAL_BLE_SM_SC_ONLY
#define MYNEWT_VAL_BLE_SM_SC_ONLY 0  // only a build flag has effect (build_opt.h, build_flags)
#endif
#ifndef MYNEWT_VAL_BLE_STORE_MAX_BONDS
#define MYNEWT_VAL_BLE_STORE_MAX_BONDS CONFIG_BT_NIMBLE_MAX_BONDS  // only a build flag has effect
#endif
#ifndef MYNEWT_VAL_BLE_STORE_MAX_CCCDS
#define MYNEWT_VAL_BLE_STORE_MAX_CCCDS CONFIG_BT_NIMBLE_MAX_CCCDS  // only a build flag has effect
#endif
#ifndef MYNEWT_VAL_BLE_STORE_MAX_CSFCS
#define MYNEWT_VAL_BLE_STORE_MAX_CSFCS 3  // only a build flag has effect
#endif
#ifndef MYNEWT_VAL_BLE_SM_MAX_PROCS
#define MYNEWT_VAL_BLE_SM_MAX_PROCS 1  // only a build flag has effect (build_opt.h, build_flags)
#endif

#ifndef MYNEWT_VAL_MSYS_1_BLOCK_COUNT
#ifdef CONFIG_BT_NIMBLE_MSYS1_BLOCK_COUNT
#define MYNEWT_VAL_MSYS_1_BLOCK_COUNT CONFIG_BT_NIMBLE_MSYS1_BLOCK_COUNT
#else
#define MYNEWT_VAL_MSYS_1_BLOCK_COUNT 12  // only a build flag has effect
#endif
#endif
#ifndef CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE
#define CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE 256  // only a build flag has effect
#endif
#ifndef MYNEWT_VAL_MSYS_1_BLOCK_SIZE
#define MYNEWT_VAL_MSYS_1_BLOCK_SIZE CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE
#endif

#define ESPBENCH_NOT_YET(name)                                                             \
  __attribute__((unavailable(name " is not in espbench's own NimBLE: with NimBLE-Arduino " \
                                  "installed, or ESPBENCH_NIMBLE=DIR, the "                \
                                  "sketch is built with the library itself")))

#ifdef __cplusplus
namespace espbench {
/// The host core is compiled with this value: a sketch's own macro must not change the layout of a
/// class.
constexpr int kMaximumConnections = CONFIG_BT_NIMBLE_MAX_CONNECTIONS;
}  // namespace espbench
#endif
