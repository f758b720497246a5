// Compiled for each library, with ESPBENCH_NIMBLE_LIBRARY.
#include "../LibrarySettings.h"

const char* const espbench::nimbleLibrary = ESPBENCH_NIMBLE_LIBRARY;
