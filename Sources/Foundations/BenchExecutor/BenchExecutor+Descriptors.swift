/// Waiting for file descriptors on the executor's own thread: what arrives there needs no other thread.
extension BenchExecutor {
    /// What a descriptor is watched for.
    public enum Readiness: Sendable {
        /// It can be read, or its other end is closed.
        case input
        /// It can be written.
        case output
    }

    /// Identifies one watched descriptor, for ``unwatch(_:)``.
    public struct Watch: Hashable, Sendable {
        let number: UInt64
    }

    /// Calls `action` on the executor as long as `descriptor` is ready, when no job or event is due, and now and then
    /// otherwise. In real time only: virtual time does not wait for descriptors.
    ///
    /// Of descriptors that are ready at the same time, that which was watched last comes first. What was written to it
    /// before something was written to an earlier one is seen whenever that is.
    ///
    /// The descriptor must stay open until ``unwatch(_:)``. Safe from any thread.
    public func watch(
        _ descriptor: Int32, for readiness: Readiness, _ action: @escaping @Sendable () -> Void
    ) -> Watch {
        let number = descriptors.add(descriptor, isOutput: readiness == .output, action)
        // A wait that runs does not know of it.
        if isIsolatingCurrentContext() != true { post {} }
        return Watch(number: number)
    }

    /// Ends a watch; called on the executor, its action is not called any more. Does nothing if it has ended. Safe from
    /// any thread.
    public func unwatch(_ watch: Watch) {
        descriptors.remove(watch.number)
    }
}
