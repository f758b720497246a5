#error "NimBLELog.h is not in espbench's host core: with NimBLE-Arduino installed, or ESPBENCH_NIMBLE=DIR, the sketch is built with the library itself, which has it"
