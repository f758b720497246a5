// ESP-IDF 5 esp_bt.h: the transmit power of the ESP32's controller.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "esp_err.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The use of a power level: one connection, advertising, scanning, or new connections.
typedef enum {
  ESP_BLE_PWR_TYPE_CONN_HDL0 = 0,
  ESP_BLE_PWR_TYPE_CONN_HDL1 = 1,
  ESP_BLE_PWR_TYPE_CONN_HDL2 = 2,
  ESP_BLE_PWR_TYPE_CONN_HDL3 = 3,
  ESP_BLE_PWR_TYPE_CONN_HDL4 = 4,
  ESP_BLE_PWR_TYPE_CONN_HDL5 = 5,
  ESP_BLE_PWR_TYPE_CONN_HDL6 = 6,
  ESP_BLE_PWR_TYPE_CONN_HDL7 = 7,
  ESP_BLE_PWR_TYPE_CONN_HDL8 = 8,
  ESP_BLE_PWR_TYPE_ADV = 9,
  ESP_BLE_PWR_TYPE_SCAN = 10,
  ESP_BLE_PWR_TYPE_DEFAULT = 11,
  ESP_BLE_PWR_TYPE_NUM = 12
} esp_ble_power_type_t;

/// Levels in steps of 3 dB, from -12 to +9 dBm. The values are indices: +9 dBm is level 7.
typedef enum {
  ESP_PWR_LVL_N12 = 0,
  ESP_PWR_LVL_N9 = 1,
  ESP_PWR_LVL_N6 = 2,
  ESP_PWR_LVL_N3 = 3,
  ESP_PWR_LVL_N0 = 4,
  ESP_PWR_LVL_P3 = 5,
  ESP_PWR_LVL_P6 = 6,
  ESP_PWR_LVL_P9 = 7,
  // Names of earlier versions of ESP-IDF.
  ESP_PWR_LVL_N14 = ESP_PWR_LVL_N12,
  ESP_PWR_LVL_N11 = ESP_PWR_LVL_N9,
  ESP_PWR_LVL_N8 = ESP_PWR_LVL_N6,
  ESP_PWR_LVL_N5 = ESP_PWR_LVL_N3,
  ESP_PWR_LVL_N2 = ESP_PWR_LVL_N0,
  ESP_PWR_LVL_P1 = ESP_PWR_LVL_P3,
  ESP_PWR_LVL_P4 = ESP_PWR_LVL_P6,
  ESP_PWR_LVL_P7 = ESP_PWR_LVL_P9
} esp_power_level_t;

/// A power that was not set equals that of ESP_BLE_PWR_TYPE_DEFAULT, initially +3 dBm. Setting an
/// invalid type or level returns ESP_ERR_INVALID_ARG. The power of a single connection is only
/// stored: all connections use the default.
esp_err_t esp_ble_tx_power_set(esp_ble_power_type_t power_type, esp_power_level_t power_level);
esp_power_level_t esp_ble_tx_power_get(esp_ble_power_type_t power_type);

#ifdef __cplusplus
}
#endif
