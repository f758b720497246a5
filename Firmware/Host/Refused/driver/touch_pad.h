#error "driver/touch_pad.h is not in espbench's host core: the virtual board does not sleep"
