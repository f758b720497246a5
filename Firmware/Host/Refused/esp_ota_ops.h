#error "esp_ota_ops.h is not in espbench's host core: there is one application; espbench flash writes it"
