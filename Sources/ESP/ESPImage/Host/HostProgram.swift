import ByteCodec
import Crypto
public import ESPChips

/// The key with which a virtual board authenticates images that this user's espbench built.
public struct HostProgramKey: Equatable, Sendable, CustomStringConvertible {
    /// The length of a key, in bytes.
    public static let length = 32

    let symmetric: SymmetricKey

    /// A key of 32 secret bytes; `nil` for another length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        symmetric = bytes.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    /// An HMAC-SHA256 code by which this user's programs recognise data that they wrote, such as a cached build. It
    /// differs from every image's MAC, whose message begins differently.
    public func code(of digest: [UInt8], for purpose: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("cached \(purpose)\0".utf8) + digest, using: symmetric))
    }

    /// The type's name: the key is never printed.
    public var description: String { "HostProgramKey" }
}

/// A sketch compiled for the machine that runs the bench, as a segment of an image.
///
/// Format: magic, version, layout version, lengths, ABI, MAC, program; little-endian. A board verifies the MAC before
/// it executes the program: an image may come from any serial port.
public struct HostProgram: Hashable, Sendable {
    /// The first eight bytes of the segment.
    public static let magic: [UInt8] = Array("ESPBENCH".utf8)
    /// The version of the segment's own format.
    public static let formatVersion: UInt32 = 1
    /// The length of the MAC, HMAC-SHA256, in bytes.
    static let macLength = 32
    /// The longest ABI text, in bytes.
    static let abiLimit = 256

    /// The target that the program is compiled for, e.g. `x86_64-linux-gnu`; other machines cannot run it.
    public var abi: String
    /// The version of the channel between program and board.
    public var layoutVersion: UInt32
    /// The executable file.
    public var program: ArraySlice<UInt8>

    /// A program; `abi` must be at most 256 bytes.
    public init(abi: String, layoutVersion: UInt32, program: ArraySlice<UInt8>) {
        self.abi = abi
        self.layoutVersion = layoutVersion
        self.program = program
    }

    /// The segment for an image with `description`; the MAC covers the description, too.
    public func seal(key: HostProgramKey, description: AppDescription) -> [UInt8] {
        var writer = ByteWriter(capacity: program.count + 128)
        writeHeader(to: &writer)
        writer.append(Self.mac(header: writer.bytes[...], description: description.bytes[...], program, key: key))
        writer.append(program)
        return writer.bytes
    }

    /// Parses a segment, and verifies that it was sealed with `key` for the image with `description`.
    ///
    /// - Parameters:
    ///   - segment: the data of the segment; more may follow.
    ///   - description: the 256 bytes of the description in the image.
    /// - Throws: ``ImageError`` with code `authentication` when the MAC is wrong, otherwise `badMagic`, `truncated` or
    ///   `invalidField`.
    public static func open(
        _ segment: ArraySlice<UInt8>, key: HostProgramKey, description: ArraySlice<UInt8>
    ) throws(ImageError) -> HostProgram {
        guard isHostProgram(segment) else {
            throw ImageError(.badMagic, "host program", "expected ESPBENCH as the first 8 bytes")
        }
        let (header, mac, program): (HostProgram, ArraySlice<UInt8>, ArraySlice<UInt8>)
        do throws(CodecError) {
            (header, mac, program) = try read(segment)
        } catch {
            throw ImageError(error)
        }
        let headerBytes = segment.prefix(segment.count - (segment.endIndex - mac.startIndex))
        // Constant-time comparison.
        let computed = Self.mac(header: headerBytes, description: description, program, key: key)
        guard zip(mac, computed).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0 else {
            throw ImageError(
                .authentication, "host program", "it was not built by this user's espbench, or it was changed since")
        }
        return header
    }

    /// True if `segment` begins with the magic of a host program.
    public static func isHostProgram(_ segment: ArraySlice<UInt8>) -> Bool {
        segment.starts(with: magic)
    }

    /// True if a host program begins anywhere in `bytes`, as in a merged flash image. Segments begin at multiples of 4.
    public static func occurs(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { buffer in
            stride(from: 0, through: buffer.count - magic.count, by: 4).contains { start in
                buffer[start] == magic[0] && buffer[start..<start + magic.count].elementsEqual(magic)
            }
        }
    }

    private func writeHeader(to writer: inout ByteWriter) {
        writer.append(Self.magic)
        writer.uint32(Self.formatVersion)
        writer.uint32(layoutVersion)
        writer.uint32(UInt32(abi.utf8.count))
        writer.uint32(UInt32(program.count))
        writer.append(abi.utf8)
    }

    private static func read(
        _ segment: ArraySlice<UInt8>
    ) throws(CodecError) -> (HostProgram, mac: ArraySlice<UInt8>, program: ArraySlice<UInt8>) {
        var reader = ByteReader(segment, subject: "host program")
        _ = try reader.slice(magic.count)
        let version = try reader.uint32()
        guard version == formatVersion else {
            throw reader.invalid("format version", UInt64(version), allowed: "\(formatVersion)")
        }
        let layoutVersion = try reader.uint32()
        let abiLength = try reader.uint32()
        let programLength = try reader.uint32()
        guard abiLength <= abiLimit else {
            throw reader.invalid("ABI length", UInt64(abiLength), allowed: "0 to \(abiLimit)")
        }
        let abi = String(decoding: try reader.slice(Int(abiLength)), as: UTF8.self)
        let mac = try reader.slice(macLength)
        let program = try reader.slice(Int(programLength))
        return (HostProgram(abi: abi, layoutVersion: layoutVersion, program: program), mac, program)
    }

    /// Header and description have known lengths, so different inputs never give the same message.
    private static func mac(
        header: ArraySlice<UInt8>, description: ArraySlice<UInt8>, _ program: ArraySlice<UInt8>, key: HostProgramKey
    ) -> [UInt8] {
        var hmac = HMAC<SHA256>(key: key.symmetric)
        for part in [header, description, program] {
            part.withUnsafeBytes { hmac.update(data: $0) }
        }
        return Array(hmac.finalize())
    }
}

extension FirmwareImage {
    /// True if the image contains a host program, and is therefore for a virtual board only.
    public var carriesHostProgram: Bool { hostProgramSegment != nil }

    /// The host program, verified with `key`; `nil` when the image has none.
    ///
    /// - Throws: ``ImageError``; code `authentication` when the MAC is wrong.
    public func hostProgram(key: HostProgramKey) throws(ImageError) -> HostProgram? {
        guard let segment = hostProgramSegment else { return nil }
        guard let description = descriptionBytes else {
            throw ImageError(.invalidField, "host program", "expected an application description in the first segment")
        }
        return try HostProgram.open(segment.data, key: key, description: description)
    }

    private var hostProgramSegment: ImageSegment? {
        segments.first { !$0.isPadding && HostProgram.isHostProgram($0.data) }
    }
}

extension HostProgram {
    /// The ABI of this machine in the form of ``abi``, e.g. `x86_64-linux`.
    public static var nativeABI: String {
        #if arch(x86_64)
            let processor = "x86_64"
        #elseif arch(arm64)
            let processor = "aarch64"
        #else
            let processor = "unknown"
        #endif
        #if os(Linux)
            return processor + "-linux"
        #else
            return processor + "-unknown"
        #endif
    }

    /// The ABI with the chip's data model, in which `long`, `size_t` and pointers have 4 bytes.
    public static let chipModelABI = "i386-linux"

    /// The suffix of ``abi`` for a program with AddressSanitizer, which runs in a wider sandbox.
    public static let sanitizedSuffix = "-sanitized"

    /// True if the program checks itself with AddressSanitizer.
    public var isSanitized: Bool { abi.hasSuffix(Self.sanitizedSuffix) }

    /// True if this machine can run the program.
    public var isRunnable: Bool {
        Self.runnableABIs.contains(isSanitized ? String(abi.dropLast(Self.sanitizedSuffix.count)) : abi)
    }

    /// The ABIs of programs that this machine can run, the one with the chip's data model first.
    public static var runnableABIs: [String] {
        #if arch(x86_64) && os(Linux)
            [chipModelABI, nativeABI]
        #else
            [nativeABI]
        #endif
    }
}

/// The image in place of the second-stage bootloader on a virtual board.
///
/// It contains no code: the virtual board implements the bootloader, and only checks that an image is present.
public enum VirtualBootloader {
    /// Follows the bootloader's description and identifies the image.
    public static let marker = "espbench virtual bootloader"

    /// The image for `chip`.
    public static func image(
        for chip: Chip, flash: FlashSettings? = nil, description: BootloaderDescription
    ) throws(ImageError) -> [UInt8] {
        var writer = ByteWriter()
        description.write(to: &writer)
        writer.append(marker.utf8)
        writer.uint8(0)
        var builder = ImageBuilder(for: chip, flash: flash)
        builder.add(writer.bytes[...], at: chip.memory.ram[0].lowerBound)
        return try builder.build()
    }
}

extension FirmwareImage {
    /// True if this is the image of ``VirtualBootloader``.
    public var isVirtualBootloader: Bool {
        guard let first = segments.first else { return false }
        return first.data.dropFirst(BootloaderDescription.length).starts(with: VirtualBootloader.marker.utf8)
    }
}
