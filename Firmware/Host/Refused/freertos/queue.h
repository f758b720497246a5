#error "freertos/queue.h is not in espbench's host core: compare millis() in loop()"
