// Prints the temperature in °C and the humidity in %; 'h' and 'c' switch the
// heater.
#include <Adafruit_SHT31.h>

static Adafruit_SHT31 sht;

void setup() {
  Serial.begin(115200);
  if (!sht.begin(0x44)) Serial.println("no SHT31");
}

void loop() {
  switch (Serial.read()) {
    case 'h':
      sht.heater(true);
      break;
    case 'c':
      sht.heater(false);
      break;
  }
  float temperature, humidity;
  bool valid = sht.readBoth(&temperature, &humidity);
  Serial.printf("valid %d T %.1f RH %.1f heater %d\n", valid, temperature, humidity,
                sht.isHeaterEnabled());
  delay(200);
}
