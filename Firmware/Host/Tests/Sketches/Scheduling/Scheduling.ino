// Tasks, priorities and cores. Runs the case whose name it reads; loop() is a task of core 1.
// They are in SchedulingCases.cpp.
