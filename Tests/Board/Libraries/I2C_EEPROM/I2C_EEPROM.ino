// Writes, reads and compares an AT24C32. A line "w ADDRESS TEXT" writes, "r
// ADDRESS LENGTH" reads.
#include <I2C_eeprom.h>
#include <Wire.h>

static I2C_eeprom eeprom(0x50, I2C_DEVICESIZE_24LC32);

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Serial.printf("begin %d page %d\n", eeprom.begin(), eeprom.getPageSize());
}

void loop() {
  if (!Serial.available()) return delay(10);
  char command = Serial.read();
  unsigned address = Serial.parseInt();
  Serial.read();
  String text = Serial.readStringUntil('\n');
  text.trim();
  if (command == 'w') {
    Serial.printf("written %d\n",
                  eeprom.writeBlock(address, (const uint8_t*)text.c_str(), text.length()));
  } else if (command == 'r') {
    char bytes[100] = {};
    unsigned count = eeprom.readBlock(address, (uint8_t*)bytes, text.toInt());
    Serial.printf("read %u: %s\n", count, bytes);
  } else if (command == 's') {
    Serial.printf("size %u\n", (unsigned)eeprom.determineSize());
  }
}
