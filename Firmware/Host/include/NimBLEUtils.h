#pragma once

#include <cstdint>
#include <string>

class NimBLEUtils {
 public:
  static std::string dataToHexString(const uint8_t* source, uint8_t length);
};
