// Follows a level with a lamp, a servo and a pin; reports it, a door, a free pin and a sensor.
#include <Wire.h>

static const int kLevel = 34, kDoor = 27, kFree = 14, kLamp = 26, kArm = 13, kOutput = 4,
                 kSignal = 5, kLight = 18;

void setup() {
  Serial.begin(115200);
  pinMode(kDoor, INPUT_PULLUP);
  pinMode(kFree, INPUT_PULLUP);
  pinMode(kOutput, OUTPUT);
  ledcAttach(kLamp, 5000, 8);
  ledcAttach(kArm, 50, 14);
  ledcAttach(kSignal, 2000, 8);
  ledcWrite(kSignal, 64);
  rgbLedWrite(kLight, 255, 128, 0);
  Wire.begin();
  Serial.println("ready");
}

static void reportSensor() {
  Wire.beginTransmission(0x10);
  Wire.write(0);
  if (Wire.endTransmission() == 0 && Wire.requestFrom(0x10, 1) == 1) {
    Serial.printf("count %d\n", Wire.read());
  } else {
    Serial.println("no count");
  }
}

static void report(int pin, bool& was, const char* name) {
  bool isLow = digitalRead(pin) == LOW;
  if (isLow != was) Serial.printf("%s %s\n", name, isLow ? "low" : "high");
  was = isLow;
}

void loop() {
  static bool wasDoor = false, wasFree = false;
  static int former = -1;
  report(kDoor, wasDoor, "door");
  report(kFree, wasFree, "free");
  int percent = analogReadMilliVolts(kLevel) / 31;
  if (abs(percent - former) > 1) {
    former = percent;
    Serial.printf("level %d\n", percent);
    ledcWrite(kLamp, min(percent, 100) * 255 / 100);
    // From 0.544 ms to 2.4 ms of 20 ms.
    ledcWrite(kArm, 446 + percent * 1520 / 100);
    digitalWrite(kOutput, percent > 50 ? HIGH : LOW);
  }
  if (Serial.available() > 0) {
    String line = Serial.readStringUntil('\n');
    if (line == "count") reportSensor();
    if (line == "drive") {
      pinMode(kDoor, OUTPUT);
      digitalWrite(kDoor, HIGH);
    }
    Serial.println("done " + line);
  }
  delay(5);
}
