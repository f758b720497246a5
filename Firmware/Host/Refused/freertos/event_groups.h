#error "freertos/event_groups.h is not in espbench's host core: compare millis() in loop()"
