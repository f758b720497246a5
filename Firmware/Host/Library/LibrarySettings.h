// What a build says about the library that the sketch is built with.
#ifndef ESPBENCH_LIBRARY_SETTINGS_H
#define ESPBENCH_LIBRARY_SETTINGS_H

namespace espbench {

/// Name and version of the Bluetooth host, such as "NimBLE-Arduino 2.5.1".
extern const char* const nimbleLibrary;

}  // namespace espbench

#endif
