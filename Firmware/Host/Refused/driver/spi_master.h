#error "driver/spi_master.h is not in espbench's host core: SPI has Arduino's functions, SPI.h"
