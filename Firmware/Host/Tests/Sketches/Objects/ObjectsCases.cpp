// Queues, semaphores, mutexes, event groups, notifications and buffers, between loop() on core 1
// and tasks. Runs the case whose name it reads.
#include <Arduino.h>
#include <freertos/message_buffer.h>
#include <freertos/stream_buffer.h>

static QueueHandle_t queue;
static SemaphoreHandle_t semaphore;
static EventGroupHandle_t group;
static TaskHandle_t loopsTask, other;
static StreamBufferHandle_t stream;

static void create(TaskFunction_t code, UBaseType_t priority, BaseType_t core) {
  xTaskCreatePinnedToCore(code, "other", 4096, nullptr, priority, &other, core);
}

// Queues

static void sendNumbers(void*) {
  for (int i = 1; i <= 5; i++) {
    vTaskDelay(3);
    xQueueSend(queue, &i, portMAX_DELAY);
  }
  vTaskDelete(nullptr);
}

static void queues() {
  queue = xQueueCreate(2, sizeof(int));
  int item = 0;
  const unsigned long start = millis();
  BaseType_t result = xQueueReceive(queue, &item, 20);
  Serial.printf("empty %d after %lu\r\n", result, millis() - start);
  create(sendNumbers, 1, 0);
  delay(30);
  Serial.printf("waiting %u, spaces %u\r\n", uxQueueMessagesWaiting(queue),
                uxQueueSpacesAvailable(queue));
  for (int i = 0; i < 5; i++) {
    xQueueReceive(queue, &item, portMAX_DELAY);
    Serial.printf("%d ", item);
  }
  item = 7;
  xQueueSend(queue, &item, 0);
  item = 8;
  xQueueSendToFront(queue, &item, 0);
  const unsigned long full = millis();
  result = xQueueSend(queue, &item, 10);
  Serial.printf("full %d after %lu, ", result, millis() - full);
  xQueuePeek(queue, &item, 0);
  Serial.printf("first %d, ", item);
  xQueueReset(queue);
  Serial.printf("then %u\r\n", uxQueueMessagesWaiting(queue));
  vQueueDelete(queue);
  static StaticQueue_t memory;
  static uint8_t storage[4];
  queue = xQueueCreateStatic(1, sizeof(int), storage, &memory);
  for (item = 1; item <= 3; item++) xQueueOverwrite(queue, &item);
  xQueueReceive(queue, &item, 0);
  Serial.printf("overwritten %d\r\n", item);
}

// Semaphores

static void giveThrice(void*) {
  for (int i = 0; i < 3; i++) xSemaphoreGive(semaphore);
  vTaskDelete(nullptr);
}

static void semaphores() {
  semaphore = xSemaphoreCreateBinary();
  Serial.printf("binary %d", xSemaphoreTake(semaphore, 0));
  create(giveThrice, 1, 0);
  delay(5);
  Serial.printf(" %d", xSemaphoreTake(semaphore, 0));
  Serial.printf(" %d\r\n", xSemaphoreTake(semaphore, 0));
  semaphore = xSemaphoreCreateCounting(5, 2);
  create(giveThrice, 1, 0);
  delay(5);
  Serial.printf("counting %u, more %d\r\n", uxSemaphoreGetCount(semaphore),
                xSemaphoreGive(semaphore));
  semaphore = xSemaphoreCreateRecursiveMutex();
  xSemaphoreTakeRecursive(semaphore, 0);
  xSemaphoreTakeRecursive(semaphore, 0);
  xSemaphoreGiveRecursive(semaphore);
  Serial.printf("recursive held %d", xSemaphoreGetMutexHolder(semaphore) == loopsTask);
  xSemaphoreGiveRecursive(semaphore);
  Serial.printf(" %d, again %d\r\n", xSemaphoreGetMutexHolder(semaphore) == loopsTask,
                xSemaphoreGiveRecursive(semaphore));
}

static void takeAndPrint(void*) {
  const unsigned long start = millis();
  const BaseType_t taken = xSemaphoreTake(semaphore, 100);
  Serial.printf("high took %d after %lu\r\n", taken, millis() - start);
  xSemaphoreGive(semaphore);
  vTaskDelete(nullptr);
}

static void takeInVain(void*) {
  Serial.printf("high took %d\r\n", xSemaphoreTake(semaphore, 10));
  vTaskDelete(nullptr);
}

static void compute(void*) {
  const unsigned long start = millis();
  while (millis() - start < 50) {
  }
  vTaskDelete(nullptr);
}

static void inheritance() {
  semaphore = xSemaphoreCreateMutex();
  xSemaphoreTake(semaphore, portMAX_DELAY);
  create(takeAndPrint, 5, 1);
  Serial.printf("inherited %u\r\n", uxTaskPriorityGet(nullptr));
  // Has less than the inherited priority: it runs only after the mutex is given.
  create(compute, 3, 1);
  delayMicroseconds(4000);
  xSemaphoreGive(semaphore);
  Serial.printf("then %u\r\n", uxTaskPriorityGet(nullptr));
  xSemaphoreTake(semaphore, portMAX_DELAY);
  create(takeInVain, 5, 1);
  Serial.printf("inherited %u\r\n", uxTaskPriorityGet(nullptr));
  delay(20);
  Serial.printf("after the time-out %u\r\n", uxTaskPriorityGet(nullptr));
}

// Event groups

static void setBits(void*) {
  vTaskDelay(5);
  xEventGroupSetBits(group, 1);
  vTaskDelay(5);
  xEventGroupSetBits(group, 6);
  vTaskDelay(5);
  xEventGroupSync(group, 8, 24, portMAX_DELAY);
  xEventGroupSetBits(group, 32);
  vTaskDelete(nullptr);
}

static void eventGroups() {
  group = xEventGroupCreate();
  const unsigned long start = millis();
  create(setBits, 1, 0);
  EventBits_t bits = xEventGroupWaitBits(group, 3, pdTRUE, pdFALSE, portMAX_DELAY);
  Serial.printf("any %lu after %lu\r\n", static_cast<unsigned long>(bits), millis() - start);
  bits = xEventGroupWaitBits(group, 6, pdTRUE, pdTRUE, portMAX_DELAY);
  Serial.printf("all %lu after %lu\r\n", static_cast<unsigned long>(bits), millis() - start);
  bits = xEventGroupWaitBits(group, 64, pdFALSE, pdTRUE, 3);
  Serial.printf("none %lu after %lu\r\n", static_cast<unsigned long>(bits), millis() - start);
  bits = xEventGroupSync(group, 16, 24, portMAX_DELAY);
  Serial.printf("sync %lu after %lu\r\n", static_cast<unsigned long>(bits), millis() - start);
  delay(1);
  Serial.printf("left %lu\r\n", static_cast<unsigned long>(xEventGroupGetBits(group)));
}

// Notifications

static void notify(void*) {
  vTaskDelay(5);
  xTaskNotify(loopsTask, 0x30, eSetBits);
  vTaskDelay(5);
  for (int i = 0; i < 3; i++) xTaskNotifyGive(loopsTask);
  vTaskDelay(5);
  xTaskNotify(loopsTask, 9, eSetValueWithOverwrite);
  uint32_t before = 0;
  const BaseType_t set = xTaskNotifyAndQuery(loopsTask, 10, eSetValueWithoutOverwrite, &before);
  Serial.printf("set %d before %u\r\n", set, static_cast<unsigned>(before));
  vTaskDelete(nullptr);
}

static void notifications() {
  uint32_t value = 1;
  BaseType_t notified = xTaskNotifyWait(0, 0, &value, 3);
  Serial.printf("none %d %u\r\n", notified, static_cast<unsigned>(value));
  create(notify, 1, 0);
  notified = xTaskNotifyWait(0, 0x10, &value, portMAX_DELAY);
  Serial.printf("bits %d %x, left %x\r\n", notified, static_cast<unsigned>(value),
                static_cast<unsigned>(ulTaskNotifyValueClear(nullptr, 0xffffffff)));
  delay(7);
  Serial.printf("count %u", static_cast<unsigned>(ulTaskNotifyTake(pdFALSE, 0)));
  Serial.printf(" %u", static_cast<unsigned>(ulTaskNotifyTake(pdTRUE, 0)));
  Serial.printf(" %u\r\n", static_cast<unsigned>(ulTaskNotifyTake(pdTRUE, 0)));
  delay(8);
  notified = xTaskNotifyWait(0, 0, &value, 0);
  Serial.printf("value %d %u\r\n", notified, static_cast<unsigned>(value));
}

// Stream buffers, message buffers, queue sets

static void sendText(void*) {
  for (const char* part : {"ab", "cdefgh"}) {
    vTaskDelay(5);
    xStreamBufferSend(stream, part, strlen(part), portMAX_DELAY);
  }
  vTaskDelete(nullptr);
}

static void buffers() {
  char text[16] = "";
  stream = xStreamBufferCreate(8, 3);
  create(sendText, 1, 0);
  const unsigned long start = millis();
  size_t length = xStreamBufferReceive(stream, text, sizeof text, 50);
  Serial.printf("%.*s after %lu\r\n", static_cast<int>(length), text, millis() - start);
  length = xStreamBufferSend(stream, "0123456789", 10, 2);
  Serial.printf("sent %u, ", static_cast<unsigned>(length));
  length = xStreamBufferReceive(stream, text, 3, 0);
  Serial.printf("%.*s, left %u\r\n", static_cast<int>(length), text,
                static_cast<unsigned>(xStreamBufferBytesAvailable(stream)));
  MessageBufferHandle_t messages = xMessageBufferCreate(20);
  xMessageBufferSend(messages, "one", 3, 0);
  xMessageBufferSend(messages, "three", 5, 0);
  length = xMessageBufferSend(messages, "four", 4, 2);
  Serial.printf("no room %u, ", static_cast<unsigned>(length));
  length = xMessageBufferReceive(messages, text, 2, 0);
  Serial.printf("too long %u, ", static_cast<unsigned>(length));
  length = xMessageBufferReceive(messages, text, sizeof text, 0);
  Serial.printf("%.*s, next %u\r\n", static_cast<int>(length), text,
                static_cast<unsigned>(xMessageBufferNextLengthBytes(messages)));
}

static void giveAndSend(void*) {
  vTaskDelay(5);
  xSemaphoreGive(semaphore);
  vTaskDelay(5);
  const int item = 4;
  xQueueSend(queue, &item, 0);
  vTaskDelete(nullptr);
}

static void sets() {
  queue = xQueueCreate(2, sizeof(int));
  semaphore = xSemaphoreCreateBinary();
  QueueSetHandle_t set = xQueueCreateSet(3);
  xQueueAddToSet(queue, set);
  xQueueAddToSet(semaphore, set);
  create(giveAndSend, 1, 0);
  QueueSetMemberHandle_t member = xQueueSelectFromSet(set, portMAX_DELAY);
  Serial.printf("semaphore %d %d\r\n", member == semaphore, xSemaphoreTake(semaphore, 0));
  member = xQueueSelectFromSet(set, portMAX_DELAY);
  int item = 0;
  xQueueReceive(queue, &item, 0);
  Serial.printf("queue %d %d\r\n", member == queue, item);
  Serial.printf("none %d\r\n", xQueueSelectFromSet(set, 3) == nullptr);
}

// Without room for the object

static void idle(void*) { vTaskDelay(portMAX_DELAY); }

static void noRoom() {
  Serial.printf("queue %d", xQueueCreate(1000000, 4) != nullptr);
  Serial.printf(", buffer %d\r\n", xStreamBufferCreate(1000000, 1) != nullptr);
  const size_t before = xPortGetFreeHeapSize();
  TaskHandle_t tasks[100];
  BaseType_t result = pdPASS;
  int created = 0;
  while (created < 100) {
    result = xTaskCreatePinnedToCore(idle, "idle", 8192, nullptr, 1, &tasks[created], created % 2);
    if (result != pdPASS) break;
    created++;
  }
  // Each takes its stack and its control block.
  const bool fits = created == static_cast<int>(before / (8192 + 356));
  Serial.printf("task %d, some %d, as fit %d\r\n", result, created > 0 && created < 100,
                fits || created == static_cast<int>(before / (8192 + 356)) - 1);
  for (int i = 0; i < created; i++) vTaskDelete(tasks[i]);
  delay(1);
  Serial.printf("freed %d\r\n", xPortGetFreeHeapSize() == before);
  static StaticTask_t memory;
  static StackType_t stack[2048];
  const size_t free = xPortGetFreeHeapSize();
  TaskHandle_t task = xTaskCreateStatic(idle, "static", sizeof stack, nullptr, 1, stack, &memory);
  Serial.printf("static %d, takes %u\r\n", task != nullptr,
                static_cast<unsigned>(free - xPortGetFreeHeapSize()));
}

void setup() {
  Serial.begin(115200);
  loopsTask = xTaskGetCurrentTaskHandle();
}

void loop() {
  if (Serial.available() == 0) {
    delay(10);
    return;
  }
  const String name = Serial.readStringUntil('\n');
  if (name == "queues") queues();
  if (name == "semaphores") semaphores();
  if (name == "inheritance") inheritance();
  if (name == "eventGroups") eventGroups();
  if (name == "notifications") notifications();
  if (name == "buffers") buffers();
  if (name == "sets") sets();
  if (name == "noRoom") noRoom();
}
