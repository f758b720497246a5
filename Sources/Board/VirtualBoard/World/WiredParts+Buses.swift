import BoardParts
package import CFirmwareChannel
package import MonotonicTime

/// The buses on which the chip is the master.
extension WiredParts {
    /// A transaction of the chip as master of an I²C bus.
    package mutating func transact(
        _ request: cfc_i2c, _ bytes: ArraySlice<UInt8>, at start: MonotonicInstant
    ) -> (status: Int, result: cfc_i2c_result, read: [UInt8]) {
        // START, STOP and the pause between two transactions take about a bit each.
        let bit = Int64(1_000_000_000 / max(request.clock_hz, 1))
        var time = start
        var event = I2CTransaction(
            data: Int(request.sda), clock: Int(request.scl), address: Int(request.address), part: nil)
        func pass(_ bits: Int64) { time = time.advanced(by: .nanoseconds(bits * bit)) }
        let index = entries.firstIndex { entry in
            guard let part = entry.busPart, let bus = entry.bus, isPowered, !entry.isUnplugged else { return false }
            return UInt16(part.address) == request.address && bus == (Int(request.sda), Int(request.scl))
        }
        event.part = index.map { entries[$0].name }
        var (status, written) = (Int(CFC_I2C_DONE), 0)
        var read: [UInt8] = []
        func begin(isRead: Bool) -> Bool {
            pass(10)
            guard let index, let part = entries[index].busPart else { return false }
            return act(index, time) { part.begin(isRead: isRead, at: time, &$0) }
        }
        phases: do {
            // A probe without bytes sends the address for writing.
            if request.flags & UInt32(CFC_I2C_WRITES) != 0 || request.flags & UInt32(CFC_I2C_READS) == 0 {
                guard begin(isRead: false), let index, let part = entries[index].busPart else {
                    status = Int(CFC_I2C_NO_ADDRESS)
                    break phases
                }
                for byte in bytes {
                    pass(9)
                    written += 1
                    event.written.append(byte)
                    guard act(index, time, { part.write(byte, at: time, &$0) }) else {
                        written -= 1
                        status = Int(CFC_I2C_NO_DATA)
                        break phases
                    }
                }
            }
            guard request.flags & UInt32(CFC_I2C_READS) != 0 else { break phases }
            guard begin(isRead: true), let index, let part = entries[index].busPart else {
                status = Int(CFC_I2C_NO_ADDRESS)
                break phases
            }
            for _ in 0..<min(request.read_count, 65_000) {
                while let end = part.clockHold(at: time), end > time {
                    let limit = start.advanced(by: .nanoseconds(Int64(clamping: request.timeout_ns)))
                    guard end < limit else {
                        (time, status) = (limit, Int(CFC_I2C_TIMEOUT))
                        break phases
                    }
                    advance(to: end)
                    time = end
                }
                pass(9)
                read.append(act(index, time) { part.read(at: time, &$0) })
            }
        }
        pass(1)
        if let index, let part = entries[index].busPart { act(index, time) { part.stop(at: time, &$0) } }
        event.read = read
        event.status = status
        events.append(.i2c(event))
        let result = cfc_i2c_result(
            duration_ns: UInt64(time.nanoseconds - start.nanoseconds), written: UInt32(written),
            count: UInt32(read.count))
        return (status, result, read)
    }
}
