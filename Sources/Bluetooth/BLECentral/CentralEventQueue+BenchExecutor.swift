public import BenchExecutor

extension CentralEventQueue {
    /// Sets a handler that runs on a bench's executor.
    public func setHandler(on executor: BenchExecutor, _ handler: @escaping Handler) {
        setHandler(
            handler, isOnExecutor: { executor.isIsolatingCurrentContext() == true }, run: { executor.post($0) })
    }
}
