import Dispatch

#if canImport(Glibc)
    import Glibc
#endif

/// The processor time of the creating thread, readable by other threads; on systems other than Linux, the elapsed time.
struct ThreadClock: Sendable {
    #if canImport(Glibc)
        private var number = clockid_t()
    #endif
    private var start: UInt64 = 0

    init() {
        #if canImport(Glibc)
            pthread_getcpuclockid(pthread_self(), &number)
        #endif
        start = now
    }

    /// The nanoseconds since the clock was created.
    var elapsed: UInt64 { max(now, start) - start }

    private var now: UInt64 {
        #if canImport(Glibc)
            var time = timespec()
            clock_gettime(number, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        #else
            return DispatchTime.now().uptimeNanoseconds
        #endif
    }
}
