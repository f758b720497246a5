// The cases of Additions.ino.
#include <Arduino.h>
#include <esp_heap_caps.h>
#include <esp_task_wdt.h>
#include <freertos/idf_additions.h>

static unsigned freeBytes() { return static_cast<unsigned>(ESP.getFreeHeap()); }

static void work(void* count) {
  int* number = static_cast<int*>(count);
  for (;;) {
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    ++*number;
  }
}

static void deleteItself(void*) {
  delay(5);
  vTaskDeleteWithCaps(nullptr);
}

static void task() {
  static int number;
  TaskHandle_t handle = nullptr;
  const unsigned before = freeBytes();
  Serial.printf("created %d, ",
                xTaskCreateWithCaps(work, "with caps", 3000, &number, 2, &handle, MALLOC_CAP_8BIT));
  xTaskNotifyGive(handle);
  delay(1);
  Serial.printf("%s ran %d, taken %u, ", pcTaskGetName(handle), number, before - freeBytes());
  vTaskDeleteWithCaps(handle);
  Serial.printf("left %u\r\n", before - freeBytes());
  Serial.printf("without memory %d\r\n",
                xTaskCreateWithCaps(work, "none", 3000, &number, 2, &handle, MALLOC_CAP_SPIRAM));
  xTaskCreatePinnedToCoreWithCaps(deleteItself, "itself", 3000, nullptr, 3, nullptr, 0,
                                  MALLOC_CAP_INTERNAL);
  delay(20);
  Serial.printf("itself: left %u, tasks %u\r\n", before - freeBytes(),
                static_cast<unsigned>(uxTaskGetNumberOfTasks()));
  // As on the chip, the task's memory is lost.
  xTaskCreateWithCaps(work, "lost", 3000, &number, 2, &handle, MALLOC_CAP_8BIT);
  vTaskDelete(handle);
  Serial.printf("lost %u\r\n", before - freeBytes());
}

static void objects() {
  const unsigned before = freeBytes();
  const uint32_t caps = MALLOC_CAP_INTERNAL | MALLOC_CAP_8BIT;
  QueueHandle_t queue = xQueueCreateWithCaps(3, 4, caps);
  int item = 7;
  xQueueSend(queue, &item, 0);
  item = 0;
  xQueueReceive(queue, &item, 0);
  SemaphoreHandle_t counting = xSemaphoreCreateCountingWithCaps(3, 2, caps);
  SemaphoreHandle_t mutex = xSemaphoreCreateMutexWithCaps(caps);
  SemaphoreHandle_t binary = xSemaphoreCreateBinaryWithCaps(caps);
  SemaphoreHandle_t recursive = xSemaphoreCreateRecursiveMutexWithCaps(caps);
  Serial.printf("queue %d, counting %u, mutex %d, binary %d, recursive %d\r\n", item,
                static_cast<unsigned>(uxSemaphoreGetCount(counting)), xSemaphoreTake(mutex, 0),
                xSemaphoreTake(binary, 0), xSemaphoreTakeRecursive(recursive, 0));
  StreamBufferHandle_t stream = xStreamBufferCreateWithCaps(20, 1, caps);
  MessageBufferHandle_t messages = xMessageBufferCreateWithCaps(20, caps);
  EventGroupHandle_t group = xEventGroupCreateWithCaps(caps);
  Serial.printf("stream %u, message %u, bits %u, none %d\r\n",
                static_cast<unsigned>(xStreamBufferSend(stream, "text", 4, 0)),
                static_cast<unsigned>(xMessageBufferSend(messages, "text", 4, 0)),
                static_cast<unsigned>(xEventGroupSetBits(group, 5)),
                xQueueCreateWithCaps(3, 4, MALLOC_CAP_SPIRAM) == nullptr);
  vQueueDeleteWithCaps(queue);
  for (SemaphoreHandle_t semaphore : {counting, mutex, binary, recursive}) {
    vSemaphoreDeleteWithCaps(semaphore);
  }
  vStreamBufferDeleteWithCaps(stream);
  vMessageBufferDeleteWithCaps(messages);
  vEventGroupDeleteWithCaps(group);
  Serial.printf("left %u\r\n", before - freeBytes());
}

static void user(bool isFed) {
  esp_task_wdt_user_handle_t handle;
  Serial.printf("nameless %d\r\n", esp_task_wdt_add_user(nullptr, &handle));
  Serial.printf("added %d\r\n", esp_task_wdt_add_user("sensor", &handle));
  for (int i = 0; i < 8; i++) {
    delay(1000);
    if (isFed) esp_task_wdt_reset_user(handle);
  }
  Serial.printf("deinit %d\r\n", esp_task_wdt_deinit());
  Serial.printf("deleted %d\r\n", esp_task_wdt_delete_user(handle));
  Serial.printf("again %d\r\n", esp_task_wdt_delete_user(handle));
  Serial.printf("reset %d\r\n", esp_task_wdt_reset_user(handle));
}

static void timers() {
  esp_timer_create_args_t arguments = {};
  arguments.callback = [](void*) {};
  esp_timer_handle_t once, periodic;
  esp_timer_create(&arguments, &once);
  esp_timer_create(&arguments, &periodic);
  esp_timer_dump(stdout);
  esp_timer_start_periodic(periodic, 3000000);
  esp_timer_start_once(once, 2000000);
  Serial.printf("once %p periodic %p\r\n", static_cast<void*>(once), static_cast<void*>(periodic));
  Serial.printf("listed %d\r\n", esp_timer_dump(stdout));
  Serial.printf("without a stream %d\r\n", esp_timer_dump(nullptr));
}

/// Counts blocks, and searches for one.
struct Blocks {
  const void* wanted;
  unsigned used, free, heaps;
  size_t bytes, size;
  intptr_t heap;
};

static bool count(walker_heap_into_t heap, walker_block_info_t block, void* data) {
  Blocks* blocks = static_cast<Blocks*>(data);
  if (heap.start != blocks->heap) blocks->heaps++;
  blocks->heap = heap.start;
  (block.used ? blocks->used : blocks->free)++;
  blocks->bytes += block.size;
  // The content follows the header of light heap poisoning.
  if (static_cast<uint8_t*>(block.ptr) + 8 == blocks->wanted) blocks->size = block.size;
  return true;
}

static void walk() {
  void* block = malloc(100);
  multi_heap_info_t info;
  heap_caps_get_info(&info, MALLOC_CAP_8BIT);
  Blocks blocks = {block, 0, 0, 0, 0, 0, 0};
  heap_caps_walk_all(count, &blocks);
  Serial.printf("heaps %u, block %u, as told %d %d, bytes %d\r\n", blocks.heaps,
                static_cast<unsigned>(blocks.size), blocks.used == info.allocated_blocks,
                blocks.free == info.free_blocks,
                blocks.bytes > info.total_free_bytes + info.total_allocated_bytes);
  Blocks none = {};
  heap_caps_walk(MALLOC_CAP_SPIRAM, count, &none);
  Serial.printf("none %u\r\n", none.used + none.free);
}

void runAdditionCase(const String& name) {
  if (name == "task") task();
  if (name == "objects") objects();
  if (name == "user") user(true);
  if (name == "late user") user(false);
  if (name == "timers") timers();
  if (name == "walk") walk();
  if (name == "dump") heap_caps_dump(MALLOC_CAP_DEFAULT);
  if (name == "walk nothing") heap_caps_walk_all(nullptr, nullptr);
  if (name == "delete another") {
    TaskHandle_t handle;
    xTaskCreate(work, "plain", 3000, nullptr, 2, &handle);
    vTaskDeleteWithCaps(handle);
  }
}
