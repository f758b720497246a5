#error "freertos/timers.h is not in espbench's host core: compare millis() in loop()"
