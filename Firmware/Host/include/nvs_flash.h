// ESP-IDF 5 nvs_flash.h: the partition of the non-volatile storage. arduino-esp32 has initialised
// it before setup().
#pragma once

#include "nvs.h"

#ifdef __cplusplus
extern "C" {
#endif

esp_err_t nvs_flash_init(void);
/// Returns ESP_ERR_NOT_FOUND for a partition other than "nvs".
esp_err_t nvs_flash_init_partition(const char* partition_label);
/// Closes all handles. Returns ESP_ERR_NVS_NOT_INITIALIZED when the partition is not initialised.
esp_err_t nvs_flash_deinit(void);
esp_err_t nvs_flash_deinit_partition(const char* partition_label);
/// Erases the partition: all namespaces, including the bonds of a Bluetooth library. The partition
/// is not initialised afterwards.
esp_err_t nvs_flash_erase(void);
esp_err_t nvs_flash_erase_partition(const char* part_name);

#ifdef __cplusplus
}
#endif
