#include "NimBLECalls.h"

#include <Arduino.h>

NimBLEServer* server;
NimBLEService* service;
NimBLECharacteristic* value;
NimBLEDescriptor* descriptor;
NimBLEAdvertising* advertising;
uint16_t connection = 0;

void setUp(NimBLEServerCallbacks* serverCallbacks, NimBLECharacteristicCallbacks* callbacks) {
  server = NimBLEDevice::createServer();
  server->setCallbacks(serverCallbacks, false);
  service = server->createService("A000");
  value = service->createCharacteristic("A001", NIMBLE_PROPERTY::READ | NIMBLE_PROPERTY::WRITE |
                                                    NIMBLE_PROPERTY::NOTIFY |
                                                    NIMBLE_PROPERTY::INDICATE);
  value->setCallbacks(callbacks);
  descriptor = value->createDescriptor("A002");
  advertising = NimBLEDevice::getAdvertising();
  advertising->setAdvertisingCompleteCallback(
      [](NimBLEAdvertising*) { Serial.println("complete"); });
}

void setUpWithoutServer() {
  service = new NimBLEService("A000");
  value = new NimBLECharacteristic("A001", NIMBLE_PROPERTY::WRITE | NIMBLE_PROPERTY::NOTIFY);
  descriptor = new NimBLEDescriptor("A002", NIMBLE_PROPERTY::READ, 10);
  advertising = NimBLEDevice::getAdvertising();
}

namespace {

const NimBLEAddress kPeer("c0:11:22:33:44:55", BLE_ADDR_RANDOM);
const uint8_t kBytes[] = {1, 2, 3};
const uint16_t kUnknown = 77;  // An int would be a value.

template <typename Function>
long done(Function function) {
  function();
  return kDone;
}

/// A peer that there is not: only the host makes NimBLEConnInfo.
NimBLEConnInfo& nobody() {
  alignas(NimBLEConnInfo) static uint8_t bytes[sizeof(NimBLEConnInfo)];
  return *reinterpret_cast<NimBLEConnInfo*>(bytes);
}

int ignoreRecord(int, union ble_store_value*, void*) { return 0; }

}  // namespace

#define RETURNS(name, expression)                      \
  {                                                    \
    name, [] { return static_cast<long>(expression); } \
  }
#define DOES(name, statement)                    \
  {                                              \
    name, [] { return done([] { statement; }); } \
  }

const Call calls[] = {
    // NimBLEDevice
    RETURNS("init", NimBLEDevice::init("Calls")),
    RETURNS("isInitialized", NimBLEDevice::isInitialized()),
    RETURNS("setDeviceName", NimBLEDevice::setDeviceName("Other")),
    RETURNS("getAddress", !NimBLEDevice::getAddress().isNull()),
    RETURNS("setMTU(100)", NimBLEDevice::setMTU(100)),
    RETURNS("setMTU(10)", NimBLEDevice::setMTU(10)),
    RETURNS("getMTU", NimBLEDevice::getMTU()),
    RETURNS("getPower", NimBLEDevice::getPower()),
    RETURNS("setPower", NimBLEDevice::setPower(3)),
    RETURNS("createServer", NimBLEDevice::createServer() != nullptr),
    RETURNS("getServer", NimBLEDevice::getServer() != nullptr),
    RETURNS("startAdvertising", NimBLEDevice::startAdvertising()),
    RETURNS("stopAdvertising", NimBLEDevice::stopAdvertising()),
    RETURNS("setOwnAddrType(public)", NimBLEDevice::setOwnAddrType(BLE_OWN_ADDR_PUBLIC)),
    RETURNS("whiteListAdd", NimBLEDevice::whiteListAdd(kPeer)),
    RETURNS("onWhiteList", NimBLEDevice::onWhiteList(kPeer)),
    RETURNS("getWhiteListCount", NimBLEDevice::getWhiteListCount()),
    RETURNS("whiteListAdd, whiteListRemove",
            (NimBLEDevice::whiteListAdd(kPeer), NimBLEDevice::whiteListRemove(kPeer))),
    DOES("setSecurityAuth", NimBLEDevice::setSecurityAuth(true, false, true)),
    DOES("setSecurityIOCap", NimBLEDevice::setSecurityIOCap(BLE_HS_IO_NO_INPUT_OUTPUT)),
    DOES("setSecurityInitKey", NimBLEDevice::setSecurityInitKey(BLE_SM_PAIR_KEY_DIST_ENC)),
    DOES("setSecurityRespKey", NimBLEDevice::setSecurityRespKey(BLE_SM_PAIR_KEY_DIST_ENC)),
    DOES("setSecurityPasskey", NimBLEDevice::setSecurityPasskey(123456)),
    RETURNS("startSecurity", NimBLEDevice::startSecurity(connection)),
    {"startSecurity: code",
     [] {
       int code = -1;
       NimBLEDevice::startSecurity(connection, &code);
       return static_cast<long>(code);
     }},
    RETURNS("injectPassKey", NimBLEDevice::injectPassKey(nobody(), 1)),
    RETURNS("injectConfirmPasskey", NimBLEDevice::injectConfirmPasskey(nobody(), true)),
    RETURNS("deleteBond", NimBLEDevice::deleteBond(kPeer)),
    RETURNS("getNumBonds", NimBLEDevice::getNumBonds()),
    RETURNS("isBonded", NimBLEDevice::isBonded(kPeer)),
    RETURNS("deleteAllBonds", NimBLEDevice::deleteAllBonds()),
    RETURNS("getBondedAddress", NimBLEDevice::getBondedAddress(0).isNull()),
    RETURNS("generateAddr", NimBLEUtils::generateAddr(false).isNull()),
    // NimBLEServer
    RETURNS("server start", server->start()),
    RETURNS("createService, start",
            (server->createService("A0F0")->createCharacteristic("A0F1"), server->start())),
    RETURNS("getConnectedCount", server->getConnectedCount()),
    DOES("updateConnParams", server->updateConnParams(connection, 24, 40, 0, 400)),
    RETURNS("getPeerMTU", server->getPeerMTU(connection)),
    RETURNS("getPeerDevices", server->getPeerDevices().size()),
    RETURNS("getPeerInfo(index)", server->getPeerInfo(0).getConnInterval()),
    RETURNS("getPeerInfo(address)", server->getPeerInfo(kPeer).getConnInterval()),
    RETURNS("getPeerInfoByHandle", server->getPeerInfoByHandle(connection).getConnInterval()),
    RETURNS("NimBLEConnInfo getMTU", nobody().getMTU()),
    RETURNS("server startAdvertising", server->startAdvertising()),
    RETURNS("server stopAdvertising", server->stopAdvertising()),
    // NimBLE's C host
    RETURNS("ble_gap_conn_find", ble_gap_conn_find(connection, nullptr)),
    RETURNS("ble_gap_conn_find_by_addr", ble_gap_conn_find_by_addr(kPeer.getBase(), nullptr)),
    RETURNS("ble_store_iterate", ble_store_iterate(BLE_STORE_OBJ_TYPE_CCCD, ignoreRecord, nullptr)),
    RETURNS("ble_store_util_delete_peer", ble_store_util_delete_peer(kPeer.getBase())),
    // NimBLEAdvertising
    RETURNS("advertising start(1000)", advertising->start(1000)),
    RETURNS("isAdvertising", advertising->isAdvertising()),
    RETURNS("setAdvertisementData",
            advertising->setAdvertisementData(advertising->getAdvertisementData())),
    RETURNS("setScanResponseData", advertising->setScanResponseData([] {
      NimBLEAdvertisementData data;
      data.setName("n");
      return data;
    }())),
    RETURNS("refreshAdvertisingData", advertising->refreshAdvertisingData()),
    RETURNS("setConnectableMode", advertising->setConnectableMode(BLE_GAP_CONN_MODE_NON)),
    RETURNS("addServiceUUID", advertising->addServiceUUID("A0F2")),
    RETURNS("advertising reset", advertising->reset()),
    // NimBLEService
    RETURNS("isStarted", service->isStarted()),
    RETURNS("createCharacteristic", service->createCharacteristic("A0F3") != nullptr),
    RETURNS("getCharacteristicByHandle", service->getCharacteristicByHandle(1) != nullptr),
    // NimBLECharacteristic
    DOES("setValue", value->setValue(kBytes, sizeof kBytes)),
    RETURNS("getValue", value->getValue().size()),
    RETURNS("notify()", value->notify()),
    RETURNS("notify(connection)", value->notify(connection)),
    RETURNS("notify(unknown connection)", value->notify(kUnknown)),
    RETURNS("notify(value)", value->notify(kBytes, sizeof kBytes)),
    RETURNS("notify(value, connection)", value->notify(kBytes, sizeof kBytes, connection)),
    RETURNS("indicate()", value->indicate()),
    RETURNS("indicate(connection)", value->indicate(connection)),
    RETURNS("indicate(unknown connection)", value->indicate(kUnknown)),
    RETURNS("indicate(value)", value->indicate(kBytes, sizeof kBytes)),
    RETURNS("indicate(value, connection)", value->indicate(kBytes, sizeof kBytes, connection)),
    DOES("setCallbacks", value->setCallbacks(value->getCallbacks())),
    RETURNS("createDescriptor", value->createDescriptor("A0F4") != nullptr),
    DOES("descriptor setValue", descriptor->setValue(kBytes, sizeof kBytes)),
    // What ends links or the host.
    RETURNS("setOwnAddrType(random)", NimBLEDevice::setOwnAddrType(BLE_OWN_ADDR_RANDOM)),
    RETURNS("NimBLEAddress(gg:gg:gg:gg:gg:gg)", NimBLEAddress("gg:gg:gg:gg:gg:gg", 0).getType()),
    RETURNS("setOwnAddrType(private)",
            NimBLEDevice::setOwnAddrType(BLE_OWN_ADDR_RPA_PUBLIC_DEFAULT)),
    DOES("removeDescriptor", value->removeDescriptor(descriptor)),
    DOES("removeCharacteristic", service->removeCharacteristic(value)),
    RETURNS("ble_gap_terminate", ble_gap_terminate(connection, BLE_ERR_REM_USER_CONN_TERM)),
    RETURNS("disconnect", server->disconnect(connection)),
    RETURNS("disconnect(unknown connection)", server->disconnect(kUnknown)),
    RETURNS("deinit", NimBLEDevice::deinit()),
    RETURNS("start, deinit", (advertising->start(), NimBLEDevice::deinit())),
    RETURNS("deinit(true)", NimBLEDevice::deinit(true)),
};
const int callCount = sizeof calls / sizeof *calls;
