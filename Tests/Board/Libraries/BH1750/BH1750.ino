// Prints the illuminance in lx, rounded.
#include <BH1750.h>
#include <Wire.h>

static BH1750 meter;

void setup() {
  Serial.begin(115200);
  Wire.begin();
  if (!meter.begin(BH1750::CONTINUOUS_HIGH_RES_MODE)) Serial.println("no BH1750");
}

// A line 'h' selects steps of half a lux, 'l' of 4 lx, and 'm' the longest
// measurement.
void loop() {
  switch (Serial.read()) {
    case 'h':
      meter.configure(BH1750::CONTINUOUS_HIGH_RES_MODE_2);
      break;
    case 'l':
      meter.configure(BH1750::CONTINUOUS_LOW_RES_MODE);
      break;
    case 'm':
      Serial.println(meter.setMTreg(254) ? "long" : "refused");
      break;
  }
  if (meter.measurementReady()) Serial.printf("light %.1f\n", meter.readLightLevel());
  delay(50);
}
