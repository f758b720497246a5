#error "driver/rtc_io.h is not in espbench's host core: set pulls with pinMode(); deep sleep keeps no outputs"
