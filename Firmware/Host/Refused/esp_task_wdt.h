#error "esp_task_wdt.h is not in espbench's host core: the virtual board starts and feeds its watchdog itself"
