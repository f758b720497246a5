// Cases for ESP-IDF's assertions. Reads a line and runs the case of that name.

static SemaphoreHandle_t mutex;
static TaskHandle_t ended;
static portMUX_TYPE mux = portMUX_INITIALIZER_UNLOCKED;

static void giveMutexFromISR() { xSemaphoreGiveFromISR(mutex, nullptr); }

static void takeFromISR() { xSemaphoreTake(mutex, portMAX_DELAY); }

static void give(void*) {
  xSemaphoreGive(mutex);
  vTaskDelete(nullptr);
}

static void end(void*) { vTaskDelete(nullptr); }

static void nothing(TimerHandle_t) {}

static void interruptAfter(uint32_t milliseconds, void (*handler)()) {
  hw_timer_t* timer = timerBegin(1000000);
  timerAttachInterrupt(timer, handler);
  timerAlarm(timer, milliseconds * 1000, false, 0);
  delay(milliseconds + 5);
}

void setup() {
  Serial.begin(115200);
  mutex = xSemaphoreCreateMutex();
}

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  const String name = Serial.readStringUntil('\n');
  int item = 0;
  if (name == "give in interrupt") {
    xSemaphoreTake(mutex, portMAX_DELAY);
    interruptAfter(5, giveMutexFromISR);
  } else if (name == "take in interrupt") {
    xSemaphoreTake(mutex, portMAX_DELAY);
    interruptAfter(5, takeFromISR);
  } else if (name == "give by another task") {
    xSemaphoreTake(mutex, portMAX_DELAY);
    xTaskCreatePinnedToCore(give, "giver", 4096, nullptr, 2, nullptr, 1);
  } else if (name == "take NULL") {
    xSemaphoreTake(static_cast<SemaphoreHandle_t>(nullptr), 0);
  } else if (name == "send to NULL") {
    xQueueSend(static_cast<QueueHandle_t>(nullptr), &item, 0);
  } else if (name == "receive from NULL") {
    xQueueReceive(static_cast<QueueHandle_t>(nullptr), &item, 0);
  } else if (name == "send nothing") {
    xQueueSend(xQueueCreate(1, 4), nullptr, 0);
  } else if (name == "take a queue") {
    xSemaphoreTake(xQueueCreate(1, 4), 0);
  } else if (name == "queue of length 0") {
    xQueueCreate(0, 4);
  } else if (name == "delay while suspended") {
    vTaskSuspendAll();
    vTaskDelay(1);
  } else if (name == "take while suspended") {
    vTaskSuspendAll();
    xSemaphoreTake(mutex, 1);
  } else if (name == "resume without suspending") {
    xTaskResumeAll();
  } else if (name == "priority") {
    xTaskCreate(end, "high", 4096, nullptr, 25, nullptr);
  } else if (name == "core") {
    xTaskCreatePinnedToCore(end, "core", 4096, nullptr, 1, nullptr, 2);
  } else if (name == "notify NULL") {
    xTaskNotifyGive(static_cast<TaskHandle_t>(nullptr));
  } else if (name == "exit without entering") {
    portEXIT_CRITICAL(&mux);
  } else if (name == "timer of 0 ticks") {
    xTimerCreate("timer", 0, pdTRUE, nullptr, nothing);
  } else if (name == "event bits") {
    xEventGroupSetBits(xEventGroupCreate(), 0x1000000);
  } else if (name == "delete twice") {
    xTaskCreatePinnedToCore(end, "end", 4096, nullptr, 2, &ended, 1);
    vTaskDelete(ended);
  } else if (name == "delay in a critical section") {
    portENTER_CRITICAL(&mux);
    vTaskDelay(1000);
  }
  Serial.println("went on");
}
