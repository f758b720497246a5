#include "StandStill.h"

#include <algorithm>

#include "Cores.h"

namespace espbench {

static bool isStanding;

bool standsStill() { return isStanding; }

void standStill(uint64_t deadline, bool (*isOver)()) {
  const uint64_t start = here->clock;
  isStanding = true;
  while (!isOver() && boardTime() < deadline) {
    handOver(CFC_SLEEPING, std::min(deadline, nextOutsideAlarm()));
    ringOutsideAlarms(boardTime());
  }
  isStanding = false;
  const uint64_t end = std::max(start, boardTime());
  const uint64_t slept = end - start;
  for (Core& core : cores) {
    core.clock = std::max(core.clock, end);
    if (core.busySince != kForEver) core.busySince += slept;
    core.criticalSince += slept;
  }
  for (Task* task = taskList; task != nullptr; task = task->next) {
    task->fedAt += slept;
    if (task->state == TaskState::blocked && task->deadline != kForEver) task->deadline += slept;
  }
  limit = 0;
  deliverInterrupts();
}

}  // namespace espbench
