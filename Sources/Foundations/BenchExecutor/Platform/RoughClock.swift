#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clock of `DispatchTime` at the kernel's last tick: no machine needs a system call to read it. The precise clock
/// needs one if the kernel does not trust the processor's counter, e.g. in most virtual machines.
enum RoughClock {
    static var uptimeNanoseconds: UInt64 {
        #if canImport(Darwin)
            clock_gettime_nsec_np(CLOCK_UPTIME_RAW_APPROX)
        #else
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        #endif
    }
}
