#error "NimBLERemoteValueAttribute.h is not in espbench's host core: there is the peripheral role only"
