import BLEPackets
import MonotonicTime

/// The procedure response time-out: a link whose peer leaves a procedure unanswered for 40 s is lost
/// (Core 5.4, Vol 6 Part B 5.2).
extension Air {
    static let responseTimeout = 40_000 * AirTime.millisecond

    /// Gives the peer 40 s from now to answer the procedure that `request` began.
    func awaitResponse(to request: LinkControlOpcode, at end: LinkEnd) {
        guard end.isOpen, end.terminating == nil else { return }
        endResponseTimeout(of: request, at: end)
        end.responseTimeouts[request] = schedule(.responseTimeout(end, request), at: now + Self.responseTimeout)
    }

    /// The peer has answered.
    func endResponseTimeout(of request: LinkControlOpcode, at end: LinkEnd) {
        cancel(&end.responseTimeouts[request])
    }

    func endResponseTimeouts(at end: LinkEnd) {
        for token in end.responseTimeouts.values { queue.cancel(token) }
        end.responseTimeouts.removeAll()
    }

    /// The peer has not answered. The connection ends without LL_TERMINATE_IND: the peer detects a supervision
    /// time-out.
    func responseTimeout(_ end: LinkEnd, _ request: LinkControlOpcode) {
        end.responseTimeouts[request] = nil
        abandon(end, .llResponseTimeout)
    }
}
