// Settings of the door and of the chip.
//
// Flags are set in build_opt.h, which arduino-cli, the Arduino IDE and espbench pass to the
// compiler:
//   -DLOCK_PASSKEY=042137     a passkey of your own: six digits. An eavesdropper can find it
//   -DLOCK_ORIGINAL_PASSKEY   the original's published 123456: for trials only
// Without either the lock draws a passkey for each pairing and shows it on the console.
#pragma once

#include "Passkey.h"

// The library's settings are in build_opt.h, too. The lock requires them:
// - LE Secure Connections only: without it a legacy pairing, whose six digits an eavesdropper finds
//   immediately, would look authenticated, too.
// - A Security Manager procedure for each connection: with a single one, a stranger's unfinished
//   pairing blocks it, and the host does not answer an owner who encrypts.
// - Capacity for the bonds of all three connections beside the owners': the host stores a bond
//   before the lock can refuse it, and keeps it until the client has disconnected; when full it
//   would remove an owner's.
// - Capacity for the records beside each bond: three subscriptions (state, bolt, Service Changed)
//   and the client supported features. When full, an owner's bond is removed, too.
#if !defined(MYNEWT_VAL_BLE_SM_SC_ONLY) || MYNEWT_VAL_BLE_SM_SC_ONLY != 1
#error "The lock needs -DMYNEWT_VAL_BLE_SM_SC_ONLY=1: build it with its build_opt.h"
#endif
#if !defined(MYNEWT_VAL_BLE_SM_MAX_PROCS) || MYNEWT_VAL_BLE_SM_MAX_PROCS < 3
#error "The lock needs -DMYNEWT_VAL_BLE_SM_MAX_PROCS=3: build it with its build_opt.h"
#endif
#if !defined(MYNEWT_VAL_BLE_STORE_MAX_BONDS) || MYNEWT_VAL_BLE_STORE_MAX_BONDS < 6
#error "The lock needs -DMYNEWT_VAL_BLE_STORE_MAX_BONDS=6: build it with its build_opt.h"
#endif
#if !defined(MYNEWT_VAL_BLE_STORE_MAX_CCCDS) || MYNEWT_VAL_BLE_STORE_MAX_CCCDS < 18
#error "The lock needs -DMYNEWT_VAL_BLE_STORE_MAX_CCCDS=18: build it with its build_opt.h"
#endif
#if !defined(MYNEWT_VAL_BLE_STORE_MAX_CSFCS) || MYNEWT_VAL_BLE_STORE_MAX_CSFCS < 6
#error "The lock needs -DMYNEWT_VAL_BLE_STORE_MAX_CSFCS=6: build it with its build_opt.h"
#endif

#define LOCK_TEXT_OF(value) #value
#define LOCK_TEXT(value) LOCK_TEXT_OF(value)

#if defined(LOCK_ORIGINAL_PASSKEY)
constexpr uint32_t kFixedPasskey = Passkey::original;
#elif defined(LOCK_PASSKEY)
constexpr uint32_t kFixedPasskey = parsePasskey(LOCK_TEXT(LOCK_PASSKEY));
static_assert(kFixedPasskey != Passkey::none, "LOCK_PASSKEY must be six digits");
static_assert(kFixedPasskey != Passkey::original,
              "everybody knows 123456: choose another LOCK_PASSKEY, or set LOCK_ORIGINAL_PASSKEY");
#else
constexpr uint32_t kFixedPasskey = Passkey::none;
#endif

// The BOOT button, low while pressed, and the servo. The original's GPIO 13 is used by the flash on
// an ESP32-C3 and by USB on an ESP32-C6.
#if defined(CONFIG_IDF_TARGET_ESP32C3) || defined(CONFIG_IDF_TARGET_ESP32C6)
constexpr int kButtonPin = 9;
constexpr int kServoPin = 4;
#else
constexpr int kButtonPin = 0;
constexpr int kServoPin = 13;
#endif

/// An SG90's or SG92R's pulses for 0 and 180 degrees, in microseconds.
constexpr int kShortestPulse = 500;
constexpr int kLongestPulse = 2400;
