#error "driver/timer.h is not in espbench's host core: compare millis() in loop()"
