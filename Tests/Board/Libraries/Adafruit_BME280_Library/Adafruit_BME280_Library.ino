// Prints the values of a BME280: temperature in °C, humidity in % and pressure
// in Pa.
#include <Adafruit_BME280.h>

static Adafruit_BME280 bme;

void setup() {
  Serial.begin(115200);
  if (!bme.begin(0x76)) Serial.println("no BME280");
}

void loop() {
  delay(200);
  float temperature = bme.readTemperature();
  float humidity = bme.readHumidity();
  Serial.printf("T %.1f RH %.0f P %.0f\n", temperature, humidity, bme.readPressure());
}
