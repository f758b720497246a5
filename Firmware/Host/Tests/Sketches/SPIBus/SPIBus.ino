// Transfers on two SPI buses; the board answers each byte with its complement.
#include <SPI.h>

SPIClass hspi(HSPI);
volatile uint32_t finished;

void other(void*) {
  SPI.beginTransaction(SPISettings(1000000, MSBFIRST, SPI_MODE0));
  SPI.transfer(0x77);
  SPI.endTransaction();
  finished = finished + 1;
  vTaskDelete(nullptr);
}

void early() {
  uint8_t bytes[2] = {1, 2};
  SPI.beginTransaction(SPISettings(4000000, MSBFIRST, SPI_MODE3));
  Serial.printf("early %02x", SPI.transfer(0x55));
  SPI.transfer(bytes, 2);
  Serial.printf(" %u %u\r\n", bytes[0], bytes[1]);
  SPI.endTransaction();
}

void numbers() {
  SPI.begin();
  Serial.printf("byte %02x", SPI.transfer(0x12));
  Serial.printf(" %04x", SPI.transfer16(0x1234));
  Serial.printf(" %08x\r\n", static_cast<unsigned>(SPI.transfer32(0x12345678)));
  SPI.beginTransaction(SPISettings(3000000, LSBFIRST, SPI_MODE2));
  Serial.printf("least first %04x", SPI.transfer16(0x1234));
  Serial.printf(" %08x\r\n", static_cast<unsigned>(SPI.transfer32(0x12345678)));
  SPI.endTransaction();
}

void blocks() {
  SPI.beginTransaction(SPISettings(8000000, MSBFIRST, SPI_MODE0));
  uint8_t bytes[3] = {0x01, 0x02, 0x03}, out[3] = {};
  SPI.transferBytes(bytes, out, 3);
  Serial.printf("out %02x %02x %02x", out[0], out[1], out[2]);
  SPI.transferBytes(nullptr, out, 2);
  Serial.printf(", read %02x %02x %02x", out[0], out[1], out[2]);
  SPI.transfer(bytes, 3);
  Serial.printf(", in place %02x %02x %02x\r\n", bytes[0], bytes[1], bytes[2]);
  uint16_t pixels[2] = {0xF800, 0x07E0};
  SPI.writePixels(pixels, sizeof pixels);
  SPI.writePattern(bytes, 3, 2);
  static uint8_t frame[10000];
  unsigned long start = micros();
  SPI.writeBytes(frame, sizeof frame);
  Serial.printf("10000 bytes: %lu us\r\n", micros() - start);
  SPI.endTransaction();
}

void clocks() {
  const uint32_t hertz[] = {1000000, 100000000, 27000000, 33000, 1000};
  for (uint32_t frequency : hertz) {
    SPI.setFrequency(frequency);
    SPI.transfer(0);
    Serial.printf(" %08x", static_cast<unsigned>(SPI.getClockDivider()));
  }
  SPI.setClockDivider(SPI_CLOCK_DIV8);
  SPI.setDataMode(SPI_MODE1);
  SPI.transfer(0);
  Serial.println();
}

void setup() {
  Serial.begin(115200);
  early();
  numbers();
  blocks();
  clocks();

  // Another task waits for the end of the transaction.
  SPI.beginTransaction(SPISettings());
  xTaskCreatePinnedToCore(other, "other", 4096, nullptr, 3, nullptr, 0);
  delay(5);
  Serial.printf("finished %u", static_cast<unsigned>(finished));
  SPI.endTransaction();
  delay(5);
  Serial.printf(" %u\r\n", static_cast<unsigned>(finished));

  hspi.begin(25, -1, 26, 27);
  hspi.setHwCs(true);
  uint8_t frame[65] = {};
  hspi.writeBytes(frame, sizeof frame);
  pinMode(26, INPUT);
  hspi.transfer(0x99);
  hspi.end();
  hspi.transfer(1);
  SPI.end();
  SPI.begin(34, 35, 32);
  SPI.transfer(2);
  Serial.println("done");
}

void loop() { delay(1000); }
