// Transactions on both I2C buses, and the results of misuse.
#include <Wire.h>

void misuse();

volatile uint32_t ticks;

void count(void*) {
  for (;;) {
    ticks = ticks + 1;
    delay(1);
  }
}

void other(void*) {
  Wire.beginTransmission(0x40);
  Wire.write(0xBB);
  int result = Wire.endTransmission();
  Serial.printf("other %d\r\n", result);
  vTaskDelete(nullptr);
}

void transactions() {
  Serial.printf("begin %d", Wire.begin());
  Serial.printf(" %d %u\r\n", Wire.begin(4, 5), Wire.getClock());
  Wire.beginTransmission(0x41);
  Serial.printf("missing %u\r\n", Wire.endTransmission());
  Serial.printf("clock %d", Wire.setClock(400000));
  Serial.printf(" %u\r\n", Wire.getClock());
  Wire.beginTransmission(0x41);
  Wire.write(7);
  Serial.printf("missing with data %u", Wire.endTransmission());
  Serial.printf(", read %u\r\n", Wire.requestFrom(0x41, 1));
  Wire.beginTransmission(0x42);
  Serial.printf("stuck %u\r\n", Wire.endTransmission());
  Wire.beginTransmission(0x80);
  Serial.printf("address %u\r\n", Wire.endTransmission());

  Serial.printf("pins %d\r\n", Wire.setPins(4, 5));
  Serial.printf("clock %d", Wire.setClock(2000000));
  Serial.printf(" %u\r\n", Wire.getClock());
  Serial.printf("buffer %u\r\n", Wire.setBufferSize(I2C_BUFFER_LENGTH));
  Wire.setTimeOut(100);
  Wire.beginTransmission(0x40);
  uint8_t bytes[130];
  for (int i = 0; i < 130; i++) bytes[i] = static_cast<uint8_t>(i);
  Serial.printf("written %u", Wire.write(bytes, sizeof bytes));
  Serial.printf(" %u", Wire.write(9));
  Serial.printf(" %u\r\n", Wire.endTransmission());

  Wire.beginTransmission(0x40);
  Wire.write(0xD0);
  Serial.printf("pending %u\r\n", Wire.endTransmission(false));
  Serial.printf("read %u:", Wire.requestFrom(0x40, 3, false));
  Serial.printf(" %d %d", Wire.available(), Wire.peek());
  while (Wire.available()) Serial.printf(" %02x", Wire.read());
  Serial.printf(" %d\r\n", Wire.read());
  Wire.beginTransmission(0x40);
  Wire.endTransmission(false);
  Serial.printf("nothing written %u\r\n", Wire.requestFrom(0x40, 3));
  Wire.beginTransmission(0x40);
  Wire.write(1);
  Wire.endTransmission(false);
  Serial.printf("another address %u\r\n", Wire.requestFrom(0x44, 1));
  // The former write is still pending.
  Serial.printf("pending %u", Wire.requestFrom(0x40, 1));
  Serial.printf(", only read %u", Wire.requestFrom(0x40, 1));
  Serial.printf(" %02x\r\n", Wire.read());
}

void time() {
  xTaskCreatePinnedToCore(count, "count", 2048, nullptr, 2, nullptr, 1);
  delay(1);
  uint32_t before = ticks;
  unsigned long start = micros();
  Wire.beginTransmission(0x50);
  Wire.write(1);
  Wire.endTransmission();
  Serial.printf("took %lu ms, %u ticks\r\n", (micros() - start) / 1000, ticks - before);
  // The other task waits for the bus until this one has ended its transaction.
  Wire.beginTransmission(0x40);
  Wire.write(0xAA);
  xTaskCreatePinnedToCore(other, "other", 4096, nullptr, 3, nullptr, 1);
  delay(10);
  Wire.write(0xAB);
  Serial.printf("mine %u\r\n", Wire.endTransmission());
  delay(10);
}

void pins() {
  Serial.printf("Wire1 %d\r\n", Wire1.begin(16, 17, 50000));
  Wire1.beginTransmission(0x40);
  Wire1.write(0x11);
  Serial.printf("sent %u\r\n", Wire1.endTransmission());
  pinMode(17, OUTPUT);
  Wire1.beginTransmission(0x40);
  Serial.printf("without a pin %u\r\n", Wire1.endTransmission());
  Serial.printf("Wire1 on Wire's %d\r\n", Wire1.begin(18, 22));
  Wire.beginTransmission(0x40);
  Wire.write(1);
  Serial.printf("Wire %u", Wire.endTransmission());
  Serial.printf(", read %u\r\n", Wire.requestFrom(0x40, 1));
  digitalWrite(18, HIGH);
  Serial.printf("end %d", Wire1.end());
  Serial.printf(" %d\r\n", Wire1.end());
  Serial.printf("after the end %u\r\n", Wire1.write(1));
}

void setup() {
  Serial.begin(115200);
  misuse();
  transactions();
  time();
  pins();
  Serial.println("done");
}

void loop() { delay(1000); }
