import ByteCodec
public import ESPChips

/// A loader stub: a program for a chip's RAM that is faster than the loader in ROM.
///
/// The file format is that of the `esptool` package, `esptool/targets/stub_flasher/*/CHIP.json`: a JSON object with
/// `entry`, `text` and `text_start`, and optionally `data`, `data_start` and `bss_start`; the contents in Base64.
public struct StubImage: Hashable, Sendable {
    /// A part that is loaded.
    public struct Segment: Hashable, Sendable {
        /// Its first address.
        public var address: UInt32
        /// Its content.
        public var bytes: [UInt8]
    }

    /// The name of its file, without the folder.
    public let name: String
    /// The address of its first instruction.
    public let entry: UInt32
    /// The beginning of the memory that the stub clears; `nil` when the file does not state it.
    public let bss: UInt32?
    /// Its parts; at least one.
    public let segments: [Segment]

    /// The largest accepted size of a stub, in bytes; exceeds the RAM for stubs on any chip.
    private static let sizeLimit = 1 << 18
    /// Longer files are not stubs.
    private static let fileLimit = 1 << 20

    /// Reads a stub's file.
    ///
    /// - Parameters:
    ///   - json: the content of the file.
    ///   - name: the file's name, for errors.
    /// - Throws: ``FlasherError`` with code `invalidStub` or `damagedStub`.
    public init(json: [UInt8], name: String) throws(FlasherError) {
        guard json.count <= Self.fileLimit else {
            throw FlasherError(
                .invalidStub, "stub \(name): expected at most \(Self.fileLimit) bytes, got \(json.count)")
        }
        let object: [String: FlatJSON.Value]
        do {
            object = try FlatJSON.object(json[...], skipsOthers: true)
        } catch {
            throw FlasherError(
                .invalidStub, "stub \(name): expected a JSON object, which it is not at byte \(error.position)")
        }
        func number(_ key: String) throws(FlasherError) -> UInt32? {
            guard let value = object[key] else { return nil }
            guard case .integer(let number) = value, let word = UInt32(exactly: number) else {
                throw FlasherError(.invalidStub, "stub \(name): expected \"\(key)\" to be an address of 32 bits")
            }
            return word
        }
        func segment(_ key: String) throws(FlasherError) -> Segment? {
            guard let value = object[key] else { return nil }
            guard case .string(let text) = value, let bytes = Base64.decode(text) else {
                throw FlasherError(.damagedStub, "stub \(name): expected \"\(key)\" to be Base64")
            }
            guard !bytes.isEmpty else { return nil }
            guard let address = try number(key + "_start") else {
                throw FlasherError(.invalidStub, "stub \(name): expected \"\(key)_start\" beside \"\(key)\"")
            }
            guard bytes.count <= Self.sizeLimit else {
                throw FlasherError(
                    .invalidStub, "stub \(name): expected at most \(Self.sizeLimit) bytes of \(key), got \(bytes.count)"
                )
            }
            return Segment(address: address, bytes: bytes)
        }
        guard let entry = try number("entry"), entry != 0, let text = try segment("text") else {
            throw FlasherError(.invalidStub, "stub \(name): expected \"entry\" and \"text\" of an esptool stub")
        }
        guard UInt64(entry) >= UInt64(text.address), UInt64(entry) < UInt64(text.address) + UInt64(text.bytes.count)
        else {
            throw FlasherError(
                .damagedStub, "stub \(name): expected the entry 0x\(String(entry, radix: 16)) to be in its text")
        }
        self.name = name.split(separator: "/").last.map { String($0) } ?? name
        self.entry = entry
        bss = try number("bss_start")
        segments = [text] + (try segment("data").map { [$0] } ?? [])
    }

    /// Throws unless the stub may be for `chip`: its parts lie in the chip's RAM, and its file is not named after
    /// another chip. (Some chips have the same RAM.)
    ///
    /// - Throws: ``FlasherError`` with code `wrongStub`.
    public func check(for chip: Chip) throws(FlasherError) {
        let parts = segments.map { ($0.address, $0.bytes.count) } + [bss.map { ($0, 1) }].compactMap { $0 }
        for (address, count) in parts where !chip.memory.hasRAM(count, at: address) {
            throw FlasherError(
                .wrongStub,
                "stub \(name): expected one for the \(chip.name), got one with \(count) bytes at "
                    + "0x\(String(address, radix: 16)), where this chip has no RAM")
        }
        for other in Chip.all where other != chip && name == Self.fileName(forChip: other.name) {
            throw FlasherError(.wrongStub, "stub \(name): expected one for the \(chip.name), got the \(other.name)'s")
        }
    }

    /// The file name of a chip's stub in esptool's folders, without the folder: e.g. `esp32c3.json`.
    ///
    /// - Parameters:
    ///   - chipName: Espressif's name, e.g. `ESP32-C3`.
    ///   - revision: the chip's revision, major × 100 + minor; required if ``dependsOnRevision(_:)`` is true.
    public static func fileName(forChip chipName: String, revision: UInt32? = nil) -> String {
        let isFirst = dependsOnRevision(chipName) && revision.map { $0 < secondSilicon } ?? false
        return chipName.lowercased().filter { $0 != "-" } + (isFirst ? "-rev1" : "") + ".json"
    }

    /// True if the chip has several stubs: the ESP32-P4 has a separate one for revisions before 3.0.
    ///
    /// - Parameter chipName: Espressif's name.
    public static func dependsOnRevision(_ chipName: String) -> Bool { chipName == "ESP32-P4" }

    /// The first revision of the ESP32-P4 that needs the second stub.
    private static let secondSilicon: UInt32 = 300
}
