#error "mbedtls/aes.h is not in espbench's host core: there is no cryptography but that of pairing"
