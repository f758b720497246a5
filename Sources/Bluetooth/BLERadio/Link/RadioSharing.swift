internal import MonotonicTime

/// Several links of one controller: its radio sends or receives one packet at a time, so that events of its links take
/// turns. A link whose event is skipped waits for its next one (Core 5.4, Vol 6 Part B 4.5.1).
extension Air {
    /// True if `link` leaves the radio to another link now; its next event is then scheduled. It does so while the other
    /// one is in an exchange, and for one that has waited for more of its events and would have to skip another one.
    func yieldsRadio(_ link: Link, isFirst: Bool) -> Bool {
        let end = isFirst ? now + (nextExchange(link, at: now, isFirst: true)?.duration ?? 0) : now
        let yields = rivals(of: link).contains { rival in
            rival.busyUntil > now
                || rival.skippedEvents > link.skippedEvents && rival.isWaiting
                    && rival.time(of: rival.scheduledEvent) < end
        }
        if isFirst { link.skippedEvents = yields ? link.skippedEvents + 1 : 0 }
        guard yields else { return false }
        link.isInEvent = false
        schedule(link)
        return true
    }

    /// The start of the next event of the other links of either end's controller.
    func nextEvent(beside link: Link) -> Int64 {
        rivals(of: link).reduce(.max) { $1.isWaiting ? min($0, $1.time(of: $1.scheduledEvent)) : $0 }
    }

    private func rivals(of link: Link) -> some Sequence<Link> {
        links.lazy.filter { $0 !== link && $0.isOpen && $0.sharesController(with: link) }
    }
}

extension Link {
    /// True if an event is scheduled and has not begun.
    fileprivate var isWaiting: Bool { eventToken != nil && !isInEvent }

    fileprivate func sharesController(with other: Link) -> Bool {
        central.controller === other.central.controller || central.controller === other.peripheral.controller
            || peripheral.controller === other.central.controller
            || peripheral.controller === other.peripheral.controller
    }
}
