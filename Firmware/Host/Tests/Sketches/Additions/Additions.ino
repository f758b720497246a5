// Cases for ESP-IDF's additions to FreeRTOS, and for its reports on timers and heaps. Runs the case
// that the line it reads names. They are in AdditionsCases.cpp.

void runAdditionCase(const String& name);

void setup() { Serial.begin(115200); }

void loop() { runAdditionCase(Serial.readStringUntil('\n')); }
