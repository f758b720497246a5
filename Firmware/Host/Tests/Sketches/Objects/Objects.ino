// Queues, semaphores, mutexes, event groups, notifications and buffers, between loop() on core 1
// They are in ObjectsCases.cpp.
