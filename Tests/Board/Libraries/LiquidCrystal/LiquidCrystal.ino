// Writes to a character display on six pins.
#include <LiquidCrystal.h>

static LiquidCrystal lcd(13, 14, 16, 17, 18, 19);

void setup() {
  lcd.begin(16, 2);
  lcd.print("AB 0123456789");
  lcd.setCursor(0, 1);
  lcd.autoscroll();
  lcd.print("right");
}

void loop() {}
