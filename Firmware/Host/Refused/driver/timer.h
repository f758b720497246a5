#error "driver/timer.h is not in espbench's host core: use esp32-hal-timer.h or esp_timer.h"
