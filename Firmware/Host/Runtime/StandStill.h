// Light sleep: both cores stop.
#ifndef ESPBENCH_STAND_STILL_H
#define ESPBENCH_STAND_STILL_H

#include <cstdint>

#include "Runtime.h"

namespace espbench {

/// Stops all tasks until `deadline`, or until `isOver` says so, which is asked at each change of a
/// pin. What tasks wait for and what watches them is postponed by that time.
void standStill(uint64_t deadline, bool (*isOver)());

}  // namespace espbench

#endif
