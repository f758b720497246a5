/// The listening schedule of a scanner or initiator: one channel per window, one window per interval.
struct Listening {
    /// The start of the first window.
    var start: Int64
    /// The scan interval, in nanoseconds.
    var interval: Int64
    /// The scan window, in nanoseconds.
    var window: Int64

    /// Whether a packet on `channel` (0 is channel 37) is completely within a window.
    func receives(channel: Int, from begin: Int64, duration: Int64) -> Bool {
        guard begin >= start else { return false }
        let (index, offset) = (begin - start).quotientAndRemainder(dividingBy: interval)
        guard Int(index % 3) == channel else { return false }
        // Windows as long as the interval are contiguous, but change the channel.
        return offset + duration <= window
    }
}

extension Air {
    /// Updates the list of listeners after a host started or stopped scanning or initiating.
    func updateListening(_ controller: Controller) {
        let isListening = controller.host.scanner.isListening || controller.host.initiator != nil
        let index = listeners.firstIndex { $0.id.rawValue >= controller.id.rawValue } ?? listeners.count
        let isListed = index < listeners.count && listeners[index] === controller
        guard isListening != isListed else { return }
        if isListening {
            listeners.insert(controller, at: index)
        } else {
            listeners.remove(at: index)
        }
        for case let controller? in controllers {
            for set in controller.host.advertisers where set.isEnabled { scheduleAdvertising(set) }
        }
    }
}
