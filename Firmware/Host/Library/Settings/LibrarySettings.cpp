// Compiled for each library, with ESPBENCH_NIMBLE_LIBRARY and the sketch's build flags.
#include "../LibrarySettings.h"

#include "sdkconfig.h"

const char* const espbench::nimbleLibrary = ESPBENCH_NIMBLE_LIBRARY;
const uint16_t espbench::nimbleChip = CONFIG_IDF_FIRMWARE_CHIP_ID;
