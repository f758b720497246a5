// Arduino.h includes this file in builds with the built-in NimBLE. The compiler then warns of a
// #define in the .ino, which has no effect on NimBLE (see Settings/BuildSettings.cpp).
#pragma once

#include "nimconfig.h"
