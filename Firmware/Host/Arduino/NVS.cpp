#include "NVS.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "../Runtime/Heap.h"
#include "../Runtime/Runtime.h"

namespace espbench {
namespace {

/// More than fits in the partition of a 4 MB flash, and less than a message of the channel.
constexpr size_t kLongestValue = 60000;
/// More than ESP-IDF's 15 characters, so that the storage refuses longer names.
constexpr size_t kLongestName = 64;

/// A flash write first halts the other core and waits for its answer (esp_ipc). In an interrupt or
/// a critical section the wait never ends, and the interrupt watchdog resets the chip.
void haltOtherCore() {
  while (inInterrupt() || inCritical()) spend(kTickNanoseconds);
}

/// Fills `item`; false when the key is too long to be stored.
bool fill(cfc_nvs_item& item, uint32_t nameSpace, uint32_t type, const char* key) {
  item = {};
  item.name_space = nameSpace;
  item.type = type;
  size_t length = strlen(key);
  if (length >= sizeof item.key) return false;
  memcpy(item.key, key, length);
  return true;
}

}  // namespace

esp_err_t nvsOpen(const char* name, bool mayWrite, uint32_t& nameSpace) {
  if (mayWrite) haltOtherCore();
  cfc_nvs_open message = {mayWrite, 0};
  cfc_number answer = {};
  esp_err_t error = call(CFC_NVS_OPEN, &message, sizeof message, name, strnlen(name, kLongestName),
                         &answer, sizeof answer);
  nameSpace = static_cast<uint32_t>(answer.value);
  return error;
}

esp_err_t nvsSet(uint32_t nameSpace, uint32_t type, const char* key, const void* value,
                 size_t length) {
  cfc_nvs_item item;
  if (!fill(item, nameSpace, type, key)) return ESP_ERR_NVS_KEY_TOO_LONG;
  if (length > kLongestValue) return ESP_ERR_NVS_NOT_ENOUGH_SPACE;
  haltOtherCore();
  return call(CFC_NVS_SET, &item, sizeof item, value, length);
}

esp_err_t nvsGet(uint32_t nameSpace, uint32_t type, const char* key, void* value, size_t capacity,
                 size_t& length) {
  length = 0;
  cfc_nvs_item item;
  if (!fill(item, nameSpace, type, key)) return ESP_ERR_NVS_NOT_FOUND;
  cfc_number size = {};
  HostScope own;
  std::vector<uint8_t> answer(sizeof size + capacity);
  esp_err_t error = call(CFC_NVS_GET, &item, sizeof item, nullptr, 0, answer.data(), answer.size());
  if (error != ESP_OK) return error;
  memcpy(&size, answer.data(), sizeof size);
  length = static_cast<size_t>(size.value);
  if (capacity > 0) memcpy(value, answer.data() + sizeof size, std::min(capacity, length));
  return ESP_OK;
}

esp_err_t nvsErase(uint32_t nameSpace, const char* key) {
  cfc_nvs_item item;
  if (!fill(item, nameSpace, 0, key)) return ESP_ERR_NVS_NOT_FOUND;
  haltOtherCore();
  return call(CFC_NVS_ERASE, &item, sizeof item);
}

esp_err_t nvsEraseAll(uint32_t nameSpace) {
  haltOtherCore();
  cfc_number message = {static_cast<int32_t>(nameSpace)};
  return call(CFC_NVS_ERASE_ALL, &message, sizeof message);
}

esp_err_t nvsErasePartition() {
  haltOtherCore();
  cfc_number message = {CFC_WHOLE_PARTITION};
  return call(CFC_NVS_ERASE_ALL, &message, sizeof message);
}

esp_err_t nvsFreeEntries(size_t& count) {
  cfc_number answer = {};
  esp_err_t error = call(CFC_NVS_FREE_ENTRIES, nullptr, 0, nullptr, 0, &answer, sizeof answer);
  count = static_cast<size_t>(answer.value);
  return error;
}

}  // namespace espbench
