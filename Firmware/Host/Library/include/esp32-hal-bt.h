// arduino-esp32 3.x esp32-hal-bt.h: starts and stops the controller.
#pragma once

#include <stdbool.h>

#include "soc/soc_caps.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { BT_MODE_DEFAULT, BT_MODE_BLE, BT_MODE_CLASSIC_BT, BT_MODE_BTDM } bt_mode;

/// True if the controller is enabled.
bool btStarted(void);
bool btStart(void);
bool btStartMode(bt_mode mode);
bool btStop(void);

#ifdef __cplusplus
}
#endif
