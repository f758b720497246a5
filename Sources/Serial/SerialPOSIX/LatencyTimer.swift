#if os(Linux)
    import Glibc

    /// The time for which an FTDI bridge collects bytes before it sends them, in milliseconds; 16 by default.
    enum LatencyTimer {
        /// Sets the timer of the bridge behind the tty at `path` to 1 ms, if the bridge has one and this user may set
        /// it.
        static func shorten(_ path: String, system: String = "/sys") {
            let name = SystemFiles.deviceName(path)
            let file = "\(system)/class/tty/\(name)/device/latency_timer"
            guard let value = SystemFiles.text(file), value != "1" else { return }
            let descriptor = open(file, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            _ = write(descriptor, "1", 1)
            close(descriptor)
        }
    }
#endif
