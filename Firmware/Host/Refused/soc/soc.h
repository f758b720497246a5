#error "soc/soc.h is not in espbench's host core: there are no registers of the chip"
