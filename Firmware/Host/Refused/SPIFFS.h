#error "SPIFFS.h is not in espbench's host core: keep values with Preferences.h"
