#error "sdkconfig.h is not in espbench's host core: there is no ESP-IDF configuration; nimconfig.h has NimBLE's"
