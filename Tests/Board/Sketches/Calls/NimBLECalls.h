// Calls of the NimBLE API, each by a number.
#pragma once

#include <NimBLEDevice.h>

/// The result of a call that returns nothing.
constexpr long kDone = 1000000;

struct Call {
  const char* name;
  long (*run)();
};

extern const Call calls[];
extern const int callCount;

// What the calls work on.
extern NimBLEServer* server;
extern NimBLEService* service;
extern NimBLECharacteristic* value;
extern NimBLEDescriptor* descriptor;
extern NimBLEAdvertising* advertising;
extern uint16_t connection;

void setUp(NimBLEServerCallbacks* serverCallbacks, NimBLECharacteristicCallbacks* callbacks);
void setUpWithoutServer();
