import BenchModel

/// The levels of SDA and SCL in a transaction on an I²C bus (UM10204, 3.1), rebuilt from its bytes, its clock and its length: so
/// that decoders of logic analysers show it.
struct BusWaveform {
    /// A level of one of the two lines, so many nanoseconds after the start of the transaction.
    struct Change {
        var time: Int64
        var isClock: Bool
        var isHigh: Bool
    }

    private(set) var changes: [Change] = []
    /// The length of a bit in nanoseconds.
    private let bit: Int64
    private var time: Int64 = 0
    /// How long the part stretches the clock, after its address.
    private var stretch: Int64 = 0

    /// The levels; none of a transaction that ended otherwise than by its bytes or a missing acknowledgement.
    init?(_ transfer: I2CTransferred) {
        guard let signal = transfer.signal, (1...5_000_000).contains(signal.hertz), [0, 2, 3].contains(transfer.status)
        else { return nil }
        bit = 1_000_000_000 / Int64(signal.hertz)
        let address = UInt8(truncatingIfNeeded: transfer.address << 1)
        let (isWrite, isRead) = (!transfer.written.isEmpty || transfer.read.isEmpty, !transfer.read.isEmpty)
        let bytes = transfer.written.count + transfer.read.count
        stretch = max(0, signal.nanoseconds - Int64(bytes * 9 + (isWrite ? 10 : 0) + (isRead ? 10 : 0) + 1) * bit)
        set(0, data: true, clock: true)
        if isWrite {
            start()
            self.address(address, isAcknowledged: transfer.status != 2)
            for (index, byte) in transfer.written.enumerated() {
                send(byte, isAcknowledged: transfer.status != 3 || index < transfer.written.count - 1)
            }
        }
        if isRead {
            start(isRepeated: isWrite)
            self.address(address | 1, isAcknowledged: true)
            // The master acknowledges all bytes but the last.
            for (index, byte) in transfer.read.enumerated() {
                send(byte, isAcknowledged: index < transfer.read.count - 1)
            }
        }
        set(bit / 8, data: false)
        set(bit / 2, clock: true)
        set(bit * 3 / 4, data: true)
    }

    private mutating func set(_ after: Int64, data: Bool? = nil, clock: Bool? = nil) {
        if let data { changes.append(Change(time: time + after, isClock: false, isHigh: data)) }
        if let clock { changes.append(Change(time: time + after, isClock: true, isHigh: clock)) }
    }

    private mutating func start(isRepeated: Bool = false) {
        if isRepeated {
            set(bit / 8, data: true)
            set(bit / 4, clock: true)
        }
        set(bit / 2, data: false)
        set(bit * 7 / 8, clock: false)
        time += bit
    }

    private mutating func address(_ byte: UInt8, isAcknowledged: Bool) {
        send(byte, isAcknowledged: isAcknowledged)
        time += stretch
        stretch = 0
    }

    private mutating func send(_ byte: UInt8, isAcknowledged: Bool) {
        for number in 0...8 {
            set(bit / 4, data: number < 8 ? byte >> (7 - number) & 1 == 1 : !isAcknowledged)
            set(bit / 2, clock: true)
            set(bit, clock: false)
            time += bit
        }
    }
}
