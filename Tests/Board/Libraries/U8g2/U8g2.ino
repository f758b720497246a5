// Draws with both of the library's interfaces: 'g' a box in a frame, 't' text of 8 x 8 tiles, '0'
// and '9' the contrast.
#include <U8g2lib.h>
#include <U8x8lib.h>

static U8G2_SSD1306_128X64_NONAME_F_HW_I2C graphics(U8G2_R0);
static U8X8_SSD1306_128X64_NONAME_HW_I2C text;

void setup() {
  Serial.begin(115200);
  graphics.begin();
  Serial.println("ready");
}

void loop() {
  int command = Serial.read();
  switch (command) {
    case 'g':
      graphics.clearBuffer();
      graphics.drawFrame(0, 0, 128, 64);
      graphics.drawBox(10, 20, 30, 4);
      graphics.sendBuffer();
      break;
    case 't':
      text.begin();
      text.setFont(u8x8_font_chroma48medium8_r);
      text.drawString(0, 0, "21.5 C");
      break;
    case '0':
      graphics.setContrast(0);
      break;
    case '9':
      graphics.setContrast(255);
      break;
    case 's':
      graphics.setPowerSave(1);
      break;
    case 'w':
      graphics.setPowerSave(0);
      break;
    default:
      return delay(10);
  }
  Serial.printf("done %c\n", command);
}
