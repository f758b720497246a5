extension CentralBackend {
    /// Does nothing: for stacks that leave nothing behind.
    public func close() async {}
}
