#error "soc/gpio_reg.h is not in espbench's host core: there are no registers of the chip; pins have pinMode(), digitalRead() and digitalWrite()"
