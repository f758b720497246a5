// Moves bytes between UART, buffers and client: the work of the loop.
#pragma once

#include <NimBLEDevice.h>

#include "Services.h"

class Pump {
 public:
  Pump(Bridge& bridge, Client& client, const Services& services)
      : _bridge(bridge), _client(client), _services(services) {}

  /// Starts the UART; returns whether it has flow control.
  bool begin() {
    Serial1.setRxBufferSize(kDriverReceive);
    Serial1.begin(kBaudRate, SERIAL_8N1, kReceivePin, kTransmitPin);
    pinMode(kNoFlowControlPin, INPUT_PULLUP);
    _hasFlowControl = digitalRead(kNoFlowControlPin) == HIGH;
    if (_hasFlowControl) {
      Serial1.setPins(kReceivePin, kTransmitPin, kCTSPin, kRTSPin);
      Serial1.setHwFlowCtrlMode(UART_HW_FLOWCTRL_CTS_RTS);
    }
    return _hasFlowControl;
  }

  void run() {
    receiveFromUART();
    sendToUART();
    sendToClient();
    notifyStatus();
    reportLosses();
  }

 private:
  void receiveFromUART() {
    size_t count = std::min<size_t>(Serial1.available(), sizeof _bytes);
    if (_hasFlowControl) {
      // The UART itself holds what does not fit.
      Guard guard;
      count = std::min(count, _bridge.roomForUART());
    }
    if (count == 0) return;
    count = Serial1.read(_bytes, count);
    Guard guard;
    _bridge.receiveFromUART(_bytes, count, millis());
  }

  void sendToUART() {
    const size_t room = Serial1.availableForWrite();
    size_t count;
    {
      Guard guard;
      count = _bridge.peekForUART(_bytes, std::min(room, sizeof _bytes));
    }
    if (count == 0) return;
    Serial1.write(_bytes, count);
    Guard guard;
    _bridge.sentToUART(count);
  }

  /// The guard is held from the choice of the client until its bytes are counted: in between no
  /// other connection can begin.
  void sendToClient() {
    Guard guard;
    const Client::Source source =
        _client.isSubscribed(Client::hm10) ? Client::hm10 : Client::nordic;
    if (!_client.isSubscribed(source)) return;
    const size_t mtu = NimBLEDevice::getServer()->getPeerMTU(_client.handle());
    if (mtu <= 3) return;
    const size_t count = _bridge.peekForClient(_bytes, std::min(mtu - 3, sizeof _bytes), millis());
    // A host whose queue is full takes them later.
    if (count == 0 || !notify(source, _bytes, count)) return;
    _bridge.sentToClient(count, millis());
  }

  /// NimBLE notifies a value also to clients that have not subscribed.
  void notifyStatus() {
    Guard guard;
    if (!_client.isSubscribed(Client::status) || !_bridge.isStatusDue()) return;
    uint8_t bytes[Bridge::kStatusSize];
    _bridge.status(bytes);
    if (notify(Client::status, bytes, sizeof bytes)) _bridge.statusNotified();
  }

  bool notify(Client::Source source, const uint8_t* bytes, size_t count) {
    return _services.source(source)->notify(bytes, count, _client.handle());
  }

  void reportLosses() {
    unsigned fromClient, fromUART;
    {
      Guard guard;
      fromClient = _bridge.lostFromClient();
      fromUART = _bridge.lostFromUART();
    }
    if (fromClient + fromUART == _reported || millis() - _reportedAt < kReportInterval) return;
    Serial.printf("Lost from client: %u, from UART: %u\r\n", fromClient, fromUART);
    _reported = fromClient + fromUART;
    _reportedAt = millis();
  }

  Bridge& _bridge;
  Client& _client;
  const Services& _services;
  bool _hasFlowControl = false;
  unsigned _reported = 0;
  uint32_t _reportedAt = 0;
  uint8_t _bytes[kLongestValue];
};
