// Blocks callbacks with a mutex; built with its own flags (build_opt.h).
#include <NimBLEDevice.h>
#include <freertos/semphr.h>

static SemaphoreHandle_t mutex;

struct Callbacks : NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo&) override {
    const BaseType_t taken = xSemaphoreTake(mutex, portMAX_DELAY);
    Serial.printf("connected %d\r\n", taken);
    xSemaphoreGive(mutex);
  }
};

void setup() {
  Serial.begin(115200);
  mutex = xSemaphoreCreateMutex();
  NimBLEDevice::init("mutex");
  NimBLEDevice::createServer()->setCallbacks(new Callbacks());
  NimBLEDevice::startAdvertising();
  Serial.printf("given %d\r\n", xSemaphoreGive(mutex));
  Serial.printf("taken %d\r\n", xSemaphoreTake(mutex, 0));
  delay(50);
  const unsigned long before = millis();
  const BaseType_t taken = xSemaphoreTake(mutex, 20);
  Serial.printf("taken %d after %lu\r\n", taken, millis() - before);
  Serial.printf("given %d\r\n", xSemaphoreGive(mutex));
  delay(50);
  Serial.println("for ever");
  xSemaphoreTake(mutex, portMAX_DELAY);
  xSemaphoreTake(mutex, portMAX_DELAY);
  Serial.println("never");
}

void loop() {}
