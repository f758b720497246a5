// The settings of NimBLE that a sketch's build flags may change.
#ifndef ESPBENCH_BUILD_SETTINGS_H
#define ESPBENCH_BUILD_SETTINGS_H

#include <cstdint>

namespace espbench {

struct BuildSettings {
  uint8_t secureConnectionsOnly;
  uint8_t maximumBonds;
  uint8_t maximumSubscriptions;
  uint8_t maximumFeatures;
  uint8_t maximumPairings;
  uint16_t blockCount;  ///< of NimBLE's pool of buffers (MSYS 1)
  uint16_t blockSize;   ///< bytes
};

/// The settings of the sketch that is linked with the host core.
extern const BuildSettings buildSettings;

}  // namespace espbench

#endif
