// Keeps the machine's processors busy, so that the firmware and its board are interrupted at other
// places and for other durations.
#ifndef ESPBENCH_TESTS_PROCESSORS_H
#define ESPBENCH_TESTS_PROCESSORS_H

#include <vector>

/// While an object exists, two processes compute on each processor.
class BusyProcessors {
 public:
  BusyProcessors();
  ~BusyProcessors();
  BusyProcessors(const BusyProcessors&) = delete;
  BusyProcessors& operator=(const BusyProcessors&) = delete;

 private:
  std::vector<int> _processes;
};

#endif
