#error "NetworkUdp.h is not in espbench's host core: there is no Wi-Fi and no network, only Bluetooth"
