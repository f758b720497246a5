// ESP-IDF 5 nvs_flash.h: the partition of the non-volatile storage. arduino-esp32 has initialised
// it before setup().
#pragma once

#include "nvs.h"

#ifdef __cplusplus
extern "C" {
#endif

esp_err_t nvs_flash_init(void);
/// ESP_ERR_NOT_FOUND for another partition than "nvs".
esp_err_t nvs_flash_init_partition(const char* partition_label);
/// Closes all handles. ESP_ERR_NVS_NOT_INITIALIZED when it is not initialised.
esp_err_t nvs_flash_deinit(void);
esp_err_t nvs_flash_deinit_partition(const char* partition_label);
/// Erases the partition: all namespaces, the bonds of a Bluetooth library too. It is not
/// initialised afterwards.
esp_err_t nvs_flash_erase(void);
esp_err_t nvs_flash_erase_partition(const char* part_name);

#ifdef __cplusplus
}
#endif
