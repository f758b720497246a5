#error "driver/rmt.h is not in espbench's host core: pulses are not measured or sent"
