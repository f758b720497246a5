// Writes to two character displays of 20 x 4 and 16 x 2.
#include <LiquidCrystal_I2C.h>

static LiquidCrystal_I2C large(0x27, 20, 4), small(0x3F, 16, 2);
static byte bell[8] = {4, 14, 14, 14, 31, 0, 4, 0};

void setup() {
  Serial.begin(115200);
  large.init();
  large.backlight();
  small.init();
  small.createChar(3, bell);
  small.clear();
  large.print("Hello, world");
  large.setCursor(2, 1);
  large.printf("%.1f %cC", 23.5, 0xDF);
  large.setCursor(0, 2);
  large.print("line 3");
  large.setCursor(14, 3);
  large.print("line 4");
  small.write(3);
  small.print(" alarm");
}

void loop() {
  switch (Serial.read()) {
    case 'l':
      return large.scrollDisplayLeft();
    case 'r':
      return large.scrollDisplayRight();
    case 'h':
      return large.home();
    case 'n':
      return large.noDisplay();
    case 'd':
      return large.display();
    case 'o':
      return large.noBacklight();
    case 'b':
      return small.backlight();
    case 'c':
      return large.clear();
    case 'a':
      return small.rightToLeft();
    case 'x':
      small.print("abc");
  }
}
