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
        faults.begin(part: index)
        let limit = start.advanced(by: .nanoseconds(Int64(clamping: request.timeout_ns)))
        /// Waits until SCL or SDA is released; false: the time is over.
        func wait(until end: MonotonicInstant?) -> Bool {
            guard let end, end < limit else {
                (time, status) = (limit, Int(CFC_I2C_TIMEOUT))
                return false
            }
            advance(to: end)
            time = end
            return true
        }
        func begin(isRead: Bool) -> Bool {
            pass(10)
            guard let index, let part = entries[index].busPart, !faults.refuses(byte: nil),
                act(index, time, { part.begin(isRead: isRead, at: time, &$0) })
            else {
                status = Int(CFC_I2C_NO_ADDRESS)
                return false
            }
            return faults.takeStretch().map { wait(until: time.advanced(by: $0)) } ?? true
        }
        phases: do {
            if let end = holdEnd(of: (Int(request.sda), Int(request.scl)), at: start), !wait(until: end) {
                break phases
            }
            // A probe without bytes sends the address for writing.
            if request.flags & UInt32(CFC_I2C_WRITES) != 0 || request.flags & UInt32(CFC_I2C_READS) == 0 {
                guard begin(isRead: false), let index, let part = entries[index].busPart else { break phases }
                for byte in bytes {
                    pass(9)
                    written += 1
                    event.written.append(byte)
                    let byte = faults.altered(byte, number: written, isWritten: true)
                    guard !faults.refuses(byte: written), act(index, time, { part.write(byte, at: time, &$0) }) else {
                        written -= 1
                        status = Int(CFC_I2C_NO_DATA)
                        break phases
                    }
                }
            }
            guard request.flags & UInt32(CFC_I2C_READS) != 0 else { break phases }
            guard begin(isRead: true), let index, let part = entries[index].busPart else { break phases }
            for number in 0..<min(request.read_count, 65_000) {
                while let end = part.clockHold(at: time), end > time {
                    guard wait(until: end) else { break phases }
                }
                pass(9)
                let byte = act(index, time) { part.read(at: time, &$0) }
                read.append(faults.altered(byte, number: Int(number) + 1, isWritten: false))
            }
        }
        pass(1)
        if let index, let part = entries[index].busPart { act(index, time) { part.stop(at: time, &$0) } }
        event.read = read
        event.status = status
        event.hertz = Int(request.clock_hz)
        event.duration = start.duration(to: time)
        events.append(.i2c(event))
        let result = cfc_i2c_result(
            duration_ns: UInt64(time.nanoseconds - start.nanoseconds), written: UInt32(written),
            count: UInt32(read.count))
        return (status, result, read)
    }

    // MARK: Faults

    /// Plans a fault of a part on a bus; `number` is for ``BusFaults/toCome``.
    ///
    /// - Throws: `PartFault` for an unknown part, or one that is not on a bus.
    package mutating func plan(
        _ fault: BusFault, of name: String, number: Int, at time: MonotonicInstant
    ) throws(PartFault) {
        let index = try self.index(of: name)
        guard entries[index].busPart != nil, let bus = entries[index].bus else {
            throw PartFault("part '\(name)' is not on an I²C bus")
        }
        faults.plan(fault, part: index, number: number, at: time)
        if case .heldData = fault.kind { untold.insert(bus.data) }
    }

    /// Removes all faults.
    package mutating func clearFaults() {
        untold.formUnion(faults.holds.compactMap { entries[$0.part].bus?.data })
        faults = BusFaults()
    }

    /// When the hold of SDA of a bus ends, as far as is known (`.some(nil)`: never); `nil`: it is not held.
    private mutating func holdEnd(
        of bus: (data: Int, clock: Int), at time: MonotonicInstant
    ) -> MonotonicInstant?? {
        let holds = faults.holds.filter { hold in
            hold.end.map { $0 > time } ?? true && entries[hold.part].bus.map { $0 == bus } == true
                && !entries[hold.part].isUnplugged
        }
        guard !holds.isEmpty else { return nil }
        faults.occurHold(of: Set(holds.map(\.part)), at: time)
        return .some(holds.contains { $0.end == nil } ? nil : holds.compactMap(\.end).max())
    }

    /// When the parts that hold a pin as their SDA release it; no time: never.
    func holds(of pin: Int) -> [MonotonicInstant?] {
        faults.holds.filter { entries[$0.part].bus?.data == pin && !entries[$0.part].isUnplugged }.map(\.end)
    }
}
