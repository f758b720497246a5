#error "SD_MMC.h is not in espbench's host core: keep values with Preferences.h"
