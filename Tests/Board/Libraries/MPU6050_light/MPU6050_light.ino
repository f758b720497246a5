// Prints acceleration in g, rotation in °/s and temperature in °C; a digit
// selects the ranges.
#include <MPU6050_light.h>
#include <Wire.h>

static MPU6050 mpu(Wire);

void setup() {
  Serial.begin(115200);
  Wire.begin();
  Serial.printf("begin %d\n", mpu.begin());
}

void loop() {
  int range = Serial.read() - '0';
  if (range >= 0 && range <= 3)
    Serial.printf("ranges %d %d\n", mpu.setGyroConfig(range), mpu.setAccConfig(range));
  mpu.update();
  Serial.printf("a %.2f %.2f %.2f g %.1f %.1f %.1f T %.1f\n", mpu.getAccX(), mpu.getAccY(),
                mpu.getAccZ(), mpu.getGyroX(), mpu.getGyroY(), mpu.getGyroZ(), mpu.getTemp());
  Serial.printf("angle %.1f %.1f %.1f\n", mpu.getAccAngleX(), mpu.getAccAngleY(), mpu.getAngleZ());
  delay(100);
}
