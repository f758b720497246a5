// Queues, semaphores, mutexes, event groups, notifications and buffers, between loop() on core 1
// and tasks. The cases are in ObjectsCases.cpp.
