// Ring buffers. Reads a line and runs the
// case of that name. The cases are in RingsCases.cpp.

void runRingCase(const String& name);

void setup() { Serial.begin(115200); }

void loop() { runRingCase(Serial.readStringUntil('\n')); }
