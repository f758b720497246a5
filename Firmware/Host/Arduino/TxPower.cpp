// The controller's transmit power: esp_bt.h.
#include "../Runtime/Runtime.h"
#include "esp_bt.h"

namespace {

constexpr int kStep = 3;  // dBm from level to level
constexpr int kNotSet = -1;

/// Levels by type; unset types have the default level.
int levels[] = {kNotSet, kNotSet, kNotSet, kNotSet, kNotSet, kNotSet,
                kNotSet, kNotSet, kNotSet, kNotSet, kNotSet, ESP_PWR_LVL_P3};
static_assert(sizeof levels / sizeof *levels == ESP_BLE_PWR_TYPE_NUM, "the default is the last");

bool isType(int type) { return type >= 0 && type < ESP_BLE_PWR_TYPE_NUM; }

int dBm(esp_ble_power_type_t type) { return (esp_ble_tx_power_get(type) - ESP_PWR_LVL_N0) * kStep; }

}  // namespace

esp_err_t esp_ble_tx_power_set(esp_ble_power_type_t power_type, esp_power_level_t power_level) {
  const int level = power_level;
  if (!isType(power_type) || level < ESP_PWR_LVL_N12 || level > ESP_PWR_LVL_P9) {
    return ESP_ERR_INVALID_ARG;
  }
  levels[power_type] = level;
  cfc_tx_power message = {dBm(ESP_BLE_PWR_TYPE_ADV), dBm(ESP_BLE_PWR_TYPE_DEFAULT)};
  espbench::send(CFC_BLE_TX_POWER, &message, sizeof message);
  return ESP_OK;
}

esp_power_level_t esp_ble_tx_power_get(esp_ble_power_type_t power_type) {
  const int level = isType(power_type) ? levels[power_type] : kNotSet;
  return static_cast<esp_power_level_t>(level == kNotSet ? levels[ESP_BLE_PWR_TYPE_DEFAULT]
                                                         : level);
}
