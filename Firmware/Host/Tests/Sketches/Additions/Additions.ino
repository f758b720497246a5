// What ESP-IDF adds to FreeRTOS and tells of timers and heaps. Does what the line it reads names.
// They are in AdditionsCases.cpp.

void runAdditionCase(const String& name);

void setup() { Serial.begin(115200); }

void loop() { runAdditionCase(Serial.readStringUntil('\n')); }
