#error "esp_mac.h is not in espbench's host core: ask ESP (Esp.h)"
