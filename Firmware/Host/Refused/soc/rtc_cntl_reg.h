#error "soc/rtc_cntl_reg.h is not in espbench's host core: there are no registers of the chip"
