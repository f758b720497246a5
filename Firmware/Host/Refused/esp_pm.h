#error "esp_pm.h is not in espbench's host core: the virtual board has no power management; it sleeps by esp_sleep.h"
