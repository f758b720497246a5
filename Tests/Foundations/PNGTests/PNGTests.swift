import ByteCodec
import CZlib
import Foundation
import MonotonicTime
import PNG
import Testing

/// Pictures in PNG files.
@Suite("PNG")
struct PNGTests {
    /// Pictures of each form that is written; their rows do not end at a byte.
    private static let pictures: [(mode: String, picture: PNGImage)] = [
        ("1", picture { ($0 + $1) % 3 == 0 ? 0xFFFFFF : 0 }), ("L", picture { UInt32(($0 * 7 + $1) % 256) * 0x010101 }),
        ("RGB", picture { UInt32($0 << 16 | $1 << 8 | 0x7F) }),
    ]

    private static func picture(_ pixel: (Int, Int) -> UInt32) -> PNGImage {
        PNGImage(width: 37, height: 5, pixels: (0..<5).flatMap { y in (0..<37).map { pixel($0, y) } })
    }

    private static func hexadecimal(_ picture: PNGImage) -> String {
        picture.pixels.map { Hexadecimal.digits($0, count: 6) }.joined()
    }

    @Test("are read as they were written")
    func roundTrip() throws {
        for (_, picture) in Self.pictures { #expect(try PNGImage(file: picture.file) == picture) }
        let display = PNGImage(width: 128, height: 64, pixels: Array(repeating: 0, count: 8192))
        #expect(display.file.count < 120)
    }

    @Test("are read by Pillow as they were written", .enabled(if: Pillow.isInstalled, "\(Pillow.absence)"))
    func written() throws {
        try withTemporaryFolder { folder in
            for (mode, picture) in Self.pictures {
                let file = folder.appending(path: "\(mode).png")
                try Data(picture.file).write(to: file)
                let lines = try Pillow.run(
                    "i = Image.open(sys.argv[1])\nprint(i.mode, *i.size)\nprint(i.convert('RGB').tobytes().hex())",
                    [file.path])
                #expect(lines == ["\(mode) 37 5", Self.hexadecimal(picture)])
            }
        }
    }

    /// Writes pictures of every form, with all filters but 3, and prints their names and pixels.
    private static let writer = """
        def write(name, image, **options):
            path = sys.argv[1] + "/" + name + ".png"
            image.save(path, **options)
            print(path)
            print(image.convert("RGB").tobytes().hex())
        wave = [(x * x // 3 + y * 5 + (x * y) % 7 * (y > 9)) % 256 for y in range(23) for x in range(37)]
        grey = Image.new("L", (37, 23))
        grey.putdata(wave)
        colour = Image.merge("RGB", [grey, grey.rotate(90), grey.rotate(180)])
        opaque = Image.new("L", grey.size, 255)
        write("grey", grey)
        write("alpha", Image.merge("LA", [grey, opaque]))
        write("rgb", colour)
        write("rgba", Image.merge("RGBA", [*colour.split(), opaque]))
        write("black", grey.convert("1"))
        for bits in 1, 2, 4, 8:
            write(f"palette{bits}", colour.quantize(2 ** bits), bits=bits)
        """

    @Test("that Pillow wrote are read", .enabled(if: Pillow.isInstalled, "\(Pillow.absence)"))
    func read() throws {
        try withTemporaryFolder { folder in
            let lines = try Pillow.run(Self.writer, [folder.path])
            #expect(lines.count == 18, "\(lines)")
            for index in stride(from: 0, to: lines.count - 1, by: 2) {
                let picture = try PNGImage(file: Array(try Data(contentsOf: URL(filePath: lines[index]))))
                #expect(picture.size == "37 x 23")
                #expect(Self.hexadecimal(picture) == lines[index + 1], "\(lines[index])")
            }
        }
    }

    /// Filter 3 predicts the mean of the bytes at the left and above, rounded down (9.2).
    @Test("with the filter Average are read")
    func average() throws {
        let picture = try PNGImage(file: Self.file(height: 2, row: [0, 10, 20, 3, 1, 1]))
        #expect(picture.pixels == [10, 20, 6, 14].map { $0 * 0x010101 })
    }

    // MARK: Faults

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return number(data.count) + content + number(Int(CRC32.of(content[...])))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A file of 2 x 1 pixels with these fields, chunks before its pixels, and its rows.
    private static func file(
        width: Int = 2, height: Int = 1, depth: UInt8 = 8, colour: UInt8 = 0, interlace: UInt8 = 0,
        _ chunks: [UInt8] = [],
        row: [UInt8] = [0, 1, 2], end: Bool = true
    ) -> [UInt8] {
        var compressed = [UInt8](repeating: 0, count: 100)
        var size = uLong(100)
        compress2(&compressed, &size, row, uLong(row.count), 9)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", number(width) + number(height) + [depth, colour, 0, 0, interlace]) + chunks
            + chunk("IDAT", Array(compressed.prefix(Int(size)))) + (end ? chunk("IEND", []) : [])
    }

    private static let faults: [(file: [UInt8], message: String)] = [
        ([], "expected a PNG file"), (Array("GIF89a".utf8), "expected a PNG file"),
        ([UInt8](repeating: 0, count: 1_048_577), "expected at most 1048576 bytes, got 1048577"),
        (Array(file().prefix(20)), "expected at least 13 more bytes, got 4"),
        (file(end: false), "expected at least 4 more bytes, got 0"),
        (file().map { $0 == 2 ? 3 : $0 }, "expected the CRC of the chunk IHDR to match"),
        (Array(file().prefix(8)) + chunk("IEND", []), "expected the chunk IHDR at the start, got IEND"),
        (file(width: 0), "expected 1...1000000 pixels, got 0 x 1"),
        (file(width: 1_000_001), "expected 1...1000000 pixels, got 1000001 x 1"),
        (file(width: 0xFFFF_FFFF), "got 4294967295 x 1"),
        (file(colour: 1), "expected a colour type of 0, 2, 3, 4 or 6"),
        (file(depth: 16), "expected a depth of 1, 2, 4, 8 bits for colour type 0, got 16"),
        (file(depth: 4, colour: 2), "expected a depth of 8 bits for colour type 2, got 4"),
        (file(interlace: 1), "expected a picture that is not interlaced"),
        (file(row: [0, 1]), "expected 3 bytes of pixels, got 2"), (file(row: [0, 1, 2, 3]), "got more"),
        (file(row: [5, 1, 2]), "expected a filter type of 0...4 in row 0, got 5"),
        (file(colour: 3), "expected one of 0 colours of the palette, got 1 at (0, 0)"),
        (file(chunk("PLTE", [1])), "expected a chunk PLTE of 1...256 colours before IDAT, got 1 bytes"),
        (file(chunk("tRNS", [0, 1])), "expected an opaque picture"),
        (file(colour: 4, row: [0, 1, 255, 2, 254]), "expected an opaque picture, got alpha 254 at (1, 0)"),
        (file(chunk("ABCD", [])), "expected a known chunk, got ABCD"),
        (file(chunk("IDAT", [1]) + chunk("tEXt", [])), "expected the chunks IDAT in sequence, got tEXt between them"),
        (file(chunk("IDAT", [1])), "got a stream that is damaged"),
    ]

    @Test("with a fault are refused with the fault")
    func refused() {
        for (file, message) in Self.faults {
            let error = #expect(throws: PNGError.self) { _ = try PNGImage(file: file) }
            #expect(error?.description.contains(message) == true, "\(message): \(error?.description ?? "")")
        }
    }

    @Test("of any content are read or refused")
    func damaged() {
        var generator = SeededRandom(seed: 1)
        let whole = Self.pictures[2].picture.file
        for _ in 0..<2000 {
            var file = whole
            for _ in 0...3 {
                file[Int.random(in: 8..<file.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try? PNGImage(file: Array(file.prefix(.random(in: 0...file.count, using: &generator))))
        }
        for _ in 0..<2000 {
            func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
                (0..<Int.random(in: count, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
            }
            let depths: [UInt8] = [1, 2, 4, 8]
            let file = Self.file(
                width: .random(in: 1...9, using: &generator), height: .random(in: 1...3, using: &generator),
                depth: depths[Int.random(in: 0..<4, using: &generator)], colour: .random(in: 0...6, using: &generator),
                Self.chunk("PLTE", bytes(1...9)), row: bytes(1...9).map { $0 % 6 })
            _ = try? PNGImage(file: file)
        }
        #expect(throws: Never.self) { try PNGImage(file: Self.file(Self.chunk("tEXt", [1, 2, 3]))) }
    }
}

/// Runs `body` with a folder that is removed afterwards.
private func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "espbench-png-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
