// Runs the cases of LevelsCases.cpp.
void startLevels();
void runCase(int name);

void setup() { startLevels(); }

void loop() {
  if (!Serial.available()) return delay(1);
  runCase(Serial.read());
}
