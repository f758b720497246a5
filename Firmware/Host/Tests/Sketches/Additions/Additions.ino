// Cases for ESP-IDF's additions to FreeRTOS, and for its reports on timers and heaps. Reads a line
// and runs the case of that name. The cases are in AdditionsCases.cpp.

void runAdditionCase(const String& name);

void setup() { Serial.begin(115200); }

void loop() { runAdditionCase(Serial.readStringUntil('\n')); }
