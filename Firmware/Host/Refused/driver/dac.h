#error "driver/dac.h is not in espbench's host core: there is no analog output"
