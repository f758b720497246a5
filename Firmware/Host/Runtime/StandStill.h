// Light sleep: both cores stop.
#ifndef ESPBENCH_STAND_STILL_H
#define ESPBENCH_STAND_STILL_H

#include <cstdint>

#include "Runtime.h"

namespace espbench {

/// Stops all tasks until `deadline`, or until `isOver`, which is called at each change of a pin,
/// returns true. The waits of tasks, and their watchdogs, are postponed by the time of the stop.
void standStill(uint64_t deadline, bool (*isOver)());
/// True within standStill().
bool standsStill();

}  // namespace espbench

#endif
