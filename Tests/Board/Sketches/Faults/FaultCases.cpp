// Classic faults of ESP32 peripherals. A line on the console runs one in the loop's task, a write
// to A001 runs one in the callback, which is NimBLE's host task. FaultTableTests says what each
// must give.
#include <Arduino.h>
#include <NimBLEDevice.h>
#include <esp_sleep.h>

static NimBLECharacteristic* output;
static SemaphoreHandle_t mutex;
static portMUX_TYPE lock = portMUX_INITIALIZER_UNLOCKED;
static volatile bool connected;
static volatile uint32_t turns;
static int* volatile nowhere;

__attribute__((noinline)) static void fill(volatile uint8_t* bytes, size_t count, uint8_t value) {
  for (size_t i = 0; i < count; i++) bytes[i] = value;
}

static void overrun() {
  auto* block = static_cast<uint8_t*>(malloc(8));
  fill(block, 40, 7);
  free(block);  // line: overrun
}

static void doubleFree() {
  void* volatile block = malloc(40);
  free(block);
  free(block);  // line: double free
}

static void useAfterFree() {
  auto* block = static_cast<uint8_t*>(malloc(40));
  free(block);
  fill(block + 8, 1, 1);  // line: use after free
}

static void wrongDelete() {
  auto* volatile numbers = new int[10];
  delete numbers;  // line: wrong delete
  Serial.println("deleted");
}

static void exhaust() {
  int blocks = 0;
  void* last = nullptr;
  while (void* block = malloc(1 << 20 >> 4)) {
    *static_cast<void**>(block) = last;
    last = block;
    if (++blocks == 66 * 16) break;
  }
  Serial.printf("%d blocks of 64 KB, %u free\n", blocks, (unsigned)ESP.getFreeHeap());
  while (last != nullptr) {
    void* next = *static_cast<void**>(last);
    free(last);
    last = next;
  }
}

static void exhaustNew() {
  for (;;) {
    nowhere = new int[16384];  // line: new
    fill(reinterpret_cast<uint8_t*>(nowhere), 4, 1);
  }
}

__attribute__((noinline)) static int bigFrame() {
  volatile uint8_t buffer[6144];
  fill(buffer, sizeof buffer, 1);  // line: big frame
  return buffer[100];
}

__attribute__((noinline)) static int recurse(int depth) {
  volatile int here = depth;
  return nowhere == nullptr ? recurse(depth + 1) + here : 0;  // line: recursion
}

static void idle(void*) {
  for (;;) delay(1000);
}

static void hundredTasks() {
  int created = 0;
  while (created < 100 && xTaskCreate(idle, "many", 4096, nullptr, 1, nullptr) == pdPASS) created++;
  Serial.printf("%d tasks\n", created);
}

static void longQueue() {
  QueueHandle_t queue = xQueueCreate(1000000, 4);
  Serial.printf("queue %s\n", queue == nullptr ? "refused" : "created");
}

static void IRAM_ATTR onPin() { xSemaphoreGiveFromISR(mutex, nullptr); }

static void mutexFromInterrupt() {
  xSemaphoreTake(mutex, portMAX_DELAY);
  attachInterrupt(0, onPin, CHANGE);
  Serial.println("press");
}

static void longCritical() {
  portENTER_CRITICAL(&lock);
  for (;;) turns = turns + 1;  // line: critical
}

static void spin() {
  for (;;) turns = turns + 1;  // line: spin
}

static void burst() {
  uint8_t value[200] = {};
  int accepted = 0;
  for (int i = 0; i < 300; i++) {
    value[0] = static_cast<uint8_t>(i);
    if (output->notify(value, sizeof value)) accepted++;
  }
  Serial.printf("accepted %d\n", accepted);
}

static void packedLong() {
  struct __attribute__((packed)) {
    uint8_t kind;
    unsigned long value;
  } message = {1, 0x01020304};
  output->notify(reinterpret_cast<uint8_t*>(&message), sizeof message);
  Serial.printf("%u bytes\n", (unsigned)sizeof message);
}

static void wrappingLong() {
  long late = 0x7ffffff0;
  volatile long step = 0x20;
  long sum = static_cast<long>(static_cast<unsigned long>(late) + step);
  Serial.printf("%s\n", sum < 0 ? "wrapped" : "grew");
}

static void awaitConnection() {
  Serial.println("waiting");
  while (!connected) {
  }
  Serial.println("connected");
}

static void run(const String& what) {
  if (what == "overrun") overrun();
  if (what == "double free") doubleFree();
  if (what == "use after free") useAfterFree();
  if (what == "wrong delete") wrongDelete();
  if (what == "exhaust") exhaust();
  if (what == "new") exhaustNew();
  if (what == "big frame") Serial.println(bigFrame());
  if (what == "recursion") Serial.println(recurse(0));
  if (what == "tasks") hundredTasks();
  if (what == "tiny stack") xTaskCreate(idle, "tiny", 100, nullptr, 1, nullptr);
  if (what == "queue") longQueue();
  if (what == "mutex") mutexFromInterrupt();
  if (what == "critical") longCritical();
  if (what == "spin") spin();
  if (what == "burst") burst();
  if (what == "packed") packedLong();
  if (what == "long") wrappingLong();
  if (what == "await") awaitConnection();
  if (what == "delete loop") vTaskDelete(nullptr);
  if (what == "slow") delay(10000);
  if (what == "sleep") esp_deep_sleep(2000000);
  if (what == "notify") Serial.printf("notify %d\n", output->notify());
}

class Server : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo&) override { connected = true; }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) override {
    connected = false;
    NimBLEDevice::startAdvertising();
  }
};

class Input : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo&) override {
    run(input->getValue().c_str());
    Serial.println("written");
  }
};

void setup() {
  Serial.begin(115200);
  Serial.printf("reset reason %d\n", esp_reset_reason());
  mutex = xSemaphoreCreateMutex();
  NimBLEDevice::init("Faults");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Server());
  NimBLEService* service = server->createService("A000");
  service->createCharacteristic("A001", NIMBLE_PROPERTY::WRITE)->setCallbacks(new Input());
  output = service->createCharacteristic("A002", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::NOTIFY);
  NimBLEDevice::getAdvertising()->addServiceUUID("A000");
  NimBLEDevice::startAdvertising();
  Serial.println("ready");
}

void loop() {
  if (Serial.available() > 0) {
    String what = Serial.readStringUntil('\n');
    run(what);
    Serial.println("done");
  }
  delay(10);
}
