// arduino-esp32 3.x esp32-hal-spi.h: the constants of SPI.h.
#pragma once

#define SPI_HAS_TRANSACTION

#define FSPI 1
#define HSPI 2
#define VSPI 3

// Clock dividers, named after those of an AVR at 16 MHz
#define SPI_CLOCK_DIV2 0x00101001
#define SPI_CLOCK_DIV4 0x00241001
#define SPI_CLOCK_DIV8 0x004c1001
#define SPI_CLOCK_DIV16 0x009c1001
#define SPI_CLOCK_DIV32 0x013c1001
#define SPI_CLOCK_DIV64 0x027c1001
#define SPI_CLOCK_DIV128 0x04fc1001

#define SPI_MODE0 0
#define SPI_MODE1 1
#define SPI_MODE2 2
#define SPI_MODE3 3

#define SPI_LSBFIRST 0
#define SPI_MSBFIRST 1
