- DMYNEWT_VAL_BLE_SM_SC_ONLY = 1 - DMYNEWT_VAL_BLE_STORE_MAX_BONDS =
                                   4 - DMYNEWT_VAL_BLE_STORE_MAX_CCCDS =
                                       12 - DMYNEWT_VAL_BLE_STORE_MAX_CSFCS =
                                           5 - DMYNEWT_VAL_BLE_SM_MAX_PROCS = 2
