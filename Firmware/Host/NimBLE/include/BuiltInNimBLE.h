// Only in builds with the built-in NimBLE: Arduino.h includes it, so that the compiler warns of a
// #define in the .ino, which has no effect on NimBLE (see Settings/BuildSettings.cpp).
#pragma once

#include "nimconfig.h"
