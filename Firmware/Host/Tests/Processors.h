// Keeps the machine's processors busy, so that the firmware and its board are interrupted at other
// places and for other times.
#ifndef ESPBENCH_TESTS_PROCESSORS_H
#define ESPBENCH_TESTS_PROCESSORS_H

#include <vector>

/// While one exists, two processes on each processor compute.
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
