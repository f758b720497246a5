/// Who waits for the controller's random numbers, in the order of the LE Rand commands that fetch them.
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

    /// How many LE Rand commands fetch `count` bytes: each gives eight (Core 5.4, Vol 4 Part E 7.8.23).
    static func draws(_ count: Int) -> Int { (count + 7) / 8 }

    mutating func request(_ count: Int, for purpose: Purpose) {
        requests.append(Request(count: count, purpose: purpose))
    }

    /// Takes the answer to one command; gives the bytes of a request when they are complete.
    mutating func take(_ number: UInt64) -> (bytes: [UInt8], purpose: Purpose)? {
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
