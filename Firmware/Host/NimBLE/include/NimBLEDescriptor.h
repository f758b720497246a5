#pragma once

#include <string>

#include "NimBLELocalValueAttribute.h"

class NimBLECharacteristic;
class NimBLEDescriptorCallbacks;

class NimBLEDescriptor : public NimBLELocalValueAttribute {
 public:
  NimBLEDescriptor(const char* uuid, uint16_t properties, uint16_t maxLen,
                   NimBLECharacteristic* pCharacteristic = nullptr)
      : NimBLEDescriptor(NimBLEUUID(uuid), properties, maxLen, pCharacteristic) {}
  NimBLEDescriptor(const NimBLEUUID& uuid, uint16_t properties, uint16_t maxLen,
                   NimBLECharacteristic* pCharacteristic = nullptr);
  ~NimBLEDescriptor() = default;

  std::string toString() const;
  void setCallbacks(NimBLEDescriptorCallbacks* pCallbacks);
  NimBLECharacteristic* getCharacteristic() const { return m_pCharacteristic; }

 private:
  friend class NimBLECharacteristic;
  friend class NimBLEServer;

  void setCharacteristic(NimBLECharacteristic* pChar) { m_pCharacteristic = pChar; }
  void readEvent(NimBLEConnInfo& connInfo) override;
  void writeEvent(NimBLEConnInfo& connInfo) override;
  uint16_t callbackMask() const override;

  NimBLEDescriptorCallbacks* m_pCallbacks;
  NimBLECharacteristic* m_pCharacteristic;
};

class NimBLEDescriptorCallbacks {
 public:
  virtual ~NimBLEDescriptorCallbacks() = default;
  virtual void onRead(NimBLEDescriptor* pDescriptor, NimBLEConnInfo& connInfo);
  virtual void onWrite(NimBLEDescriptor* pDescriptor, NimBLEConnInfo& connInfo);
};

#include "NimBLE2904.h"
