// A line is the colour of one light in hexadecimal, such as "2 FF8000"; 'b'
// sets the brightness.
#include <Adafruit_NeoPixel.h>

static Adafruit_NeoPixel strip(4, 25, NEO_GRB + NEO_KHZ800);

void setup() {
  Serial.begin(115200);
  strip.begin();
  strip.show();
  Serial.println("ready");
}

void loop() {
  if (!Serial.available()) return delay(10);
  String line = Serial.readStringUntil('\n');
  if (line[0] == 'b') {
    strip.setBrightness(line.substring(2).toInt());
  } else {
    strip.setPixelColor(line.toInt(), strtoul(line.c_str() + 2, nullptr, 16));
  }
  strip.show();
}
