// Build settings of a sketch that uses the NimBLE-Arduino library.
#ifndef ESPBENCH_LIBRARY_SETTINGS_H
#define ESPBENCH_LIBRARY_SETTINGS_H

#include <cstdint>

namespace espbench {

/// Name and version of the Bluetooth host, such as "NimBLE-Arduino 2.5.1".
extern const char* const nimbleLibrary;
/// The chip of the build flags (sdkconfig.h), as esp_chip_id_t; the board uses this chip's
/// controller.
extern const uint16_t nimbleChip;

}  // namespace espbench

#endif
