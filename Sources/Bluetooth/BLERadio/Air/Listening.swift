/// When and where a scanner or initiator listens: one channel a window, a window every interval.
struct Listening {
    /// When the first window opened.
    var start: Int64
    /// From window to window, in nanoseconds.
    var interval: Int64
    /// How long a window is open, in nanoseconds.
    var window: Int64

    /// Whether a packet on `channel` (0 is channel 37) is heard whole.
    func hears(channel: Int, from begin: Int64, duration: Int64) -> Bool {
        guard begin >= start else { return false }
        let (index, offset) = (begin - start).quotientAndRemainder(dividingBy: interval)
        guard Int(index % 3) == channel else { return false }
        // Windows as long as the interval follow each other without a gap, but on another channel.
        return offset + duration <= window
    }
}

extension Air {
    /// Brings the list of listeners up to date after a host started or stopped scanning or initiating.
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
