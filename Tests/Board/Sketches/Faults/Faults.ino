// Classic faults of ESP32 peripherals: FaultCases.cpp.
