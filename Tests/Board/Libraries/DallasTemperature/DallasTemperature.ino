// Prints the temperatures of all DS18B20 at pin 25; a digit is the resolution,
// 'a' sets alarms below 0 and above 30 °C.
#include <DallasTemperature.h>
#include <OneWire.h>

static OneWire wire(25);
static DallasTemperature sensors(&wire);

void setup() {
  Serial.begin(115200);
  sensors.begin();
  Serial.printf("%d sensors, parasite %d\n", sensors.getDeviceCount(),
                sensors.isParasitePowerMode());
}

void loop() {
  int command = Serial.read();
  DeviceAddress address;
  if (command == '9') sensors.setResolution(9);
  if (command == '2') sensors.setResolution(12);
  if (command == 'a' && sensors.getAddress(address, 0)) {
    sensors.setHighAlarmTemp(address, 30);
    sensors.setLowAlarmTemp(address, 0);
  }
  sensors.requestTemperatures();
  for (int index = 0; index < sensors.getDeviceCount(); index++)
    Serial.printf("%.4f ", sensors.getTempCByIndex(index));
  sensors.getAddress(address, 0);
  Serial.printf("bits %d alarm %d\n", sensors.getResolution(), sensors.hasAlarm(address));
}
