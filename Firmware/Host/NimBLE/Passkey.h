// The sketch's answers for pairing.
#ifndef ESPBENCH_PASSKEY_H
#define ESPBENCH_PASSKEY_H

#include <cstdint>

namespace espbench {

/// The library's default passkey, and the default of its callbacks.
constexpr uint32_t kDefaultPasskey = 123456;

/// ble_sm_inject_io; `action`: CFC_PASSKEY_... Returns a BLE_HS_... code.
int32_t answerPasskey(uint16_t connection, uint16_t action, uint32_t value);

}  // namespace espbench

#endif
