// Delays and time-outs end at ticks.

static QueueHandle_t queue;
static TaskHandle_t waiting;

/// The time since the last tick, and the duration of a wait that begins `after` us behind a tick.
template <typename Wait>
static void measure(const char* what, uint32_t after, Wait wait) {
  // Waits for a tick, then for a time after it.
  vTaskDelay(1);
  delayMicroseconds(after);
  const TickType_t tick = xTaskGetTickCount();
  const uint32_t begin = micros();
  wait();
  const uint32_t end = micros();
  Serial.printf("%s %u: %u us, ticks %u, then %u\r\n", what, static_cast<unsigned>(after),
                static_cast<unsigned>((end - begin + 50) / 100 * 100),
                static_cast<unsigned>(xTaskGetTickCount() - tick),
                static_cast<unsigned>(end % 1000 / 100));
}

static void notifyLater(void*) {
  for (;;) {
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    delayMicroseconds(300);
    xTaskNotifyGive(waiting);
  }
}

void setup() {
  Serial.begin(115200);
  queue = xQueueCreate(1, 4);
  waiting = xTaskGetCurrentTaskHandle();
  int item;
  for (uint32_t after : {0, 100, 500, 900}) {
    measure("delay 1", after, [] { delay(1); });
    measure("delay 5", after, [] { delay(5); });
    measure("queue 2", after, [&item] { xQueueReceive(queue, &item, 2); });
  }
  // These do not end at a tick.
  measure("microseconds", 500, [] { delayMicroseconds(1200); });
  measure("no time", 500, [] { vTaskDelay(0); });
  TaskHandle_t other;
  xTaskCreatePinnedToCore(notifyLater, "other", 4096, nullptr, 5, &other, 0);
  measure("notified", 500, [other] {
    xTaskNotifyGive(other);
    ulTaskNotifyTake(pdTRUE, 10);
  });
  TickType_t last = xTaskGetTickCount();
  measure("until", 500, [&last] { vTaskDelayUntil(&last, 20); });
}

void loop() { delay(1000); }
