#error "NimBLEExtAdvertising.h is not in espbench's host core: there is legacy advertising only: NimBLEAdvertising.h"
