// Pulses counted by both drivers; a byte of the console's input chooses a case.
void former(char name);
void units(char name);

void setup() { Serial.begin(115200); }

void loop() {
  if (!Serial.available()) return delay(1);
  const char name = static_cast<char>(Serial.read());
  if (name == 'x') {
    former('c');
    units('q');
  } else if (name >= 'a') {
    units(name);
  } else {
    former(name);
  }
}
