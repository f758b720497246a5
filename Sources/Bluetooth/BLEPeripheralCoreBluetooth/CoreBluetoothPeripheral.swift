#if canImport(CoreBluetooth)
    // Follows.
#endif
