extension TimelineStore {
    /// How often browsers are told at most.
    private static let interval = Duration.milliseconds(50)

    /// Tells browsers how many rows there are whenever there are more, until the task is cancelled. They fetch those that
    /// they show, so that nothing waits for a slow one, and none is lost for it.
    public func publish(to hub: LiveHub, time: LiveTime) async throws {
        var version = -1
        while true {
            try Task.checkCancellation()
            version = await change(after: version)
            hub.set("timeline", counts)
            try await time.sleep(Self.interval)
        }
    }
}
