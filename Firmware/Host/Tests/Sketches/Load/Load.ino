// All that the scheduler orders: tasks of both cores, some of which compute or poll, interrupts of
// pins and timers, esp_timer, Ticker, software timers, queues, mutexes, random numbers.
#include <Ticker.h>
#include <freertos/timers.h>

static QueueHandle_t queue;
static SemaphoreHandle_t mutex;
static volatile uint32_t ticks, alarms, edges;
static volatile bool isReady;
static uint32_t sum;
static hw_timer_t* timer;
static esp_timer_handle_t periodic;
static Ticker ticker;

static void IRAM_ATTR countAlarm() { alarms = alarms + 1; }

static void IRAM_ATTR countEdge() {
  edges = edges + 1;
  const uint32_t event = 0x80000000u | edges;
  BaseType_t woken = pdFALSE;
  xQueueSendFromISR(queue, &event, &woken);
  portYIELD_FROM_ISR(woken);
}

static uint32_t compute(uint32_t seed, unsigned rounds) {
  for (unsigned i = 0; i < rounds; i++) seed = seed * 1664525 + 1013904223 + (seed >> 7);
  return seed;
}

static void computeOften(void* core) {
  uint32_t value = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(core));
  for (;;) {
    value = compute(value, 20000 + esp_random() % 20000);
    xSemaphoreTake(mutex, portMAX_DELAY);
    sum ^= value;
    xSemaphoreGive(mutex);
    xQueueSend(queue, &value, 1);
  }
}

static void poll(void*) {
  for (;;) {
    while (!isReady) {
    }
    isReady = false;
    const uint32_t now = micros();
    xQueueSend(queue, &now, portMAX_DELAY);
  }
}

static void report(TimerHandle_t) {
  Serial.printf("%lu us: alarms %u, edges %u, ticks %u, sum %08x\r\n",
                static_cast<unsigned long>(micros()), static_cast<unsigned>(alarms),
                static_cast<unsigned>(edges), static_cast<unsigned>(ticks),
                static_cast<unsigned>(sum));
}

void setup() {
  Serial.begin(115200);
  pinMode(4, INPUT);
  pinMode(2, OUTPUT);
  queue = xQueueCreate(8, sizeof(uint32_t));
  mutex = xSemaphoreCreateMutex();
  attachInterrupt(4, countEdge, CHANGE);
  timer = timerBegin(1000000);
  timerAttachInterrupt(timer, countAlarm);
  timerAlarm(timer, 337, true, 0);
  esp_timer_create_args_t arguments = {};
  arguments.callback = [](void*) {
    ticks = ticks + 1;
    isReady = true;
  };
  esp_timer_create(&arguments, &periodic);
  esp_timer_start_periodic(periodic, 1700);
  ticker.attach_ms(7, [] { digitalWrite(2, ticks & 1); });
  xTimerStart(xTimerCreate("report", 23, pdTRUE, nullptr, report), portMAX_DELAY);
  xTaskCreatePinnedToCore(computeOften, "core 0", 4096, reinterpret_cast<void*>(1), 1, nullptr, 0);
  xTaskCreatePinnedToCore(computeOften, "core 1", 4096, reinterpret_cast<void*>(2), 1, nullptr, 1);
  xTaskCreate(computeOften, "any", 4096, reinterpret_cast<void*>(3), 2, nullptr);
  xTaskCreatePinnedToCore(poll, "poll", 4096, nullptr, 1, nullptr, 1);
  disableCore0WDT();
}

void loop() {
  uint32_t value;
  if (xQueueReceive(queue, &value, 3) == pdTRUE) {
    Serial.printf("%lu %08x\r\n", static_cast<unsigned long>(micros()),
                  static_cast<unsigned>(value));
  }
  while (Serial.available() > 0) Serial.write(static_cast<uint8_t>(Serial.read()));
}
