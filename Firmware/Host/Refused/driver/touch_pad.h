#error "driver/touch_pad.h is not in espbench's host core: there are no touch pins"
