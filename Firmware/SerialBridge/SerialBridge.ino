// A BLE serial port as the HM-10 module is one, on UART 1. README.md has its contract with clients.

#include <NimBLEDevice.h>

#include "Ring.h"
#include "Status.h"

static constexpr uint32_t kBaud = 115200;
static constexpr int8_t kRX = 26, kTX = 27, kCTS = 14, kRTS = 13;
static constexpr uint8_t kNoFlowControl = 4;  // A jumper to ground: RTS and CTS are not wired.
static constexpr uint32_t kHoldMilliseconds = 20000;  // ATT ends a link after 30 s.

static Ring toUART, toClient;
static Status status;
static NimBLECharacteristic *hm10, *nordic, *statusValue;
static volatile uint16_t client = BLE_HS_CONN_HANDLE_NONE;
static volatile bool hm10Wanted, nordicWanted;
static uint32_t toldSent, toldLost;
static bool hasFlowControl;

class Server : public NimBLEServerCallbacks {
  void onConnect(NimBLEServer*, NimBLEConnInfo& connection) override {
    status.sent = toldSent = 0;
    client = connection.getConnHandle();
    Serial.printf("Client connected, %u bytes wait\r\n", toClient.count());
  }
  void onDisconnect(NimBLEServer*, NimBLEConnInfo&, int) override {
    client = BLE_HS_CONN_HANDLE_NONE;
    hm10Wanted = nordicWanted = false;
    Serial.println("Client disconnected");
  }
};

class Input : public NimBLECharacteristicCallbacks {
  // The response to a write waits for it, and with it the client.
  void onWrite(NimBLECharacteristic* input, NimBLEConnInfo&) override {
    NimBLEAttValue value = input->getValue();
    uint32_t since = millis();
    while (toUART.room() < value.size() && millis() - since < kHoldMilliseconds) delay(1);
    status.lostFromClient += value.size() - toUART.put(value.data(), value.size());
  }
  void onSubscribe(NimBLECharacteristic* output, NimBLEConnInfo&, uint16_t kind) override {
    (output == hm10 ? hm10Wanted : nordicWanted) = kind != 0;
  }
};

class StatusReader : public NimBLECharacteristicCallbacks {
  void onRead(NimBLECharacteristic* value, NimBLEConnInfo&) override { value->setValue(status); }
};

static Server server;
static Input input;
static StatusReader statusReader;

static void sendToUART() {
  uint8_t bytes[128];
  size_t room = Serial1.availableForWrite();
  size_t count = toUART.peek(bytes, min(room, sizeof bytes));
  Serial1.write(bytes, count);
  toUART.drop(count);
  status.sent += count;
}

static void takeFromUART() {
  uint8_t bytes[128];
  size_t waiting = Serial1.available();
  // With flow control the UART itself holds what does not fit.
  if (hasFlowControl) waiting = min(waiting, toClient.room());
  size_t count = Serial1.read(bytes, min(waiting, sizeof bytes));
  status.lostFromUART += count - toClient.put(bytes, count);
}

static void sendToClient() {
  uint16_t handle = client;
  if (handle == BLE_HS_CONN_HANDLE_NONE || !(hm10Wanted || nordicWanted)) return;
  uint8_t bytes[512];
  size_t limit = NimBLEDevice::getServer()->getPeerMTU(handle) - 3;
  size_t count = toClient.peek(bytes, min(limit, sizeof bytes));
  // A queue that is full takes them later.
  if (count > 0 && (hm10Wanted ? hm10 : nordic)->notify(bytes, count, handle)) toClient.drop(count);
}

static void tellStatus() {
  uint32_t lost = status.lostFromClient + status.lostFromUART;
  uint32_t untold = status.sent - toldSent;
  bool isDue =
      untold >= Ring::kCapacity / 4 || (untold > 0 && toUART.count() == 0) || lost != toldLost;
  if (!isDue) return;
  if (lost != toldLost) {
    Serial.printf("Lost from client: %u, from UART: %u\r\n", status.lostFromClient,
                  status.lostFromUART);
    toldLost = lost;
  }
  toldSent = status.sent;
  statusValue->setValue(status);
  if (client != BLE_HS_CONN_HANDLE_NONE) statusValue->notify();
}

void setup() {
  Serial.begin(115200);
  Serial1.setRxBufferSize(1024);
  Serial1.begin(kBaud, SERIAL_8N1, kRX, kTX);
  pinMode(kNoFlowControl, INPUT_PULLUP);
  hasFlowControl = digitalRead(kNoFlowControl) == HIGH;
  if (hasFlowControl) {
    Serial1.setPins(kRX, kTX, kCTS, kRTS);
    Serial1.setHwFlowCtrlMode(UART_HW_FLOWCTRL_CTS_RTS);
  }
  status.capacity = Ring::kCapacity;
  status.baudRate = kBaud | (hasFlowControl ? Status::kFlowControl : 0);
  startBluetooth();
  Serial.println("Serial bridge is advertising");
}

void loop() {
  takeFromUART();
  sendToUART();
  sendToClient();
  tellStatus();
  delay(1);
}
