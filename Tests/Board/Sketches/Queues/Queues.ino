// A peripheral that notifies faster than the radio sends, from each place that a sketch may do it
// in, and says which of its notifications NimBLE has taken.
//
// A write of 6 bytes asks for it: place, length of a value, notification (0) or indication, count
// (2 bytes), with or without a value.
#include <NimBLEDevice.h>
#include <esp_timer.h>

enum Place : uint8_t { inCallback, inLoop, inTimer, inTask };

struct Order {
  uint8_t place, length, isIndication;
  uint8_t count[2];
  uint8_t hasValue;
};

static Order order;
static volatile bool isForLoop, isDone;
static NimBLECharacteristic* output;
// What notify() returned: runs of equal answers, such as "+18 -282".
static char answers[256];
static size_t used;
static int statuses[32];

static void addRun(bool answer, int count) {
  if (count == 0 || used > sizeof answers - 16) return;
  used += snprintf(answers + used, sizeof answers - used, " %c%d", answer ? '+' : '-', count);
}

static void send() {
  uint8_t value[256] = {};
  const int count = order.count[0] | order.count[1] << 8;
  bool former = false;
  int run = 0;
  for (int i = 0; i < count; i++) {
    value[0] = static_cast<uint8_t>(i);
    value[1] = static_cast<uint8_t>(i >> 8);
    bool answer;
    if (order.hasValue) {
      answer = !order.isIndication ? output->notify(value, order.length)
                                   : output->indicate(value, order.length);
    } else {
      output->setValue(value, order.length);
      answer = order.isIndication ? output->indicate() : output->notify();
    }
    if (answer != former) {
      addRun(former, run);
      former = answer;
      run = 0;
    }
    run++;
  }
  addRun(former, run);
  isDone = true;
}

class Output : public NimBLECharacteristicCallbacks {
  void onWrite(NimBLECharacteristic* characteristic, NimBLEConnInfo&) override {
    NimBLEAttValue value = characteristic->getValue();
    if (value.size() != sizeof order) return;
    memcpy(&order, value.data(), sizeof order);
    used = 0;
    memset(statuses, 0, sizeof statuses);
    if (order.place == inCallback) send();
    if (order.place == inLoop) isForLoop = true;
    if (order.place == inTimer) {
      static esp_timer_handle_t timer;
      if (timer == nullptr) {
        esp_timer_create_args_t settings = {};
        settings.callback = [](void*) { send(); };
        esp_timer_create(&settings, &timer);
      }
      esp_timer_start_once(timer, 10000);
    }
    if (order.place == inTask) {
      auto run = [](void*) {
        send();
        vTaskDelete(nullptr);
      };
      xTaskCreatePinnedToCore(run, "sender", 4096, nullptr, 5, nullptr, 1);
    }
  }
  void onStatus(NimBLECharacteristic*, int code) override {
    if (code >= 0 && code < 32) statuses[code]++;
  }
};

class Server : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo&) override { NimBLEDevice::startAdvertising(); }
};

void setup() {
  Serial.begin(115200);
  NimBLEDevice::init("Queues");
  NimBLEServer* server = NimBLEDevice::createServer();
  server->setCallbacks(new Server());
  NimBLEService* service = server->createService("A000");
  output = service->createCharacteristic(
      "A001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::WRITE_NR | NIMBLE_PROPERTY::NOTIFY |
                  NIMBLE_PROPERTY::INDICATE);
  output->setCallbacks(new Output());
  NimBLEDevice::getAdvertising()->addServiceUUID("A000");
  NimBLEDevice::startAdvertising();
}

void loop() {
  delay(1);
  if (isForLoop) {
    isForLoop = false;
    send();
  }
  if (!isDone) return;
  isDone = false;
  delay(3000);
  Serial.printf("taken%s status", answers);
  for (int code = 0; code < 32; code++) {
    if (statuses[code] > 0) Serial.printf(" %d:%d", code, statuses[code]);
  }
  Serial.println();
}
