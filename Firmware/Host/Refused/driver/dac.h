#error "driver/dac.h is not in espbench's host core: dacWrite() sets a voltage"
