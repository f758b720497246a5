#error "driver/uart.h is not in espbench's host core: there is no bus, only pins, servos and the console Serial"
