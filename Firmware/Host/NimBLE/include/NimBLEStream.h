// NimBLE-Arduino's streams are missing; this header has its other declarations.
#pragma once

#include <Stream.h>

#include "nimconfig.h"

class ESPBENCH_NOT_YET("NimBLEStream") NimBLEStream;
class ESPBENCH_NOT_YET("NimBLEStreamServer") NimBLEStreamServer;
class ESPBENCH_NOT_YET("NimBLEStreamClient") NimBLEStreamClient;
