#if canImport(Glibc)
    import Glibc
#endif

/// The machine's USB.
enum USBSystem {
    /// Whether the machine may have USB devices. A Linux without USB in its kernel has none, and libusb may then refuse
    /// to start.
    static var isPresent: Bool {
        #if os(Linux)
            access("/sys/bus/usb/devices", F_OK) == 0
        #else
            true
        #endif
    }
}
