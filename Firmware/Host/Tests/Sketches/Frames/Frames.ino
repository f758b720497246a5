// Measures the stack that calls of the host core and of the C library use, each call in a task of
// its own.
#include <Preferences.h>

#include <functional>
#include <string>
#include <vector>

static constexpr uint32_t kStack = 16384;
static volatile bool isDone;

using Action = void (*)();

static void run(void* action) {
  reinterpret_cast<Action>(action)();
  isDone = true;
  vTaskSuspend(nullptr);
}

static void nothing() {}

static uint32_t used(Action action) {
  TaskHandle_t task;
  isDone = false;
  xTaskCreatePinnedToCore(run, "frames", kStack, reinterpret_cast<void*>(action), 1, &task, 0);
  while (!isDone) delay(1);
  const uint32_t bytes = kStack - uxTaskGetStackHighWaterMark(task);
  vTaskDelete(task);
  return bytes;
}

static void measure(const char* what, Action action) {
  const uint32_t bytes = used(action);
  // The measured action may have printed.
  Serial.printf("\r\n# %s %u\r\n", what, static_cast<unsigned>(bytes));
}

static char text[128];
static volatile double number = 3.14159;
static QueueHandle_t queue;

void setup() {
  Serial.begin(115200);
  queue = xQueueCreate(1, 4);
  measure("nothing", nothing);
  measure("millis", [] { millis(); });
  measure("delay", [] { delay(2); });
  measure("digitalWrite", [] { digitalWrite(2, HIGH); });
  measure("malloc", [] { free(malloc(100)); });
  measure("queue", [] {
    int item = 1;
    xQueueSend(queue, &item, 0);
    xQueueReceive(queue, &item, 2);
  });
  measure("vector", [] { std::vector<int>(10).push_back(1); });
  measure("String", [] { Serial.print((String("a text that needs a block ") + 5).length()); });
  measure("println", [] { Serial.println("text"); });
  measure("println number", [] { Serial.println(12345); });
  measure("println double", [] { Serial.println(number); });
  measure("Serial.printf", [] { Serial.printf("%d %s\r\n", 5, "text"); });
  measure("Serial.printf double", [] { Serial.printf("%.3f\r\n", number); });
  measure("printf", [] { printf("%d\n", 5); });
  measure("snprintf", [] { snprintf(text, sizeof text, "%d %s", 5, "text"); });
  measure("snprintf double", [] { snprintf(text, sizeof text, "%.3f", number); });
  measure("sscanf", [] {
    int value;
    sscanf("5", "%d", &value);
  });
  measure("strtod", [] { number = strtod("1.5", nullptr); });
  measure("std::to_string", [] { std::to_string(5); });
  measure("function", [] {
    std::function<void()> function = nothing;
    function();
  });
  measure("Preferences", [] {
    Preferences preferences;
    preferences.begin("frames");
    preferences.putULong("key", 5);
    preferences.end();
  });
  Serial.println("done");
}

void loop() { delay(1000); }
