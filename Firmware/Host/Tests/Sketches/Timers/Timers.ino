// Timers: esp_timer, Ticker, FreeRTOS's software timers and hardware timers. Runs the case whose
// They are in TimersCases.cpp.
