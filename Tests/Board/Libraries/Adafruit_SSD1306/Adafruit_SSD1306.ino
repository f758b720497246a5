// Draws on a display: 'p' a picture, 'd' dims it, 'o' and 'f' switch it on and
// off.
#include <Adafruit_SSD1306.h>
#include <Wire.h>

static Adafruit_SSD1306 display(128, 64, &Wire, -1);

void setup() {
  Serial.begin(115200);
  Serial.printf("begin %d\n", display.begin(SSD1306_SWITCHCAPVCC, 0x3C));
}

void loop() {
  switch (Serial.read()) {
    case 'p':
      display.clearDisplay();
      display.setTextColor(SSD1306_WHITE);
      display.println("21.5 C");
      display.drawRect(0, 16, 128, 48, SSD1306_WHITE);
      display.display();
      Serial.println("drawn");
      break;
    case 'd':
      display.dim(true);
      break;
    case 'b':
      display.dim(false);
      break;
    case 'o':
      display.ssd1306_command(SSD1306_DISPLAYON);
      break;
    case 'f':
      display.ssd1306_command(SSD1306_DISPLAYOFF);
      break;
  }
  delay(10);
}
