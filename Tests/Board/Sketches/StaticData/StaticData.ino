// Static data take their part of the heap.
static volatile uint8_t buffer[80000];

void setup() {
  Serial.begin(115200);
  buffer[millis()] = 1;
  const uint32_t size = ESP.getHeapSize();
  int blocks = 0;
  while (malloc(50000) != nullptr) blocks++;
  Serial.printf("heap %u, blocks %d\n", size, blocks);
}

void loop() { delay(100); }
