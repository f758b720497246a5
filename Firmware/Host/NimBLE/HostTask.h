// The task in which callbacks run.
#ifndef ESPBENCH_HOST_TASK_H
#define ESPBENCH_HOST_TASK_H

namespace espbench {

/// false when the heap has no room for it.
bool startHostTask();
/// Ends it, unless it is the caller.
void stopHostTask();

}  // namespace espbench

#endif
