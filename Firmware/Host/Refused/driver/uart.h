#error "driver/uart.h is not in espbench's host core: UARTs are Serial, Serial1 and Serial2"
