#error "driver/i2c.h is not in espbench's host core: I2C has Arduino's functions, Wire.h"
