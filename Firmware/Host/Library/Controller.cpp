// The chip's Bluetooth controller for a host in the firmware (esp_bt.h): its HCI goes over the
// channel to the board's controller.
//
// As on the chip, the host's callbacks run in a task of the controller, with its name, priority,
// core and stack. It also deletes the host's bonds on request of the bench.
#include <cstring>

#include "../Runtime/Kernel.h"
#include "../Runtime/Runtime.h"
#include "Bonds.h"
#include "LibrarySettings.h"
#include "esp_bt.h"

using namespace espbench;

namespace {

constexpr int kCore = 0;  // CONFIG_BTDM_CTRL_PINNED_TO_CORE

esp_bt_controller_status_t status = ESP_BT_CONTROLLER_STATUS_IDLE;
uint8_t modeOfInit;
Task* task;
const esp_vhci_host_callback_t* host;

/// Hands the packets of the board's controller to the host; blocks together with the host when the
/// host waits for buffers.
void run(void*) {
  for (;;) {
    cfc_message message;
    const uint8_t* payload;
    while (takeMessage(message, payload)) {
      if (status != ESP_BT_CONTROLLER_STATUS_ENABLED) continue;
      if (message.type == CFC_FORGET_BONDS) forgetBonds(payload, message.length);
      if (message.type != CFC_HCI_PACKET || host == nullptr) continue;
      // The host may modify the packet, which is a copy.
      host->notify_host_recv(const_cast<uint8_t*>(payload), static_cast<uint16_t>(message.length));
    }
    waitIn(messageWaiters, kForEver);
  }
}

bool isValid(const esp_bt_controller_config_t* config) {
  return config != nullptr && config->controller_task_prio == ESP_TASK_BT_CONTROLLER_PRIO &&
         config->controller_task_stack_size >= ESP_TASK_BT_CONTROLLER_STACK &&
         (!(config->mode & ESP_BT_MODE_BLE) ||
          (config->ble_max_conn > 0 && config->ble_max_conn <= BTDM_CONTROLLER_BLE_MAX_CONN_LIMIT));
}

/// The host sends advertising data in full length; the bytes after the used length are leftovers on
/// its stack. The chip's controller ignores them; here they must be the same in every run.
void clearUnusedData(uint8_t* packet, uint16_t length) {
  constexpr uint16_t kAdvertisingData = 0x2008, kScanResponseData = 0x2009;
  constexpr uint16_t kHeader = 5;  // H4 type, opcode, parameters' length, data's length
  if (length < kHeader || packet[0] != 0x01) return;
  const uint16_t opcode = static_cast<uint16_t>(packet[1] | packet[2] << 8);
  if (opcode != kAdvertisingData && opcode != kScanResponseData) return;
  const uint16_t used = static_cast<uint16_t>(kHeader + packet[4]);
  if (used < length) memset(packet + used, 0, length - used);
}

/// Discards packets from before the controller's reset.
void discardPackets() {
  cfc_message message;
  const uint8_t* payload;
  while (takeMessage(message, payload)) {
  }
}

}  // namespace

extern "C" {

esp_err_t esp_bt_controller_init(esp_bt_controller_config_t* cfg) {
  if (status != ESP_BT_CONTROLLER_STATUS_IDLE) return ESP_ERR_INVALID_STATE;
  if (!isValid(cfg)) return ESP_ERR_INVALID_ARG;
  task = createTask(run, "btController", cfg->controller_task_stack_size, nullptr,
                    cfg->controller_task_prio, kCore);
  if (task == nullptr) return ESP_ERR_NO_MEM;
  modeOfInit = cfg->mode;
  status = ESP_BT_CONTROLLER_STATUS_INITED;
  return ESP_OK;
}

esp_err_t esp_bt_controller_deinit(void) {
  if (status != ESP_BT_CONTROLLER_STATUS_INITED) return ESP_ERR_INVALID_STATE;
  deleteTask(task);
  task = nullptr;
  status = ESP_BT_CONTROLLER_STATUS_IDLE;
  return ESP_OK;
}

esp_err_t esp_bt_controller_enable(esp_bt_mode_t mode) {
  if (status != ESP_BT_CONTROLLER_STATUS_INITED) return ESP_ERR_INVALID_STATE;
  if (mode != modeOfInit) return ESP_ERR_INVALID_ARG;
  send(CFC_NIMBLE, nimbleLibrary, strlen(nimbleLibrary));
  const cfc_hci_open chip = {nimbleChip, 0};
  if (call(CFC_HCI_OPEN, &chip, sizeof chip) != 0) return ESP_ERR_INVALID_STATE;
  discardPackets();
  status = ESP_BT_CONTROLLER_STATUS_ENABLED;
  return ESP_OK;
}

esp_err_t esp_bt_controller_disable(void) {
  if (status != ESP_BT_CONTROLLER_STATUS_ENABLED) return ESP_ERR_INVALID_STATE;
  static const uint8_t reset[] = {0x01, 0x03, 0x0c, 0x00};  // HCI_Reset
  send(CFC_HCI_SEND, reset, sizeof reset);
  send(CFC_HCI_CLOSE);
  status = ESP_BT_CONTROLLER_STATUS_INITED;
  return ESP_OK;
}

esp_bt_controller_status_t esp_bt_controller_get_status(void) { return status; }

esp_err_t esp_bt_controller_mem_release(esp_bt_mode_t) {
  return status == ESP_BT_CONTROLLER_STATUS_IDLE ? ESP_OK : ESP_ERR_INVALID_STATE;
}

esp_err_t esp_bt_mem_release(esp_bt_mode_t mode) { return esp_bt_controller_mem_release(mode); }

esp_err_t esp_ble_scan_duplicate_list_flush(void) {
  return status == ESP_BT_CONTROLLER_STATUS_ENABLED ? ESP_OK : ESP_ERR_INVALID_STATE;
}

esp_err_t esp_ble_scan_dupilcate_list_flush(void) { return esp_ble_scan_duplicate_list_flush(); }

bool esp_vhci_host_check_send_available(void) { return status == ESP_BT_CONTROLLER_STATUS_ENABLED; }

void esp_vhci_host_send_packet(uint8_t* data, uint16_t len) {
  if (status != ESP_BT_CONTROLLER_STATUS_ENABLED) return;
  clearUnusedData(data, len);
  send(CFC_HCI_SEND, data, len);
  // On the chip the controller's task reports that it has accepted the packet, which happens at
  // once.
  if (host != nullptr) host->notify_host_send_available();
}

esp_err_t esp_vhci_host_register_callback(const esp_vhci_host_callback_t* callback) {
  if (callback == nullptr) return ESP_FAIL;
  host = callback;
  return ESP_OK;
}

}  // extern "C"
