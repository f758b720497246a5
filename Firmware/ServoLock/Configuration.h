// What differs from door to door and from chip to chip.
//
// Flags go into build_opt.h, which arduino-cli, the Arduino IDE and espbench pass to the compiler:
//   -DLOCK_PASSKEY=042137     a passkey of your own: six digits
//   -DLOCK_ORIGINAL_PASSKEY   the original's 123456, which everybody knows: for trying out only
// Without either the lock draws a passkey of its own at its first boot and shows it that once.
#pragma once

#include "PasskeyStore.h"

// The library's own settings are in build_opt.h, too. Both are what the lock stands on:
// - LE Secure Connections only: without it a legacy pairing, whose six digits anybody who overheard
//   it finds in a moment, would look just as authenticated.
// - Room for one bond more than the lock keeps: the host stores a new bond before the lock can
//   judge it, and would make room by removing the owner's.
#if !defined(MYNEWT_VAL_BLE_SM_SC_ONLY) || MYNEWT_VAL_BLE_SM_SC_ONLY != 1
#error "The lock needs -DMYNEWT_VAL_BLE_SM_SC_ONLY=1: build it with its build_opt.h"
#endif
#if !defined(MYNEWT_VAL_BLE_STORE_MAX_BONDS) || MYNEWT_VAL_BLE_STORE_MAX_BONDS < 4
#error "The lock needs -DMYNEWT_VAL_BLE_STORE_MAX_BONDS=4: build it with its build_opt.h"
#endif

// And for three subscriptions of each of those: one too many costs an owner's bond, too.
#if !defined(MYNEWT_VAL_BLE_STORE_MAX_CCCDS) || MYNEWT_VAL_BLE_STORE_MAX_CCCDS < 12
#error "The lock needs -DMYNEWT_VAL_BLE_STORE_MAX_CCCDS=12: build it with its build_opt.h"
#endif

#define LOCK_TEXT_OF(value) #value
#define LOCK_TEXT(value) LOCK_TEXT_OF(value)

#if defined(LOCK_ORIGINAL_PASSKEY)
constexpr uint32_t kFixedPasskey = PasskeyStore::original;
#elif defined(LOCK_PASSKEY)
constexpr uint32_t kFixedPasskey = parsePasskey(LOCK_TEXT(LOCK_PASSKEY));
static_assert(kFixedPasskey != PasskeyStore::none, "LOCK_PASSKEY must be six digits");
static_assert(kFixedPasskey != PasskeyStore::original,
              "everybody knows 123456: choose another LOCK_PASSKEY, or set LOCK_ORIGINAL_PASSKEY");
#else
constexpr uint32_t kFixedPasskey = PasskeyStore::none;
#endif

// The BOOT button, low while pressed, and the servo. The flash of an ESP32-C3 and the USB of an
// ESP32-C6 take the original's GPIO 13.
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
