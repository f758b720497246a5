// Device addresses on the firmware channel.
#ifndef ESPBENCH_CHANNEL_ADDRESS_H
#define ESPBENCH_CHANNEL_ADDRESS_H

#include <cstring>

#include "NimBLEAddress.h"
#include "firmware_channel.h"

namespace espbench {

inline NimBLEAddress makeAddress(const cfc_address& address) {
  ble_addr_t raw;
  raw.type = address.type;
  memcpy(raw.val, address.bytes, sizeof raw.val);
  return NimBLEAddress(raw);
}

inline cfc_address makeAddress(const NimBLEAddress& address) {
  cfc_address raw = {};
  raw.type = address.getType();
  memcpy(raw.bytes, address.getVal(), sizeof raw.bytes);
  return raw;
}

}  // namespace espbench

#endif
