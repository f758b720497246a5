#error "esp_pm.h is not in espbench's host core: the virtual board does not sleep"
