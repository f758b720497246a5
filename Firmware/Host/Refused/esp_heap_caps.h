#error "esp_heap_caps.h is not in espbench's host core: ask ESP (Esp.h)"
