// Tasks, priorities and cores. Runs the case whose name it reads; loop() is a task of core 1. The
// cases are in SchedulingCases.cpp.
