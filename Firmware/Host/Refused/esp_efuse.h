#error "esp_efuse.h is not in espbench's host core: ask ESP (Esp.h)"
