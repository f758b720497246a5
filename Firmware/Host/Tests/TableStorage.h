// A table that answers the firmware's storage calls (CFC_NVS_...).
#ifndef ESPBENCH_TESTS_TABLE_STORAGE_H
#define ESPBENCH_TESTS_TABLE_STORAGE_H

#include <map>
#include <string>
#include <utility>

#include "Board.h"

struct TableStorage {
  static constexpr int32_t kNotFound = 0x1102, kTypeMismatch = 0x1103, kKeyTooLong = 0x1109;

  std::map<std::string, uint32_t> spaces;
  std::map<std::pair<uint32_t, std::string>, std::pair<uint32_t, Bytes>> items;

  /// Answers a storage call; -1 for any other call.
  int32_t answer(const Message& call, Bytes& more) {
    auto item = call.as<cfc_nvs_item>();
    auto key = std::make_pair(item.name_space, std::string(item.key));
    switch (call.type) {
      case CFC_NVS_OPEN: {
        Bytes bytes = call.after<cfc_nvs_open>();
        std::string name(bytes.begin(), bytes.end());
        if (!spaces.count(name)) {
          if (!call.as<cfc_nvs_open>().may_write) return kNotFound;
          if (name.size() > 15) return kKeyTooLong;
          spaces[name] = static_cast<uint32_t>(spaces.size() + 7);
        }
        add(more, static_cast<int32_t>(spaces[name]));
        return 0;
      }
      case CFC_NVS_SET:
        items[key] = {item.type, call.after<cfc_nvs_item>()};
        return 0;
      case CFC_NVS_GET: {
        if (!items.count(key)) return kNotFound;
        if (items[key].first != item.type) return kTypeMismatch;
        const Bytes& value = items[key].second;
        add(more, static_cast<int32_t>(value.size()));
        more.insert(more.end(), value.begin(), value.end());
        return 0;
      }
      case CFC_NVS_ERASE:
        return items.erase(key) ? 0 : kNotFound;
      case CFC_NVS_ERASE_ALL:
        if (call.as<cfc_number>().value == CFC_WHOLE_PARTITION) spaces.clear();
        items.clear();
        return 0;
      case CFC_NVS_FREE_ENTRIES:
        add(more, 600);
        return 0;
      default:
        return -1;
    }
  }

 private:
  static void add(Bytes& more, int32_t number) {
    for (int i = 0; i < 4; i++) more.push_back(static_cast<uint8_t>(number >> (8 * i)));
  }
};

#endif
