#if canImport(CoreBluetooth)
    import Dispatch

    /// Runs an actor on a serial dispatch queue, on which CoreBluetooth calls its delegates.
    final class QueueExecutor: SerialExecutor {
        private static let key = DispatchSpecificKey<ObjectIdentifier>()

        let queue: DispatchQueue

        init(_ label: String) {
            queue = DispatchQueue(label: label)
            queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let executor = asUnownedSerialExecutor()
            queue.async { job.runSynchronously(on: executor) }
        }

        /// Makes `assumeIsolated` succeed in callbacks on the queue.
        func checkIsolated() {
            dispatchPrecondition(condition: .onQueue(queue))
        }

        func isIsolatingCurrentContext() -> Bool? {
            DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
        }
    }
#endif
