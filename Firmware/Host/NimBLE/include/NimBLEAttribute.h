#pragma once

#include "NimBLEUUID.h"

/// Common members of all attributes.
class NimBLEAttribute {
 public:
  const NimBLEUUID& getUUID() const { return m_uuid; }
  /// 0 until the server has started.
  uint16_t getHandle() const { return m_handle; }

 protected:
  NimBLEAttribute(const NimBLEUUID& uuid, uint16_t handle) : m_uuid{uuid}, m_handle{handle} {}
  ~NimBLEAttribute() = default;

  const NimBLEUUID m_uuid{};
  uint16_t m_handle{0};
};

/// Common members of all attributes in this device's database.
class NimBLELocalAttribute : public NimBLEAttribute {
 public:
  /// 0, or NIMBLE_ATT_REMOVE_HIDE or _DELETE.
  uint8_t getRemoved() const { return m_removed; }

 protected:
  NimBLELocalAttribute(const NimBLEUUID& uuid, uint16_t handle) : NimBLEAttribute{uuid, handle} {}
  ~NimBLELocalAttribute() = default;
  void setRemoved(uint8_t removed) { m_removed = removed; }

  uint8_t m_removed{0};
};
