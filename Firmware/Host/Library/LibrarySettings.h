// Settings of a build for the library that the sketch is built with.
#ifndef ESPBENCH_LIBRARY_SETTINGS_H
#define ESPBENCH_LIBRARY_SETTINGS_H

#include <cstdint>

namespace espbench {

/// Name and version of the Bluetooth host, such as "NimBLE-Arduino 2.5.1".
extern const char* const nimbleLibrary;
/// The chip that the build flags name (sdkconfig.h), as esp_chip_id_t: its controller is used.
extern const uint16_t nimbleChip;

}  // namespace espbench

#endif
