import ESPImage

/// Simulated NOR flash that counts operations and can lose power.
final class SimulatedFlash: NVSFlash {
    /// The state in which a power loss leaves an operation.
    enum Tear: CaseIterable {
        /// Nothing has been done.
        case before
        /// The first half has been done.
        case firstHalf
        /// The first bytes have been done.
        case firstBytes
        /// For erasing: the second half has been done.
        case secondHalf
    }

    private(set) var bytes: [UInt8]
    /// The number of operations since the last power-up.
    private(set) var operations = 0
    /// The number of operations before the power loss; `nil` for none.
    var operationsUntilCut: Int?
    var tear = Tear.before
    private(set) var hasPower = true

    init(pages: Int) {
        bytes = [UInt8](repeating: 0xFF, count: pages * 4096)
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var size: Int { bytes.count }

    /// The same flash, powered up again; it loses power after `operations`, if given.
    func poweredUp(cutAfter operations: Int? = nil, _ tear: Tear = .before) -> SimulatedFlash {
        let flash = SimulatedFlash(bytes)
        flash.operationsUntilCut = operations
        flash.tear = tear
        return flash
    }

    func read(at offset: Int, count: Int) throws(NVSError) -> [UInt8] {
        try require(offset, count)
        return Array(bytes[offset..<offset + count])
    }

    func program(_ new: [UInt8], at offset: Int) throws(NVSError) {
        try require(offset, new.count)
        let done = part(of: new.count)
        for index in done where index < new.count { bytes[offset + index] &= new[index] }
        try finish(done.count == new.count)
    }

    func eraseSector(at offset: Int) throws(NVSError) {
        try require(offset, 4096)
        guard offset % 4096 == 0 else { throw NVSError(.flashOperationFailed, "erase at \(offset)") }
        let done = part(of: 4096)
        for index in done { bytes[offset + index] = 0xFF }
        try finish(done.count == 4096)
    }

    private func require(_ offset: Int, _ count: Int) throws(NVSError) {
        guard hasPower, offset >= 0, count >= 0, offset + count <= size else {
            throw NVSError(.flashOperationFailed, "\(count) bytes at \(offset), power \(hasPower)")
        }
    }

    private func part(of count: Int) -> Range<Int> {
        guard operationsUntilCut == operations else { return 0..<count }
        switch tear {
        case .before: return 0..<0
        case .firstHalf: return 0..<count / 2
        case .firstBytes: return 0..<min(count - 1, 5)
        case .secondHalf: return count == 4096 ? 2048..<4096 : 0..<0
        }
    }

    private func finish(_ isWhole: Bool) throws(NVSError) {
        if isWhole {
            operations += 1
        } else {
            hasPower = false
            throw NVSError(.flashOperationFailed, "the power failed")
        }
    }
}
