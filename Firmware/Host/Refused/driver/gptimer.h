#error "driver/gptimer.h is not in espbench's host core: compare millis() in loop()"
