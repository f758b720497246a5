// Finds a character display and the wiring of its expander, writes to it, and reads it.
#include <Wire.h>
#include <hd44780.h>
#include <hd44780ioClass/hd44780_I2Cexp.h>

static hd44780_I2Cexp lcd;

void setup() {
  Serial.begin(115200);
  Serial.printf("begin %d\n", lcd.begin(16, 2));
  lcd.lineWrap();
  lcd.print("wraps after sixteen cells");
  lcd.setCursor(6, 0);
  const char first = lcd.read(), second = lcd.read();
  Serial.printf("read %c%c, status 0x%02x\n", first, second, lcd.status());
}

void loop() {}
