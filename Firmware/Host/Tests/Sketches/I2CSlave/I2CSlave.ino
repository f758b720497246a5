// Slaves on both I2C buses; a byte of the console's input chooses an action.
#include <Wire.h>
#include <esp_sleep.h>

int requests;

void received(int count) {
  Serial.printf("got %d in %s:", count, pcTaskGetName(nullptr));
  for (int i = 0; i < 6 && Wire.available() > 0; i++) Serial.printf(" %02x", Wire.read());
  Serial.printf(" then %d\r\n", Wire.available());
}

void requested() {
  requests++;
  Serial.printf("request %d\r\n", requests);
  Wire.write(0xA0 + requests);
  Wire.write(0xB0);
}

void begin() {
  Wire.onReceive(received);
  Wire.onRequest(requested);
  Serial.printf("begin %d", Wire.begin(static_cast<uint8_t>(0x28)));
  Serial.printf(" %d %d", Wire.begin(static_cast<uint8_t>(0x29)), Wire.begin());
  Wire.beginTransmission(0x40);
  Serial.printf(" end %u request %u", Wire.endTransmission(), Wire.requestFrom(0x40, 1));
  Serial.printf(" clock %u %d\r\n", Wire.getClock(), Wire.setClock(400000));
}

void prepare(size_t count) {
  uint8_t bytes[200];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = static_cast<uint8_t>(i + 1);
  Serial.printf("prepared %u\r\n", Wire.slaveWrite(bytes, count));
}

portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;

void setup() { Serial.begin(115200); }

void loop() {
  if (!Serial.available()) return delay(1);
  switch (Serial.read()) {
    case 'b':
      return begin();
    case '3':
      return prepare(3);
    case 'l':
      return prepare(200);
    case 'c':  // no interrupts for 9 ms
      portENTER_CRITICAL(&lock);
      for (int i = 0; i < 900; i++) delayMicroseconds(10);
      portEXIT_CRITICAL(&lock);
      return;
    case 'p':
      pinMode(22, INPUT);
      Serial.printf("prepared %u\r\n", Wire.slaveWrite(nullptr, 0));
      return;
    case 'e':
      Serial.printf("end %d", Wire.end());
      Serial.printf(" master %d", Wire.begin());
      Serial.printf(" slave %d\r\n", Wire.begin(static_cast<uint8_t>(0x28)));
      return;
    case 'w':
      Wire1.onRequest([] { Wire1.write(7); });
      Serial.printf("second %d\r\n", Wire1.begin(0x30, 16, 17, 400000));
      return;
    case 's':
      esp_sleep_enable_timer_wakeup(50000);
      esp_light_sleep_start();
      Serial.println("awake");
      return;
  }
}
