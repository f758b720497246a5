#error "esp_adc_cal.h is not in espbench's host core: there is no analog input"
