// Ring buffers. Does what the line it reads names.
// They are in RingsCases.cpp.

void runRingCase(const String& name);

void setup() { Serial.begin(115200); }

void loop() { runRingCase(Serial.readStringUntil('\n')); }
