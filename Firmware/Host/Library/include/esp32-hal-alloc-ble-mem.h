// arduino-esp32 3.x esp32-hal-alloc-ble-mem.h: including it keeps the controller's memory from
// being given to the heap at the start. The virtual chip's heap always leaves that memory to the
// controller.
#pragma once
