// The cases of Rings.ino.
#include <Arduino.h>
#include <freertos/ringbuf.h>

static RingbufHandle_t ring;
static char text[64];

static const char* textOf(const void* data, size_t size) {
  memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

static bool send(const char* item, TickType_t ticks = 0) {
  return xRingbufferSend(ring, item, strlen(item), ticks) == pdTRUE;
}

/// Receives an item and prints it; `*item` must be returned later.
static void receive(void** item) {
  size_t size = 0;
  *item = xRingbufferReceive(ring, &size, 0);
  Serial.printf("[%s] ", *item != nullptr ? textOf(*item, size) : "none");
}

static void places() {
  UBaseType_t free, read, write, acquire, waiting;
  vRingbufferGetInfo(ring, &free, &read, &write, &acquire, &waiting);
  Serial.printf("free %u read %u write %u acquire %u waiting %u room %u\r\n", free, read, write,
                acquire, waiting, static_cast<unsigned>(xRingbufferGetCurFreeSize(ring)));
}

static void noSplit() {
  ring = xRingbufferCreate(62, RINGBUF_TYPE_NOSPLIT);
  Serial.printf("longest %u\r\n", static_cast<unsigned>(xRingbufferGetMaxItemSize(ring)));
  Serial.print("sent");
  for (const char* item : {"one", "second", "three", "this is longer than half of it"}) {
    Serial.printf(" %d", send(item));
  }
  Serial.println();
  places();
  void *first, *second, *third;
  receive(&first);
  receive(&second);
  // The memory of the second item is free only after the first was returned.
  vRingbufferReturnItem(ring, second);
  places();
  vRingbufferReturnItem(ring, first);
  places();
  // Does not fit at the end, whose remaining bytes are skipped.
  Serial.printf("sent %d ", send("a longer one ......"));
  receive(&third);
  vRingbufferReturnItem(ring, third);
  receive(&third);
  vRingbufferReturnItem(ring, third);
  places();
  vRingbufferDelete(ring);
}

static void split() {
  ring = xRingbufferCreate(48, RINGBUF_TYPE_ALLOWSPLIT);
  Serial.printf("longest %u, ", static_cast<unsigned>(xRingbufferGetMaxItemSize(ring)));
  Serial.printf("sent %d ", send("0123456789abcdef"));
  Serial.printf("%d\r\n", send("xyz"));
  void *head, *tail;
  size_t headSize, tailSize;
  xRingbufferReceiveSplit(ring, &head, &tail, &headSize, &tailSize, 0);
  Serial.printf("[%s] %d ", textOf(head, headSize), tail == nullptr);
  vRingbufferReturnItem(ring, head);
  Serial.printf("sent %d ", send("split in two parts"));
  xRingbufferReceiveSplit(ring, &head, &tail, &headSize, &tailSize, 0);
  vRingbufferReturnItem(ring, head);
  xRingbufferReceiveSplit(ring, &head, &tail, &headSize, &tailSize, 0);
  Serial.printf("[%s]", textOf(head, headSize));
  Serial.printf("[%s]\r\n", textOf(tail, tailSize));
  vRingbufferReturnItem(ring, head);
  vRingbufferReturnItem(ring, tail);
  places();
  Serial.printf("more %d\r\n",
                xRingbufferReceiveSplit(ring, &head, &tail, &headSize, &tailSize, 2));
}

static void bytes() {
  ring = xRingbufferCreate(10, RINGBUF_TYPE_BYTEBUF);
  Serial.printf("sent %d ", send("01234567"));
  Serial.printf("%d, nothing %d\r\n", send("too long"), send(""));
  size_t size;
  void* data = xRingbufferReceiveUpTo(ring, &size, 0, 5);
  Serial.printf("[%s] ", textOf(data, size));
  // Only one item may be read at a time.
  Serial.printf("again %d ", xRingbufferReceive(ring, &size, 0) != nullptr);
  vRingbufferReturnItem(ring, data);
  Serial.printf("sent %d ", send("89abcde"));
  for (int i = 0; i < 2; i++) {
    data = xRingbufferReceive(ring, &size, 0);
    Serial.printf("[%s]", textOf(data, size));
    vRingbufferReturnItem(ring, data);
  }
  Serial.println();
  places();
  xRingbufferPrintInfo(ring);
}

static void acquire() {
  ring = xRingbufferCreateNoSplit(8, 3);
  void *first, *second;
  xRingbufferSendAcquire(ring, &first, 4, 0);
  xRingbufferSendAcquire(ring, &second, 4, 0);
  memcpy(first, "1st", 4);
  memcpy(second, "2nd", 4);
  void* item;
  xRingbufferSendComplete(ring, second);
  receive(&item);
  xRingbufferSendComplete(ring, first);
  receive(&item);
  receive(&item);
  Serial.println();
}

static void sender(void*) {
  for (int i = 0; i < 3; i++) {
    delay(5);
    send("from a task", portMAX_DELAY);
  }
  vTaskDelete(nullptr);
}

static void IRAM_ATTR sendFromISR() {
  BaseType_t woken = pdFALSE;
  xRingbufferSendFromISR(ring, "interrupt", 9, &woken);
  portYIELD_FROM_ISR(woken);
}

static void waits() {
  // Room for one item.
  ring = xRingbufferCreate(36, RINGBUF_TYPE_NOSPLIT);
  send("first one");
  const uint32_t start = millis();
  Serial.printf("full %d", send("second one..", 3));
  Serial.printf(" after %lu\r\n", static_cast<unsigned long>(millis() - start));
  xTaskCreatePinnedToCore(sender, "sender", 4096, nullptr, 2, nullptr, 0);
  for (int i = 0; i < 4; i++) {
    size_t size;
    void* item = xRingbufferReceive(ring, &size, portMAX_DELAY);
    Serial.printf("%s after %lu\r\n", textOf(item, size),
                  static_cast<unsigned long>(millis() - start));
    vRingbufferReturnItem(ring, item);
  }
  hw_timer_t* timer = timerBegin(1000000);
  timerAttachInterrupt(timer, sendFromISR);
  timerAlarm(timer, 2500, false, 0);
  size_t size;
  void* item = xRingbufferReceive(ring, &size, 10);
  Serial.printf("%s\r\n", item != nullptr ? textOf(item, size) : "none");
}

static void set() {
  QueueSetHandle_t members = xQueueCreateSet(4);
  QueueHandle_t queue = xQueueCreate(1, 4);
  ring = xRingbufferCreate(64, RINGBUF_TYPE_NOSPLIT);
  xQueueAddToSet(queue, members);
  Serial.printf("added %d, ", xRingbufferAddToQueueSetRead(ring, members));
  Serial.printf("again %d, ", xRingbufferAddToQueueSetRead(ring, members));
  send("in a set");
  QueueSetMemberHandle_t member = xQueueSelectFromSet(members, 1);
  Serial.printf("ring %d, ", xRingbufferCanRead(ring, member));
  Serial.printf("removed with an item %d, ", xRingbufferRemoveFromQueueSetRead(ring, members));
  void* item;
  receive(&item);
  Serial.printf("then %d\r\n", xRingbufferRemoveFromQueueSetRead(ring, members));
}

static void returnTwice() {
  ring = xRingbufferCreate(64, RINGBUF_TYPE_NOSPLIT);
  send("once");
  void* item;
  receive(&item);
  send("twice");
  vRingbufferReturnItem(ring, item);
  vRingbufferReturnItem(ring, item);
}

void runRingCase(const String& name) {
  if (name == "no split") noSplit();
  if (name == "split") split();
  if (name == "bytes") bytes();
  if (name == "acquire") acquire();
  if (name == "waits") waits();
  if (name == "set") set();
  if (name == "return twice") returnTwice();
  if (name == "receive split") {
    size_t size;
    xRingbufferReceive(xRingbufferCreate(64, RINGBUF_TYPE_ALLOWSPLIT), &size, 0);
  }
  if (name == "no room") Serial.println(xRingbufferCreate(200000, RINGBUF_TYPE_BYTEBUF) != nullptr);
}
