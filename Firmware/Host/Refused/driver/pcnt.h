#error "driver/pcnt.h is not in espbench's host core: pulses are not counted; attachInterrupt() sees edges"
