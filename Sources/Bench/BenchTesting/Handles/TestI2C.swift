public import Bench
public import BoardParts
public import Testing

extension TestBoard {
    /// Carries out a transaction of a master outside the board on one of its I²C buses, whose slave the sketch is
    /// (`Wire.begin(address)`): writes bytes, then reads some after a repeated START.
    ///
    /// - Parameters:
    ///   - clock: the frequency of the clock in hertz.
    ///   - sda: the pin of SDA, if two buses have a slave with this address.
    /// - Returns: the bytes that were read. An ESP32 sends what was prepared before; what was not is 0xFF.
    /// - Throws: also if the sketch does not acknowledge the address and all bytes.
    @discardableResult
    public func transfer(
        address: Int, write: [UInt8] = [], read: Int = 0, clock: Int = 100_000, sda: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [UInt8] {
        let request = I2CMasterRequest(address: address, written: write, readCount: read, clock: clock, data: sda)
        return try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.transfer(request, of: id)
        }
    }

    /// Expects that the sketch, which is or was a slave, does not acknowledge this address.
    public func expectNoAcknowledgement(
        ofAddress address: Int, sda: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await bench.call(sourceLocation) { session throws(BenchFailure) in
            try await session.transfer(
                I2CMasterRequest(address: address, data: sda), isAcknowledged: false, of: id)
        }
    }
}
