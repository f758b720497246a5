#error "mbedtls/sha256.h is not in espbench's host core: there is no cryptography but that of pairing"
