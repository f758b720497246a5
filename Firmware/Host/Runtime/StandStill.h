// Light sleep: both cores stop.
#ifndef ESPBENCH_STAND_STILL_H
#define ESPBENCH_STAND_STILL_H

#include <cstdint>

#include "Runtime.h"

namespace espbench {

/// Stops all tasks until `deadline`, or until `isOver` says so, which is asked at each change of a
/// pin. The waits of tasks, and their watchdogs, are postponed by that time.
void standStill(uint64_t deadline, bool (*isOver)());

}  // namespace espbench

#endif
