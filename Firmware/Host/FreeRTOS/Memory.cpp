// FreeRTOS's memory: the chip's heap.
#include <cstdlib>

#include "../Runtime/Heap.h"
#include "freertos/FreeRTOS.h"

extern "C" {

void* pvPortMalloc(size_t size) { return malloc(size); }
void vPortFree(void* block) { free(block); }
size_t xPortGetFreeHeapSize(void) { return espbench::freeHeap(); }
size_t xPortGetMinimumEverFreeHeapSize(void) { return espbench::minimumFreeHeap(); }

}  // extern "C"
