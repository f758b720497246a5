// Transmit power: NimBLEDevice's functions.
#include "NimBLEDevice.h"

namespace {

constexpr int kStep = 3;  // dBm from level to level

int dBm(esp_ble_power_type_t type) { return (esp_ble_tx_power_get(type) - ESP_PWR_LVL_N0) * kStep; }

}  // namespace

esp_power_level_t NimBLEDevice::getPowerLevel(esp_ble_power_type_t powerType) {
  return esp_ble_tx_power_get(powerType);
}

bool NimBLEDevice::setPowerLevel(esp_power_level_t powerLevel, esp_ble_power_type_t powerType) {
  return esp_ble_tx_power_set(powerType, powerLevel) == ESP_OK;
}

int NimBLEDevice::getPower(NimBLETxPowerType type) {
  switch (type) {
    case NimBLETxPowerType::Advertise:
      return dBm(ESP_BLE_PWR_TYPE_ADV);
    case NimBLETxPowerType::Scan:
      return dBm(ESP_BLE_PWR_TYPE_SCAN);
    default:
      return dBm(ESP_BLE_PWR_TYPE_DEFAULT);
  }
}

bool NimBLEDevice::setPower(int8_t dbm, NimBLETxPowerType type) {
  // As in NimBLE-Arduino: 1 dB below a step is rounded up to it, other values are truncated towards
  // 0.
  const int power = dbm % kStep == kStep - 1 ? dbm + 1 : dbm;
  const auto level = static_cast<esp_power_level_t>(power / kStep + ESP_PWR_LVL_N0);
  switch (type) {
    case NimBLETxPowerType::Advertise:
      return setPowerLevel(level, ESP_BLE_PWR_TYPE_ADV);
    case NimBLETxPowerType::Scan:
      return setPowerLevel(level, ESP_BLE_PWR_TYPE_SCAN);
    case NimBLETxPowerType::Connection:
      return setPowerLevel(level, ESP_BLE_PWR_TYPE_DEFAULT);
    default:
      bool isAdvertisingSet = setPowerLevel(level, ESP_BLE_PWR_TYPE_ADV);
      bool isScanningSet = setPowerLevel(level, ESP_BLE_PWR_TYPE_SCAN);
      return setPowerLevel(level, ESP_BLE_PWR_TYPE_DEFAULT) && isAdvertisingSet && isScanningSet;
  }
}
