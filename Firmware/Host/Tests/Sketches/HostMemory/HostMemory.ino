// Allocations of the host core itself neither use the chip's heap nor fail when it is full.
#include <Preferences.h>
#include <esp_heap_caps.h>

static volatile unsigned edges;
static void* filling[4000];
static unsigned fillings;

static void IRAM_ATTR countEdge() { edges = edges + 1; }

static unsigned freeBytes() { return static_cast<unsigned>(ESP.getFreeHeap()); }

static void nothing(void*) { vTaskDelay(portMAX_DELAY); }

/// Prints the heap memory that `action` has allocated.
template <typename Action>
static void taken(const char* what, Action action) {
  const unsigned before = freeBytes();
  action();
  Serial.printf("%s %d\r\n", what, static_cast<int>(before - freeBytes()));
}

/// Makes the host core allocate memory: for pending interrupts, messages, handles, values.
static void keep() {
  portMUX_TYPE mux = portMUX_INITIALIZER_UNLOCKED;
  portENTER_CRITICAL(&mux);
  delayMicroseconds(100000);
  portEXIT_CRITICAL(&mux);
  delay(200);
  Preferences values;
  values.begin("values");
  values.putULong("number", 12345);
  Serial.printf("stored %lu, edges %u, ", static_cast<unsigned long>(values.getULong("number")),
                edges);
  values.end();
}

static void fill() {
  for (size_t size = 65536; size >= 16; size /= 2) {
    void* block;
    while (fillings < 4000 && (block = malloc(size)) != nullptr) filling[fillings++] = block;
  }
}

void setup() {
  Serial.begin(115200);
  pinMode(4, INPUT);
  attachInterrupt(4, countEdge, CHANGE);
}

void loop() {
  const String line = Serial.readStringUntil('\n');
  if (line == "keep") taken("taken", keep);
  if (line == "task") {
    TaskHandle_t task;
    // The stack, the control block, and the heap's overhead for each block.
    taken("task", [&task] { xTaskCreate(nothing, "task", 3000, nullptr, 1, &task); });
    taken("gone", [task] { vTaskDelete(task); });
  }
  if (line == "full") {
    fill();
    Serial.printf("full %d\r\n", malloc(16) == nullptr);
    taken("taken", keep);
    while (fillings > 0) free(filling[--fillings]);
  }
}
