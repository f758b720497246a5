// ESP-IDF 5.5 esp_bt.h: with the transmit power of the common header, the ESP32's controller and
// its virtual HCI, for a Bluetooth host in the firmware.
//
// The controller is the virtual board's. Parameters of its radio and its filter of duplicates are
// accepted, and have no effect.
#pragma once

#include_next "esp_bt.h"
#include "esp_task.h"
#include "sdkconfig.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ESP_BT_CONTROLLER_CONFIG_MAGIC_VAL 0x20250318
#define BTDM_CONTROLLER_BLE_MAX_CONN_LIMIT 9

typedef enum {
  ESP_BT_MODE_IDLE = 0x00,
  ESP_BT_MODE_BLE = 0x01,
  ESP_BT_MODE_CLASSIC_BT = 0x02,
  ESP_BT_MODE_BTDM = 0x03
} esp_bt_mode_t;

typedef enum {
  ESP_BT_CONTROLLER_STATUS_IDLE = 0,
  ESP_BT_CONTROLLER_STATUS_INITED,
  ESP_BT_CONTROLLER_STATUS_ENABLED,
  ESP_BT_CONTROLLER_STATUS_NUM
} esp_bt_controller_status_t;

/// The configuration of the ESP32's controller. Checked fields: the task's priority and stack, the
/// mode, the connections.
typedef struct {
  uint16_t controller_task_stack_size;
  uint8_t controller_task_prio;
  uint8_t hci_uart_no;
  uint32_t hci_uart_baudrate;
  uint8_t scan_duplicate_mode;
  uint8_t scan_duplicate_type;
  uint16_t normal_adv_size;
  uint16_t mesh_adv_size;
  uint16_t send_adv_reserved_size;
  uint32_t controller_debug_flag;
#ifdef CONFIG_IDF_TARGET_ESP32S3
  union {
    uint8_t mode;
    uint8_t bluetooth_mode;  ///< name of `mode` on the ESP32-S3
  };
#else
  uint8_t mode;
#endif
  uint8_t ble_max_conn;
  uint8_t bt_max_acl_conn;
  uint8_t bt_sco_datapath;
  bool auto_latency;
  bool bt_legacy_auth_vs_evt;
  uint8_t bt_max_sync_conn;
  uint8_t ble_sca;
  uint8_t pcm_role;
  uint8_t pcm_polar;
  uint8_t pcm_fsyncshp;
  bool hli;
  uint8_t enc_key_sz_min;
  uint16_t dup_list_refresh_period;
  bool ble_scan_backoff;
  uint8_t ble_llcp_disc_flag;
  bool ble_aa_check;
  uint8_t ble_chan_ass_en;
  uint8_t ble_ping_en;
  uint8_t ble_max_act;  ///< ESP32-S3, in place of ble_max_conn; no effect
  uint32_t magic;
} esp_bt_controller_config_t;

// The ESP32-S3 has no Classic Bluetooth.
#ifdef CONFIG_IDF_TARGET_ESP32S3
#define ESPBENCH_BT_MODE ESP_BT_MODE_BLE
#else
#define ESPBENCH_BT_MODE ESP_BT_MODE_BTDM
#endif
#define BT_CONTROLLER_INIT_CONFIG_DEFAULT()                                                     \
  {                                                                                             \
    .controller_task_stack_size = ESP_TASK_BT_CONTROLLER_STACK,                                 \
    .controller_task_prio = ESP_TASK_BT_CONTROLLER_PRIO, .hci_uart_no = 1,                      \
    .hci_uart_baudrate = 921600, .scan_duplicate_mode = 0,                                      \
    .scan_duplicate_type = CONFIG_BTDM_SCAN_DUPL_TYPE,                                          \
    .normal_adv_size = CONFIG_BTDM_SCAN_DUPL_CACHE_SIZE, .mesh_adv_size = 0,                    \
    .send_adv_reserved_size = 1000, .controller_debug_flag = 0, .mode = ESPBENCH_BT_MODE,       \
    .ble_max_conn = CONFIG_BTDM_CTRL_BLE_MAX_CONN_EFF,                                          \
    .bt_max_acl_conn = CONFIG_BTDM_CTRL_BR_EDR_MAX_ACL_CONN_EFF, .bt_sco_datapath = 0,          \
    .auto_latency = false, .bt_legacy_auth_vs_evt = true,                                       \
    .bt_max_sync_conn = CONFIG_BTDM_CTRL_BR_EDR_MAX_SYNC_CONN_EFF, .ble_sca = 1, .pcm_role = 0, \
    .pcm_polar = 0, .pcm_fsyncshp = 0, .hli = true, .enc_key_sz_min = 7,                        \
    .dup_list_refresh_period = CONFIG_BTDM_SCAN_DUPL_CACHE_REFRESH_PERIOD,                      \
    .ble_scan_backoff = false, .ble_llcp_disc_flag = 0, .ble_aa_check = false,                  \
    .ble_chan_ass_en = 0, .ble_ping_en = 0, .magic = ESP_BT_CONTROLLER_CONFIG_MAGIC_VAL,        \
  }

/// Starts the task btController. ESP_ERR_INVALID_STATE unless the status is IDLE,
/// ESP_ERR_INVALID_ARG for invalid parameters, ESP_ERR_NO_MEM when the heap has no room for the
/// task.
esp_err_t esp_bt_controller_init(esp_bt_controller_config_t* cfg);
/// Returns ESP_ERR_INVALID_STATE unless the status is INITED.
esp_err_t esp_bt_controller_deinit(void);
/// Starts the board's controller. `mode` must be the mode of esp_bt_controller_init(), otherwise
/// ESP_ERR_INVALID_ARG; ESP_ERR_INVALID_STATE unless the status is INITED.
esp_err_t esp_bt_controller_enable(esp_bt_mode_t mode);
/// Stops the controller: advertising and connections end. ESP_ERR_INVALID_STATE unless the status
/// is ENABLED.
esp_err_t esp_bt_controller_disable(void);
esp_bt_controller_status_t esp_bt_controller_get_status(void);
/// Accepted while the status is IDLE: the virtual chip's heap has this memory from the start.
esp_err_t esp_bt_controller_mem_release(esp_bt_mode_t mode);
esp_err_t esp_bt_mem_release(esp_bt_mode_t mode);

/// The board's controller forgets which advertisers it has reported when a scan starts; so this
/// call has no effect before a scan. ESP_ERR_INVALID_STATE unless the status is ENABLED.
esp_err_t esp_ble_scan_duplicate_list_flush(void);
esp_err_t esp_ble_scan_dupilcate_list_flush(void);

/// Both callbacks are called in the task btController.
typedef struct esp_vhci_host_callback {
  void (*notify_host_send_available)(void);
  int (*notify_host_recv)(uint8_t* data, uint16_t len);  ///< an H4 packet
} esp_vhci_host_callback_t;

/// True if the controller is enabled: the board's controller accepts packets without delay. HCI's
/// flow control limits ACL data.
bool esp_vhci_host_check_send_available(void);
/// An H4 packet: a command or ACL data.
void esp_vhci_host_send_packet(uint8_t* data, uint16_t len);
/// `callback` must remain valid. ESP_FAIL when it is NULL.
esp_err_t esp_vhci_host_register_callback(const esp_vhci_host_callback_t* callback);

#ifdef __cplusplus
}
#endif
