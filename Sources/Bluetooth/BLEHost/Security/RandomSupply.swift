internal import MonotonicTime

/// The pending requests for the controller's random numbers, in the order of their LE Rand commands.
struct RandomSupply {
    enum Purpose: Hashable {
        /// The Security Manager of this connection.
        case securityManager(ConnectionHandle)
        /// Out-of-band data.
        case outOfBandValue
        /// The next resolvable private address.
        case privateAddress
    }

    private struct Request {
        let count: Int
        let purpose: Purpose
        var bytes: [UInt8] = []
    }

    private var requests = FIFO<Request>()
    private var current: Request?

    /// The number of LE Rand commands for `count` bytes: each returns eight (Core 5.4, Vol 4 Part E 7.8.23).
    static func draws(_ count: Int) -> Int { (count + 7) / 8 }

    mutating func request(_ count: Int, for purpose: Purpose) {
        requests.append(Request(count: count, purpose: purpose))
    }

    /// Handles the answer to one command; returns the bytes of a request when they are complete.
    mutating func supply(_ number: UInt64) -> (bytes: [UInt8], purpose: Purpose)? {
        guard var request = current ?? requests.popFirst() else { return nil }
        withUnsafeBytes(of: number.littleEndian) { request.bytes.append(contentsOf: $0) }
        guard request.bytes.count >= request.count else {
            current = request
            return nil
        }
        current = nil
        return (Array(request.bytes.prefix(request.count)), request.purpose)
    }
}
