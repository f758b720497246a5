internal import BLEPackets
internal import MonotonicTime

/// Reassembles the ACL fragments of one connection into L2CAP frames (Core 5.4, Vol 3 Part A 7.2.1).
///
/// A frame in a single fragment is passed on without a copy. Like the NimBLE host, it silently discards invalid
/// fragments (recorded in `nimble-smp-l2cap.jsonl`).
struct L2CAPReassembler {
    enum Outcome {
        /// No complete frame.
        case nothing
        case frame(L2CAPBasicFrame)
        /// The first fragment of a frame for an unknown channel.
        case unknownChannel(L2CAPChannelID)
    }

    /// The reassembly time-out (NimBLE: `BLE_L2CAP_RX_FRAG_TIMEOUT`).
    private static let timeout = Duration.seconds(30)
    /// The bytes that NimBLE accepts beyond a channel's MTU.
    private static let slack = 2
    private static let signallingMTU = 100
    private static let securityManagerMTU = 65

    private var channel = L2CAPChannelID.attribute
    private var length = 0
    private var joined: [UInt8] = []

    /// The time-out of the incomplete frame.
    private(set) var deadline: MonotonicInstant?

    /// Receives one fragment. The ATT server checks the length of attribute PDUs.
    mutating func receive(
        _ boundary: HCIACLHeader.Boundary, _ fragment: ArraySlice<UInt8>, now: MonotonicInstant
    ) -> Outcome {
        switch boundary {
        case .firstFlushable: receiveStart(fragment, now)
        case .continuing: receiveContinuation(fragment, now)
        // Controllers do not send these two kinds on an LE link.
        case .firstNonFlushable, .complete: .nothing
        }
    }

    private mutating func receiveStart(
        _ fragment: ArraySlice<UInt8>, _ now: MonotonicInstant
    ) -> Outcome {
        guard fragment.count >= L2CAPBasicFrame.headerLength else { return .nothing }
        let base = fragment.startIndex
        let length = Int(fragment[base]) | Int(fragment[base + 1]) << 8
        let channel = L2CAPChannelID(rawValue: UInt16(fragment[base + 2]) | UInt16(fragment[base + 3]) << 8)
        let limit: Int
        switch channel {
        case .attribute: limit = .max
        case .signalling: limit = Self.signallingMTU + Self.slack
        case .securityManager: limit = Self.securityManagerMTU + Self.slack
        default: return .unknownChannel(channel)
        }
        if channel == self.channel { abandon() }
        guard length <= limit else { return .nothing }
        abandon()
        self.channel = channel
        let payload = fragment.dropFirst(L2CAPBasicFrame.headerLength)
        if payload.count >= length {
            // Longer than announced: discard.
            return payload.count == length ? .frame(L2CAPBasicFrame(channel: channel, payload: payload)) : .nothing
        }
        self.length = length
        joined.reserveCapacity(min(length, Int(UInt16.max)))
        joined.append(contentsOf: payload)
        deadline = now.advanced(by: Self.timeout)
        return .nothing
    }

    private mutating func receiveContinuation(_ fragment: ArraySlice<UInt8>, _ now: MonotonicInstant) -> Outcome {
        guard deadline != nil else { return .nothing }
        guard joined.count + fragment.count <= length else {
            abandon()
            return .nothing
        }
        joined.append(contentsOf: fragment)
        guard joined.count == length else {
            deadline = now.advanced(by: Self.timeout)
            return .nothing
        }
        let payload = joined[...]
        joined = []
        deadline = nil
        return .frame(L2CAPBasicFrame(channel: channel, payload: payload))
    }

    /// Discards the incomplete frame.
    mutating func abandon() {
        guard deadline != nil else { return }
        joined = []
        deadline = nil
    }
}
