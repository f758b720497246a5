// Timers: esp_timer, Ticker, FreeRTOS's software timers and hardware timers. Runs the case whose
// name it reads.
#include <Arduino.h>
#include <Ticker.h>
#include <esp_task_wdt.h>
#include <freertos/timers.h>

static unsigned long start;
static SemaphoreHandle_t semaphore;
static volatile int count = 0;

static void sayTask(void* name) {
  Serial.printf("%s after %lu in %s, core %d\r\n", static_cast<const char*>(name), millis() - start,
                pcTaskGetName(nullptr), xPortGetCoreID());
}

static void increment(void*) { count = count + 1; }

static esp_timer_handle_t timerOf(esp_timer_cb_t callback, const char* argument) {
  esp_timer_create_args_t arguments = {};
  arguments.callback = callback;
  arguments.arg = const_cast<char*>(argument);
  esp_timer_handle_t timer = nullptr;
  esp_timer_create(&arguments, &timer);
  return timer;
}

static void espTimers() {
  esp_timer_handle_t once = timerOf(sayTask, "once");
  esp_timer_handle_t periodic = timerOf(increment, nullptr);
  start = millis();
  esp_timer_start_once(once, 5000);
  Serial.printf("again %x, active %d\r\n", esp_timer_start_once(once, 5000),
                esp_timer_is_active(once));
  esp_timer_start_periodic(periodic, 2000);
  uint64_t period = 0;
  esp_timer_get_period(periodic, &period);
  Serial.printf("delete %x, period %u\r\n", esp_timer_delete(periodic),
                static_cast<unsigned>(period));
  delay(21);
  Serial.printf("count %d, active %d\r\n", count, esp_timer_is_active(once));
  Serial.printf("stop %x", esp_timer_stop(periodic));
  Serial.printf(" %x\r\n", esp_timer_stop(periodic));
  delay(10);
  Serial.printf("count %d, delete %x\r\n", count, esp_timer_delete(periodic));
}

static void sayNumber(int number) { Serial.printf("number %d\r\n", number); }

static void tickers() {
  Ticker one, two, three;
  start = millis();
  one.once_ms(5, sayTask, static_cast<void*>(const_cast<char*>("ticker")));
  two.attach_ms(3, [] { count = count + 1; });
  three.once(0.012f, sayNumber, 42);
  Serial.printf("active %d %d\r\n", one.active(), two.active());
  delay(20);
  two.detach();
  Serial.printf("count %d, active %d %d\r\n", count, one.active(), two.active());
}

static void sayTimer(TimerHandle_t timer) {
  Serial.printf("%s ", pcTimerGetName(timer));
  sayTask(pvTimerGetTimerID(timer));
}

static void countTimer(TimerHandle_t) { count = count + 1; }

static void pended(void* name, uint32_t number) {
  Serial.printf("pended %s %u in %s\r\n", static_cast<const char*>(name),
                static_cast<unsigned>(number), pcTaskGetName(nullptr));
}

static void softwareTimers() {
  TimerHandle_t once = xTimerCreate("once", 5, pdFALSE, const_cast<char*>("id"), sayTimer);
  TimerHandle_t periodic = xTimerCreate("periodic", 2, pdTRUE, nullptr, countTimer);
  start = millis();
  xTimerStart(once, 0);
  xTimerStart(periodic, 0);
  delay(21);
  Serial.printf("count %d, active %d %d\r\n", count, xTimerIsTimerActive(once),
                xTimerIsTimerActive(periodic));
  xTimerStop(periodic, 0);
  start = millis();
  xTimerChangePeriod(once, 8, 0);
  delay(5);
  xTimerReset(once, 0);
  delay(20);
  Serial.printf("count %d\r\n", count);
  xTimerPendFunctionCall(pended, const_cast<char*>("call"), 7, 0);
  xTimerDelete(once, 0);
  delay(5);
}

static void giveFromISR() {
  BaseType_t woken = pdFALSE;
  count = count + xPortInIsrContext();
  xSemaphoreGiveFromISR(semaphore, &woken);
  portYIELD_FROM_ISR(woken);
}

static void takeAll(void*) {
  for (int i = 0; i < 3; i++) {
    xSemaphoreTake(semaphore, portMAX_DELAY);
    Serial.printf("taken after %lu\r\n", millis() - start);
  }
  vTaskDelete(nullptr);
}

static void hardwareTimers() {
  semaphore = xSemaphoreCreateBinary();
  xTaskCreatePinnedToCore(takeAll, "taker", 4096, nullptr, 3, nullptr, 1);
  start = millis();
  hw_timer_t* timer = timerBegin(1000000);
  timerAttachInterrupt(timer, giveFromISR);
  timerAlarm(timer, 4000, true, 0);
  // The interrupt comes while loop() computes.
  const unsigned long before = millis();
  while (millis() - before < 14) {
  }
  Serial.printf("count %d, frequency %u\r\n", count,
                static_cast<unsigned>(timerGetFrequency(timer)));
  timerStop(timer);
  const uint64_t stopped = timerRead(timer);
  delay(5);
  Serial.printf("stopped %d, count %d\r\n", timerRead(timer) == stopped, count);
  timerRestart(timer);
  timerAlarm(timer, 3000, false, 0);
  timerStart(timer);
  portMUX_TYPE mux = portMUX_INITIALIZER_UNLOCKED;
  portENTER_CRITICAL(&mux);
  delayMicroseconds(5000);
  const int inside = count;
  portEXIT_CRITICAL(&mux);
  Serial.printf("inside %d, outside %d\r\n", inside, count);
  timerEnd(timer);
  int taken = 0;
  while (timerBegin(1000000) != nullptr) taken++;
  Serial.printf("timers %d\r\n", taken);
}

static void hangWatched() {
  enableLoopWDT();
  Serial.printf("status %x %x\r\n", esp_task_wdt_status(nullptr),
                esp_task_wdt_add(xTaskGetIdleTaskHandleForCore(0)));
  const unsigned long before = millis();
  while (millis() - before < 4000) {
  }
  feedLoopWDT();
  Serial.println("fed");
  for (;;) delay(100);
}

void setup() { Serial.begin(115200); }

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  const String name = Serial.readStringUntil('\n');
  if (name == "esp") espTimers();
  if (name == "ticker") tickers();
  if (name == "software") softwareTimers();
  if (name == "hardware") hardwareTimers();
  if (name == "watchdog") hangWatched();
}
