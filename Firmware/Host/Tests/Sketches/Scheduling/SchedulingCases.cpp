// Tasks, priorities and cores. Runs the case whose name it reads; loop() is a task of core 1.

#include <Arduino.h>

static volatile bool flag = false;
static volatile int counter = 0;
static String order;
static TaskHandle_t waiting;

static void note(void* name) {
  order += static_cast<const char*>(name);
  vTaskDelete(nullptr);
}

static void create(TaskFunction_t code, const char* name, UBaseType_t priority, BaseType_t core) {
  xTaskCreatePinnedToCore(code, name, 4096, const_cast<char*>(name), priority, nullptr, core);
}

static void priorities() {
  create(note, "high ", 3, 1);
  order += "loop ";
  create(note, "low ", 0, 1);
  create(note, "equal ", 1, 1);
  order += "loop ";
  delay(5);
  Serial.println(order);
}

static void runAtNotification(void*) {
  ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
  Serial.printf("preempted after %lu ms, core %d\r\n", millis(), xPortGetCoreID());
  flag = true;
  vTaskDelete(nullptr);
}

static void notifyLater(void*) {
  vTaskDelay(5);
  xTaskNotifyGive(waiting);
  vTaskDelete(nullptr);
}

static void preemption() {
  xTaskCreatePinnedToCore(runAtNotification, "high", 4096, nullptr, 3, &waiting, 1);
  const unsigned long start = millis();
  Serial.printf("start %lu\r\n", start);
  create(notifyLater, "notifier", 1, 0);
  while (millis() - start < 20) {
  }
  Serial.printf("loop after %lu ms, %d\r\n", millis() - start, flag);
}

static void setFlagLater(void*) {
  vTaskDelay(20);
  flag = true;
  vTaskDelete(nullptr);
}

static void spin() {
  const unsigned long start = millis();
  create(setFlagLater, "setter", 1, 0);
  while (!flag) {
  }
  Serial.printf("set after %lu ms\r\n", millis() - start);
}

static unsigned long times[2][3];

static void measure(void*) {
  TickType_t last = 100;
  for (unsigned long& time : times[xPortGetCoreID()]) {
    vTaskDelayUntil(&last, 100);
    time = millis();
  }
  counter = counter + 1;
  vTaskDelete(nullptr);
}

static void cores() {
  create(measure, "zero", 1, 0);
  create(measure, "one", 2, 1);
  while (counter < 2) delay(1);
  for (const auto& ofCore : times) {
    Serial.printf("%lu %lu %lu\r\n", ofCore[0], ofCore[1], ofCore[2]);
  }
}

static portMUX_TYPE mux = portMUX_INITIALIZER_UNLOCKED;
static volatile bool isInside = false;
static volatile int overlaps = 0;

static void enterOften(int times) {
  for (int i = 0; i < times; i++) {
    portENTER_CRITICAL(&mux);
    if (isInside) overlaps = overlaps + 1;
    isInside = true;
    delayMicroseconds(70);
    counter = counter + 1;
    isInside = false;
    portEXIT_CRITICAL(&mux);
    delayMicroseconds(10);
  }
}

static void enterOnCore0(void*) {
  enterOften(100);
  flag = true;
  vTaskDelete(nullptr);
}

static void critical() {
  create(enterOnCore0, "critical", 1, 0);
  enterOften(100);
  while (!flag) delay(1);
  Serial.printf("entered %d, overlaps %d\r\n", counter, overlaps);
}

static void count(void*) {
  for (;;) {
    counter = counter + 1;
    vTaskDelay(1);
  }
}

static void states() {
  TaskHandle_t task;
  xTaskCreatePinnedToCore(count, "a name that is too long", 3000, nullptr, 2, &task, 0);
  delay(5);
  Serial.printf("%s %d %d\r\n", pcTaskGetName(task), eTaskGetState(task), counter >= 5);
  vTaskSuspend(task);
  const int before = counter;
  delay(5);
  Serial.printf("suspended %d, %d more\r\n", eTaskGetState(task) == eSuspended, counter - before);
  vTaskResume(task);
  delay(5);
  Serial.printf("resumed, %d\r\n", counter > before);
  Serial.printf("core %d, priority %u, found %d\r\n", xTaskGetCoreID(task), uxTaskPriorityGet(task),
                xTaskGetHandle("a name that is ") == task);
  const UBaseType_t unused = uxTaskGetStackHighWaterMark(task);
  Serial.printf("stack %d\r\n", unused > 0 && unused < 3000);
  const UBaseType_t tasks = uxTaskGetNumberOfTasks();
  vTaskDelete(task);
  Serial.printf("tasks %d\r\n", static_cast<int>(uxTaskGetNumberOfTasks() - tasks));
  Serial.printf("loop: %s, core %d, priority %u\r\n", pcTaskGetName(nullptr), xPortGetCoreID(),
                uxTaskPriorityGet(nullptr));
  char table[600];
  vTaskList(table);
  Serial.print(table);
}

static void localDeleted(int index, void* value) {
  Serial.printf("deleted %d %s\r\n", index, static_cast<const char*>(value));
}

static void storeAndEnd(void*) {
  vTaskSetThreadLocalStoragePointerAndDelCallback(nullptr, 0, const_cast<char*>("mine"),
                                                  localDeleted);
  vTaskDelay(2);
  Serial.println(static_cast<char*>(pvTaskGetThreadLocalStoragePointer(nullptr, 0)));
  vTaskDelete(nullptr);
}

static void locals() {
  create(storeAndEnd, "storing", 1, 0);
  vTaskSetThreadLocalStoragePointer(nullptr, 0, const_cast<char*>("loop's"));
  delay(5);
  Serial.println(static_cast<char*>(pvTaskGetThreadLocalStoragePointer(nullptr, 0)));
}

static void suspendAll() {
  vTaskSuspendAll();
  create(note, "high ", 3, 1);
  order += "loop ";
  Serial.printf("state %d\r\n", xTaskGetSchedulerState());
  const BaseType_t hasYielded = xTaskResumeAll();
  order += "loop ";
  Serial.printf("%s, %d\r\n", order.c_str(), hasYielded);
}

static void report(void*) {
  for (int i = 0; i < 3; i++) {
    vTaskDelay(10);
    Serial.printf("still here %d\r\n", i);
  }
  vTaskDelete(nullptr);
}

static void endLoop() {
  create(report, "report", 1, 0);
  Serial.println("end");
  vTaskDelete(nullptr);
}

void setup() { Serial.begin(115200); }

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  const String name = Serial.readStringUntil('\n');
  if (name == "priorities") priorities();
  if (name == "preemption") preemption();
  if (name == "spin") spin();
  if (name == "cores") cores();
  if (name == "critical") critical();
  if (name == "states") states();
  if (name == "locals") locals();
  if (name == "suspendAll") suspendAll();
  if (name == "end") endLoop();
}
