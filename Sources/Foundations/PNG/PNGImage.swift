import ByteCodec
import CZlib

/// An opaque picture in RGB, as a PNG file has it (W3C, Portable Network Graphics, third edition).
///
/// The limits are those of pictures of small displays; a file beyond them is refused before it is decompressed.
public struct PNGImage: Hashable, Sendable {
    /// The maximum size of a file, in bytes.
    public static let maximumFileSize = 1 << 20
    /// The maximum number of pixels of a picture.
    public static let maximumPixels = 1_000_000

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Pixels in a row, at least 1.
    public let width: Int
    /// Rows, at least 1.
    public let height: Int
    /// The pixels by rows from the top, 0xRRGGBB: `width * height` of them.
    public let pixels: [UInt32]

    /// A picture; `pixels` must have `width * height` entries, at least one.
    public init(width: Int, height: Int, pixels: [UInt32]) {
        precondition(width > 0 && height > 0, "a picture of \(width) x \(height)")
        precondition(pixels.count == width * height, "a picture of \(width) x \(height) has \(pixels.count) pixels")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The size as messages show it, such as `128 x 64`.
    public var size: String { "\(width) x \(height)" }
}

/// A fault of a PNG file: the expected content, and the content that was found.
public struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault in one sentence, without the file's name.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension PNGImage {
    /// The colour types of the header (11.2.1).
    enum ColourType: UInt8 {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgba = 6

        /// Samples of a pixel.
        var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }

        var allowsSmallDepths: Bool { self == .grey || self == .palette }
    }

    // MARK: Writing

    /// The picture as a PNG file, with 1 bit for a pixel if it is black and white, 8 bits if it is grey, else 24.
    public var file: [UInt8] {
        let (colour, depth) = format
        var header: [UInt8] = []
        for number in [width, height] { header += Self.bigEndian(UInt32(clamping: number)) }
        // Deflate, the filters of method 0, no interlace.
        header += [depth, colour.rawValue, 0, 0, 0]
        return Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.deflated(rows(colour, depth)))
            + Self.chunk("IEND", [])
    }

    private var format: (ColourType, depth: UInt8) {
        if pixels.allSatisfy({ $0 == 0 || $0 == 0xFFFFFF }) { return (.grey, 1) }
        return pixels.allSatisfy { $0 >> 16 == $0 & 0xFF && $0 >> 8 & 0xFF == $0 & 0xFF } ? (.grey, 8) : (.rgb, 8)
    }

    /// The rows, each after its filter type: 0, none.
    private func rows(_ colour: ColourType, _ depth: UInt8) -> [UInt8] {
        var bytes: [UInt8] = []
        for row in 0..<height {
            bytes.append(0)
            let pixels = pixels[row * width..<(row + 1) * width]
            if depth == 1 {
                for start in stride(from: pixels.startIndex, to: pixels.endIndex, by: 8) {
                    let eight = pixels[start..<min(start + 8, pixels.endIndex)]
                    let packed = eight.reduce(UInt8(0)) { $0 << 1 | ($1 == 0 ? 0 : 1) }
                    bytes.append(packed << UInt8(8 - eight.count))
                }
            } else {
                for pixel in pixels {
                    if colour == .rgb { bytes += [UInt8(pixel >> 16 & 0xFF), UInt8(pixel >> 8 & 0xFF)] }
                    bytes.append(UInt8(pixel & 0xFF))
                }
            }
        }
        return bytes
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(size))
        let status = compress2(&output, &size, bytes, uLong(bytes.count), Z_BEST_COMPRESSION)
        // The buffer is large enough: only memory can be missing.
        precondition(status == Z_OK, "compressing \(bytes.count) bytes: zlib status \(status)")
        return Array(output.prefix(Int(size)))
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return bigEndian(UInt32(clamping: data.count)) + content + bigEndian(CRC32.of(content[...]))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
