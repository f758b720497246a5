// arduino-esp32's functions for the controller: esp32-hal-bt.h.
#include "esp32-hal-bt.h"
#include "esp32-hal-log.h"
#include "esp_bt.h"

extern "C" {

bool btStarted(void) { return esp_bt_controller_get_status() == ESP_BT_CONTROLLER_STATUS_ENABLED; }

bool btStart(void) { return btStartMode(BT_MODE_DEFAULT); }

bool btStartMode(bt_mode mode) {
  if (btStarted()) return true;
  esp_bt_controller_config_t config = BT_CONTROLLER_INIT_CONFIG_DEFAULT();
  config.mode = mode == BT_MODE_CLASSIC_BT ? ESP_BT_MODE_CLASSIC_BT
                : mode == BT_MODE_BLE      ? ESP_BT_MODE_BLE
                                           : ESP_BT_MODE_BTDM;
  if (esp_bt_controller_get_status() == ESP_BT_CONTROLLER_STATUS_IDLE) {
    if (esp_err_t error = esp_bt_controller_init(&config)) {
      log_e("initialize controller failed: %s", esp_err_to_name(error));
      return false;
    }
  }
  if (esp_err_t error = esp_bt_controller_enable(static_cast<esp_bt_mode_t>(config.mode))) {
    log_e("BT Enable mode=%d failed %s", config.mode, esp_err_to_name(error));
    return false;
  }
  return true;
}

bool btStop(void) {
  if (esp_bt_controller_get_status() == ESP_BT_CONTROLLER_STATUS_ENABLED) {
    esp_bt_controller_disable();
  }
  if (esp_bt_controller_get_status() == ESP_BT_CONTROLLER_STATUS_INITED) esp_bt_controller_deinit();
  return esp_bt_controller_get_status() == ESP_BT_CONTROLLER_STATUS_IDLE;
}

}  // extern "C"
