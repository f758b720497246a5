// Prints bus voltage, shunt voltage, current and power; digits select the
// library's calibration.
#include <Adafruit_INA219.h>

static Adafruit_INA219 ina(0x40);

void setup() {
  Serial.begin(115200);
  if (!ina.begin()) Serial.println("no INA219");
}

void loop() {
  switch (Serial.read()) {
    case '1':
      ina.setCalibration_32V_1A();
      break;
    case '2':
      ina.setCalibration_32V_2A();
      break;
    case '4':
      ina.setCalibration_16V_400mA();
      break;
  }
  delay(20);
  float bus = ina.getBusVoltage_V(), shunt = ina.getShuntVoltage_mV(),
        current = ina.getCurrent_mA();
  Serial.printf("%.3f V %.2f mV %.1f mA %.0f mW\n", bus, shunt, current, ina.getPower_mW());
}
