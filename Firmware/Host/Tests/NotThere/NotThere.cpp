// Each line with "refused:" must be an error whose message contains the text after it; no other
// line may be an error. Scripts/test-firmware compiles this file.
#include <Arduino.h>
#include <NimBLEDevice.h>
#include <SPI.h>
#include <driver/rtc_io.h>

void allowed() { NimBLEDevice::init("allowed"); }

void device(const NimBLEAddress& address) {
  NimBLEDevice::setOwnAddr(address);           // refused: NimBLEDevice::setOwnAddr
  NimBLEDevice::getScan();                     // refused: NimBLEDevice::getScan
  NimBLEDevice::createClient();                // refused: NimBLEDevice::createClient
  NimBLEDevice::setCustomGapHandler(nullptr);  // refused: NimBLEDevice::setCustomGapHandler
}

void server(NimBLEServer* server) {
  server->removeService(nullptr);          // refused: NimBLEServer::removeService
  server->sendServiceChangedIndication();  // refused: NimBLEServer::sendServiceChangedIndication
  server->updatePhy(0, 1, 1, 0);           // refused: NimBLEServer::updatePhy
  server->getClient(0);                    // refused: NimBLEServer::getClient
}

struct Callbacks : NimBLEClientCallbacks {};  // refused: NimBLEClientCallbacks
struct Storage : NimBLEDeviceCallbacks {};    // refused: NimBLEDeviceCallbacks

void central() {
  NimBLEScan* scan = nullptr;      // refused: NimBLEScan
  NimBLEClient* client = nullptr;  // refused: NimBLEClient
  NimBLEStreamServer* stream;      // refused: NimBLEStreamServer
  NimBLETaskData* task;            // refused: NimBLETaskData
}

void hardware() {
  ESP.getSketchSize();           // refused: ESP.getSketchSize
  ESP.getSketchMD5();            // refused: ESP.getSketchMD5
  ESP.flashRead(0, nullptr, 0);  // refused: ESP.flashRead
  Serial3.begin(9600);           // refused: Serial3
  rtc_gpio_hold_en(GPIO_NUM_4);  // refused: rtc_gpio_hold_en
}

void bits() {
  uint32_t received = 0;
  SPI.transferBits(1, &received, 9);  // refused: SPIClass::transferBits
}
