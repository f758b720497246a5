/// MAC address and revision in a chip's eFuses.
extension Chip {
    /// The register with the third bit of the ESP32's major revision.
    private static let esp32SystemDate = RegisterField(0x3FF6_607C, 31, 1)
    /// The ESP32's codes of major revisions 0 to 3.
    private static let esp32MajorCodes: [UInt32] = [0, 1, 3, 7]

    private var majorField: RegisterField {
        let date = Self.esp32SystemDate.pieces[0]
        return self == .esp32 ? efuses.majorRevision.and(date.address, date.shift, date.width) : efuses.majorRevision
    }

    /// The words that ``revision(in:)`` needs.
    public var revisionAddresses: [UInt32] {
        Array(Set(majorField.addresses + efuses.minorRevision.addresses)).sorted()
    }

    /// The revision as major × 100 + minor, from words by address.
    public func revision(in words: [UInt32: UInt32]) -> UInt32 {
        majorRevision(in: words) * 100 + efuses.minorRevision.value(in: words)
    }

    /// The major number of the revision, from words by address.
    public func majorRevision(in words: [UInt32: UInt32]) -> UInt32 {
        let code = majorField.value(in: words)
        guard self == .esp32 else { return code }
        // An unassigned code reads as revision 0.
        return UInt32(Self.esp32MajorCodes.firstIndex(of: code) ?? 0)
    }

    /// Sets the revision, major × 100 + minor, in `words`; the reverse of ``revision(in:)``.
    public func storeRevision(_ revision: UInt32, in words: inout [UInt32: UInt32]) {
        let major = Int(revision / 100)
        let codes = Self.esp32MajorCodes
        majorField.store(self == .esp32 ? codes[min(major, codes.count - 1)] : UInt32(major), in: &words)
        efuses.minorRevision.store(revision % 100, in: &words)
    }

    /// The MAC address that the two words at ``macAddressRegister`` hold, most significant byte first.
    public static func macAddress(low: UInt32, high: UInt32) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: high >> 8), UInt8(truncatingIfNeeded: high),
            UInt8(truncatingIfNeeded: low >> 24), UInt8(truncatingIfNeeded: low >> 16),
            UInt8(truncatingIfNeeded: low >> 8), UInt8(truncatingIfNeeded: low),
        ]
    }

    /// The two words that hold `macAddress`, six bytes; the reverse of ``macAddress(low:high:)``.
    public static func macWords(_ macAddress: [UInt8]) -> (low: UInt32, high: UInt32) {
        let number = macAddress.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32))
    }
}
