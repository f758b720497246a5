// The types and numbers of the NimBLE host that NimBLE-Arduino's classes use.
#pragma once

#include <cstdint>

#include "NimBLEErrors.h"
#include "nimconfig.h"

// UUIDs

enum { BLE_UUID_TYPE_16 = 16, BLE_UUID_TYPE_32 = 32, BLE_UUID_TYPE_128 = 128 };

typedef struct {
  uint8_t type;
} ble_uuid_t;
typedef struct {
  ble_uuid_t u;
  uint16_t value;
} ble_uuid16_t;
typedef struct {
  ble_uuid_t u;
  uint32_t value;
} ble_uuid32_t;
typedef struct {
  ble_uuid_t u;
  uint8_t value[16];
} ble_uuid128_t;
typedef union {
  ble_uuid_t u;
  ble_uuid16_t u16;
  ble_uuid32_t u32;
  ble_uuid128_t u128;
} ble_uuid_any_t;

// Addresses

#define BLE_DEV_ADDR_LEN 6
#define BLE_ADDR_PUBLIC 0x00
#define BLE_ADDR_RANDOM 0x01
#define BLE_ADDR_PUBLIC_ID 0x02
#define BLE_ADDR_RANDOM_ID 0x03

typedef struct {
  uint8_t type;
  uint8_t val[BLE_DEV_ADDR_LEN];
} ble_addr_t;

// Attributes

#define BLE_ATT_ATTR_MAX_LEN 512
#define BLE_ATT_MTU_DFLT 23
#define BLE_ATT_MTU_MAX 527

#define BLE_GATT_CHR_F_BROADCAST 0x0001
#define BLE_GATT_CHR_F_READ 0x0002
#define BLE_GATT_CHR_F_WRITE_NO_RSP 0x0004
#define BLE_GATT_CHR_F_WRITE 0x0008
#define BLE_GATT_CHR_F_NOTIFY 0x0010
#define BLE_GATT_CHR_F_INDICATE 0x0020
#define BLE_GATT_CHR_F_READ_ENC 0x0200
#define BLE_GATT_CHR_F_READ_AUTHEN 0x0400
#define BLE_GATT_CHR_F_READ_AUTHOR 0x0800
#define BLE_GATT_CHR_F_WRITE_ENC 0x1000
#define BLE_GATT_CHR_F_WRITE_AUTHEN 0x2000
#define BLE_GATT_CHR_F_WRITE_AUTHOR 0x4000

#define BLE_ATT_F_READ 0x01
#define BLE_ATT_F_WRITE 0x02
#define BLE_ATT_F_READ_ENC 0x04
#define BLE_ATT_F_READ_AUTHEN 0x08
#define BLE_ATT_F_READ_AUTHOR 0x10
#define BLE_ATT_F_WRITE_ENC 0x20
#define BLE_ATT_F_WRITE_AUTHEN 0x40
#define BLE_ATT_F_WRITE_AUTHOR 0x80

// Connections and advertising

#define BLE_HS_CONN_HANDLE_NONE 0xffff
#define BLE_HS_FOREVER INT32_MAX

#define BLE_GAP_ROLE_MASTER 0
#define BLE_GAP_ROLE_SLAVE 1

#define BLE_GAP_CONN_MODE_NON 0
#define BLE_GAP_CONN_MODE_DIR 1
#define BLE_GAP_CONN_MODE_UND 2
#define BLE_GAP_DISC_MODE_NON 0
#define BLE_GAP_DISC_MODE_LTD 1
#define BLE_GAP_DISC_MODE_GEN 2

#define BLE_HS_ADV_MAX_SZ 31
#define BLE_HS_ADV_MAX_FIELD_SZ (BLE_HS_ADV_MAX_SZ - 2)
#define BLE_HS_ADV_F_DISC_LTD 0x01
#define BLE_HS_ADV_F_DISC_GEN 0x02
#define BLE_HS_ADV_F_BREDR_UNSUP 0x04
#define BLE_HS_ADV_TYPE_FLAGS 0x01
#define BLE_HS_ADV_TYPE_INCOMP_UUIDS16 0x02
#define BLE_HS_ADV_TYPE_COMP_UUIDS16 0x03
#define BLE_HS_ADV_TYPE_INCOMP_UUIDS32 0x04
#define BLE_HS_ADV_TYPE_COMP_UUIDS32 0x05
#define BLE_HS_ADV_TYPE_INCOMP_UUIDS128 0x06
#define BLE_HS_ADV_TYPE_COMP_UUIDS128 0x07
#define BLE_HS_ADV_TYPE_INCOMP_NAME 0x08
#define BLE_HS_ADV_TYPE_COMP_NAME 0x09
#define BLE_HS_ADV_TYPE_TX_PWR_LVL 0x0a
#define BLE_HS_ADV_TYPE_SLAVE_ITVL_RANGE 0x12
#define BLE_HS_ADV_TYPE_SVC_DATA_UUID16 0x16
#define BLE_HS_ADV_TYPE_APPEARANCE 0x19
#define BLE_HS_ADV_TYPE_SVC_DATA_UUID32 0x20
#define BLE_HS_ADV_TYPE_SVC_DATA_UUID128 0x21
#define BLE_HS_ADV_TYPE_URI 0x24
#define BLE_HS_ADV_TYPE_MFG_DATA 0xff

#define BLE_OWN_ADDR_PUBLIC 0x00
#define BLE_OWN_ADDR_RANDOM 0x01
#define BLE_OWN_ADDR_RPA_PUBLIC_DEFAULT 0x02
#define BLE_OWN_ADDR_RPA_RANDOM_DEFAULT 0x03

// Security

#define BLE_HS_IO_DISPLAY_ONLY 0x00
#define BLE_HS_IO_DISPLAY_YESNO 0x01
#define BLE_HS_IO_KEYBOARD_ONLY 0x02
#define BLE_HS_IO_NO_INPUT_OUTPUT 0x03
#define BLE_HS_IO_KEYBOARD_DISPLAY 0x04

#define BLE_SM_IO_CAP_DISP_ONLY 0x00
#define BLE_SM_IO_CAP_DISP_YES_NO 0x01
#define BLE_SM_IO_CAP_KEYBOARD_ONLY 0x02
#define BLE_SM_IO_CAP_NO_IO 0x03
#define BLE_SM_IO_CAP_KEYBOARD_DISP 0x04

#define BLE_SM_PAIR_AUTHREQ_BOND 0x01
#define BLE_SM_PAIR_AUTHREQ_MITM 0x04
#define BLE_SM_PAIR_AUTHREQ_SC 0x08
#define BLE_SM_PAIR_AUTHREQ_KEYPRESS 0x10

#define BLE_SM_PAIR_KEY_DIST_ENC 0x01
#define BLE_SM_PAIR_KEY_DIST_ID 0x02
#define BLE_SM_PAIR_KEY_DIST_SIGN 0x04
#define BLE_SM_PAIR_KEY_DIST_LINK 0x08
