#error "driver/rmt.h is not in espbench's host core: pulses are sent by esp32-hal-rmt.h of arduino-esp32 3"
