#error "esp_chip_info.h is not in espbench's host core: ask ESP (Esp.h)"
