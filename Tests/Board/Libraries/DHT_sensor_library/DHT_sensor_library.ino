// Prints the values of a DHT22 at pin 25 and of a DHT11 at pin 26.
#include <DHT.h>

static DHT outside(25, DHT22), inside(26, DHT11);

void setup() {
  Serial.begin(115200);
  outside.begin();
  inside.begin();
}

void loop() {
  delay(2100);
  Serial.printf("outside %.1f C %.1f %%", outside.readTemperature(), outside.readHumidity());
  Serial.printf(", inside %.1f C %.0f %%\n", inside.readTemperature(), inside.readHumidity());
}
