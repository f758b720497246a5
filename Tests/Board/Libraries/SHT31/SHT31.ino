// Prints the temperature in °C and the humidity in % of the asynchronous
// interface, 'r' resets.
#include <SHT31.h>
#include <Wire.h>

static SHT31 sht(0x44);

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Serial.printf("begin %d status %04x\n", sht.begin(), sht.readStatus());
  sht.requestData();
}

void loop() {
  if (Serial.read() == 'r') Serial.printf("reset %d status %04x\n", sht.reset(), sht.readStatus());
  delay(100);
  if (sht.dataReady()) {
    bool valid = sht.readData(false);
    Serial.printf("valid %d T %.2f RH %.2f error %d\n", valid, sht.getTemperature(),
                  sht.getHumidity(), sht.getError());
    sht.requestData();
  }
}
