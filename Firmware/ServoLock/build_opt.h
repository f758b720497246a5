- DMYNEWT_VAL_BLE_SM_SC_ONLY = 1 - DMYNEWT_VAL_BLE_SM_MAX_PROCS =
                                   3 - DMYNEWT_VAL_BLE_STORE_MAX_BONDS =
                                       6 - DMYNEWT_VAL_BLE_STORE_MAX_CCCDS =
                                           18 - DMYNEWT_VAL_BLE_STORE_MAX_CSFCS = 6
