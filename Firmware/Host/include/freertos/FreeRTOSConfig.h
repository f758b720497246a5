// FreeRTOS's configuration, as arduino-esp32 3.x builds ESP-IDF 5.5 (its lib-builder's
// defconfig.common and defconfig.esp32, otherwise the defaults of ESP-IDF's Kconfig).
#pragma once

#define FREERTOS_CONFIG_H

#define configTICK_RATE_HZ 1000
#define configMAX_PRIORITIES (25)
#define configMINIMAL_STACK_SIZE 1024
#define configMAX_TASK_NAME_LEN 16
#define configNUMBER_OF_CORES 2
#define configNUM_CORES configNUMBER_OF_CORES
#define portNUM_PROCESSORS configNUMBER_OF_CORES
#define configTASK_NOTIFICATION_ARRAY_ENTRIES 1
#define configNUM_THREAD_LOCAL_STORAGE_POINTERS 1
#define configTIMER_TASK_PRIORITY 1
#define configTIMER_QUEUE_LENGTH 10
#define configTIMER_TASK_STACK_DEPTH 4096
#define configSTACK_DEPTH_TYPE uint32_t
#define configRUN_TIME_COUNTER_TYPE uint32_t
#define configMESSAGE_BUFFER_LENGTH_TYPE size_t

#define configUSE_PREEMPTION 1
#define configUSE_TIME_SLICING 1
#define configUSE_16_BIT_TICKS 0
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS 1
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_TIMERS 1
#define configUSE_TRACE_FACILITY 1
#define configUSE_STATS_FORMATTING_FUNCTIONS 1
#define configGENERATE_RUN_TIME_STATS 1
#define configTASKLIST_INCLUDE_COREID 1
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 1

#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_uxTaskPriorityGet 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#define INCLUDE_eTaskGetState 1
#define INCLUDE_xTaskGetHandle 1
#define INCLUDE_xTaskAbortDelay 1
#define INCLUDE_xTaskGetSchedulerState 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_uxTaskGetStackHighWaterMark 1
#define INCLUDE_xSemaphoreGetMutexHolder 1
#define INCLUDE_xTimerPendFunctionCall 1
