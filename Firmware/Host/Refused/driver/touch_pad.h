#error "driver/touch_pad.h is not in espbench's host core: touchRead() reads a touch pin"
