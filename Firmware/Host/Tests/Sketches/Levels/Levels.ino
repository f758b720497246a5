// Runs the cases of LevelsCases.cpp.
void startLevels();
void runCase(int name);
/// True in a loop() that shall return at once.
bool isLooping();

void setup() { startLevels(); }

void loop() {
  if (isLooping()) return;
  if (!Serial.available()) return delay(1);
  runCase(Serial.read());
}
