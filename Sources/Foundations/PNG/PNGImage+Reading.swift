import ByteCodec
import CZlib

extension PNGImage {
    /// Reads a PNG file: grey or palette of 1, 2, 4 or 8 bits, RGB or with alpha of 8 bits, not interlaced, opaque.
    ///
    /// - Throws: ``PNGError`` with the first fault of the file, or its property that is not supported.
    public init(file: [UInt8]) throws(PNGError) {
        guard file.count <= Self.maximumFileSize else {
            throw PNGError("expected at most \(Self.maximumFileSize) bytes, got \(file.count)")
        }
        guard file.starts(with: Self.signature) else {
            throw PNGError("expected a PNG file, got one that does not begin with its signature")
        }
        var chunks = ByteReader(file[Self.signature.count...], subject: "PNG chunk")
        let first = try Chunk(&chunks)
        guard first.type == "IHDR" else { throw PNGError("expected the chunk IHDR at the start, got \(first.type)") }
        let header = try Header(first.data)
        var palette: [UInt32] = []
        var compressed: [UInt8] = []
        var former = first.type
        while true {
            let chunk = try Chunk(&chunks)
            switch chunk.type {
            case "IDAT":
                guard compressed.isEmpty || former == "IDAT" else {
                    throw PNGError("expected the chunks IDAT in sequence, got \(former) between them")
                }
                compressed += chunk.data
            case "PLTE":
                guard chunk.data.count % 3 == 0, (1...256).contains(chunk.data.count / 3), compressed.isEmpty else {
                    throw PNGError(
                        "expected a chunk PLTE of 1...256 colours before IDAT, got \(chunk.data.count) bytes")
                }
                let bytes = chunk.data.map { UInt32($0) }
                palette = stride(from: 0, to: bytes.count, by: 3).map {
                    bytes[$0] << 16 | bytes[$0 + 1] << 8 | bytes[$0 + 2]
                }
            case "tRNS":
                guard header.colour == .palette, chunk.data.allSatisfy({ $0 == 0xFF }) else {
                    throw PNGError("expected an opaque picture, got one with transparent colours (chunk tRNS)")
                }
            case "IEND":
                guard !compressed.isEmpty else { throw PNGError("expected a chunk IDAT, got none") }
                let rows = try header.unfiltered(try header.inflated(compressed))
                self.init(width: header.width, height: header.height, pixels: try header.pixels(rows, palette))
                return
            default:
                guard chunk.isAncillary else { throw PNGError("expected a known chunk, got \(chunk.type)") }
            }
            former = chunk.type
        }
    }

    /// A part of the file: its length, type, data and checksum (5.3).
    private struct Chunk {
        let type: String
        let data: ArraySlice<UInt8>
        /// True if a reader may skip it: the first letter of its type is small.
        let isAncillary: Bool

        init(_ reader: inout ByteReader) throws(PNGError) {
            let (name, checksum): (ArraySlice<UInt8>, UInt32)
            do throws(CodecError) {
                let length = try reader.uint32BigEndian()
                name = try reader.slice(4)
                data = try reader.slice(Int(length))
                checksum = try reader.uint32BigEndian()
            } catch {
                throw PNGError("\(error)")
            }
            guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
                throw PNGError("expected a chunk's type of four letters, got \(Hexadecimal.string(name))")
            }
            type = String(decoding: name, as: UTF8.self)
            isAncillary = name.first.map { $0 & 0x20 != 0 } ?? false
            guard checksum == CRC32.of(name, data) else {
                throw PNGError("expected the CRC of the chunk \(type) to match, got damaged data")
            }
        }
    }

    /// The content of the chunk IHDR (11.2.1).
    private struct Header {
        let width: Int
        let height: Int
        let depth: Int
        let colour: ColourType

        init(_ data: ArraySlice<UInt8>) throws(PNGError) {
            guard data.count == 13 else { throw PNGError("expected a chunk IHDR of 13 bytes, got \(data.count)") }
            let bytes = Array(data)
            func number(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
            (width, height, depth) = (number(0), number(4), Int(bytes[8]))
            let limit = PNGImage.maximumPixels
            guard (1...limit).contains(width), (1...limit).contains(height), width * height <= limit else {
                throw PNGError("expected 1...\(limit) pixels, got \(width) x \(height)")
            }
            guard let colour = ColourType(rawValue: bytes[9]) else {
                throw PNGError("expected a colour type of 0, 2, 3, 4 or 6, got \(bytes[9])")
            }
            let depths = colour.allowsSmallDepths ? [1, 2, 4, 8] : [8]
            guard depths.contains(depth) else {
                let known = depths.map { "\($0)" }.joined(separator: ", ")
                throw PNGError("expected a depth of \(known) bits for colour type \(colour.rawValue), got \(depth)")
            }
            guard bytes[10] == 0, bytes[11] == 0 else {
                throw PNGError("expected compression and filter method 0, got \(bytes[10]) and \(bytes[11])")
            }
            guard bytes[12] == 0 else { throw PNGError("expected a picture that is not interlaced") }
            self.colour = colour
        }

        private var rowSize: Int { (width * colour.channels * depth + 7) / 8 }

        /// The rows, each after its filter type.
        func inflated(_ compressed: [UInt8]) throws(PNGError) -> [UInt8] {
            let expected = (1 + rowSize) * height
            var rows = [UInt8](repeating: 0, count: expected)
            var size = uLong(expected)
            let status = uncompress(&rows, &size, compressed, uLong(compressed.count))
            switch status {
            case Z_OK where Int(size) == expected: return rows
            case Z_OK: throw PNGError("expected \(expected) bytes of pixels, got \(size)")
            case Z_BUF_ERROR: throw PNGError("expected \(expected) bytes of pixels, got more, or an incomplete stream")
            default: throw PNGError("expected compressed data, got a stream that is damaged (zlib status \(status))")
            }
        }

        /// The rows without filter types and filters (9.2).
        func unfiltered(_ rows: [UInt8]) throws(PNGError) -> [UInt8] {
            let step = max(1, colour.channels * depth / 8)
            var output: [UInt8] = []
            output.reserveCapacity(rowSize * height)
            for row in 0..<height {
                let filter = rows[row * (1 + rowSize)]
                guard filter <= 4 else {
                    throw PNGError("expected a filter type of 0...4 in row \(row), got \(filter)")
                }
                for column in 0..<rowSize {
                    let index = row * rowSize + column
                    let left = column < step ? 0 : output[index - step]
                    let above = row == 0 ? 0 : output[index - rowSize]
                    let corner = row == 0 || column < step ? 0 : output[index - rowSize - step]
                    let prediction: UInt8 =
                        switch filter {
                        case 1: left
                        case 2: above
                        case 3: UInt8((Int(left) + Int(above)) / 2)
                        case 4: Self.paeth(left, above, corner)
                        default: 0
                        }
                    output.append(rows[row * (1 + rowSize) + 1 + column] &+ prediction)
                }
            }
            return output
        }

        /// The neighbour that is nearest to left + above - corner (9.4).
        private static func paeth(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
            let estimate = Int(left) + Int(above) - Int(corner)
            let distances = (abs(estimate - Int(left)), abs(estimate - Int(above)), abs(estimate - Int(corner)))
            if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
            return distances.1 <= distances.2 ? above : corner
        }

        /// The pixels, 0xRRGGBB.
        func pixels(_ rows: [UInt8], _ palette: [UInt32]) throws(PNGError) -> [UInt32] {
            var pixels: [UInt32] = []
            pixels.reserveCapacity(width * height)
            for row in 0..<height {
                for column in 0..<width {
                    func sample(_ channel: Int) -> UInt32 {
                        let bit = (column * colour.channels + channel) * depth
                        let byte = UInt32(rows[row * rowSize + bit / 8])
                        return byte >> UInt32(8 - depth - bit % 8) & (1 << UInt32(depth) - 1)
                    }
                    switch colour {
                    case .grey, .greyAlpha: pixels.append(sample(0) * (255 / (1 << UInt32(depth) - 1)) * 0x010101)
                    case .rgb, .rgba: pixels.append(sample(0) << 16 | sample(1) << 8 | sample(2))
                    case .palette:
                        let index = Int(sample(0))
                        guard palette.indices.contains(index) else {
                            throw PNGError(
                                "expected one of \(palette.count) colours of the palette, got \(index) at (\(column), \(row))"
                            )
                        }
                        pixels.append(palette[index])
                    }
                    if colour == .greyAlpha || colour == .rgba {
                        let alpha = sample(colour.channels - 1)
                        guard alpha == 0xFF else {
                            throw PNGError("expected an opaque picture, got alpha \(alpha) at (\(column), \(row))")
                        }
                    }
                }
            }
            return pixels
        }
    }
}
