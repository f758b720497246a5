// FreeRTOS tasks: only the loop's task.
#pragma once

#include "FreeRTOS.h"

#ifdef __cplusplus
extern "C" {
#endif

void vTaskDelay(TickType_t ticks);
TickType_t xTaskGetTickCount(void);
/// With NULL: deletes the task of setup() and loop(); callbacks continue.
void vTaskDelete(TaskHandle_t task);

typedef void (*TaskFunction_t)(void*);
__attribute__((unavailable("xTaskCreate is not in espbench's host core"))) BaseType_t xTaskCreate(
    TaskFunction_t code, const char* name, uint32_t stack, void* parameters, UBaseType_t priority,
    TaskHandle_t* created);
__attribute__((unavailable("xTaskCreatePinnedToCore is not in espbench's host core"))) BaseType_t
xTaskCreatePinnedToCore(TaskFunction_t code, const char* name, uint32_t stack, void* parameters,
                        UBaseType_t priority, TaskHandle_t* created, BaseType_t core);

#ifdef __cplusplus
}
#endif
