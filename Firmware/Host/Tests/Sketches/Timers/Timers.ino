// Timers: esp_timer, Ticker, FreeRTOS's software timers and hardware timers. Runs the case whose
// name it reads. The cases are in TimersCases.cpp.
