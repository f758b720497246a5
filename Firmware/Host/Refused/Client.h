#error "Client.h is not in espbench's host core: there is no network, only Bluetooth"
