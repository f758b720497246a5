import Console
import Testing

@Suite("Decoding backtraces")
struct BacktraceDecoderTests {
    /// A panic of an ESP32 with ESP-IDF v5.
    private static let xtensa = """
        Guru Meditation Error: Core  1 panic'ed (StoreProhibited). Exception was unhandled.

        Core  1 register dump:
        PC      : 0x400d1f0a  PS      : 0x00060730  A0      : 0x800d5b58  A1      : 0x3ffb2820
        A2      : 0x00000000  A3      : 0x00000001  A4      : 0x00000001  A5      : 0x00000000
        EXCVADDR: 0x00000000  LBEG    : 0x00000000  LEND    : 0x00000000  LCOUNT  : 0x00000000


        Backtrace: 0x400d1f07:0x3ffb2820 0x400d5b55:0x3ffb2840 0x4008abcd:0x3ffb2860 |<-CORRUPTED




        ELF file SHA256: 6b3d0A911

        Rebooting...
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static let riscv = """
        Guru Meditation Error: Core  0 panic'ed (Store access fault). Exception was unhandled.

        Core  0 register dump:
        MEPC    : 0x42005a3c  RA      : 0x42005a36  SP      : 0x3fc91d50  GP      : 0x3fc8b400
        TP      : 0x3fc89e10  T0      : 0x4005890e  T1      : 0x40385a1e  T2      : 0x00000000

        Stack memory:
        3fc91d50: 0x00000000 0x00000000 0x00000000 0x42002b5e
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private func decoder(_ lines: some Sequence<String>) -> BacktraceDecoder {
        var decoder = BacktraceDecoder()
        for line in lines { decoder.receive(line) }
        return decoder
    }

    @Test("collects the frames of an Xtensa chip, which are complete with the line Backtrace")
    func backtrace() throws {
        let end = try #require(Self.xtensa.firstIndex { $0.hasPrefix("Backtrace") })
        #expect(!decoder(Self.xtensa[..<end]).isComplete)
        let crash = decoder(Self.xtensa[...end])
        #expect(crash.isComplete)
        #expect(crash.addresses == [0x400D_1F07, 0x400D_5B55, 0x4008_ABCD].map { CodeAddress($0) })
        #expect(crash.digest == nil)
        #expect(decoder(Self.xtensa).digest == "6b3d0a911")
    }

    @Test("takes program counter and return address of a RISC-V chip, which prints no backtrace")
    func registers() {
        let crash = decoder(Self.riscv)
        #expect(crash.isComplete)
        #expect(crash.addresses == [CodeAddress(0x4200_5A3C), CodeAddress(0x4200_5A36, isReturn: true)])
    }

    @Test("forgets a crash when the next one begins")
    func again() {
        let lines = Self.xtensa + ["***ERROR*** A stack overflow in task loopTask has been detected."]
        #expect(decoder(lines).addresses.isEmpty)
        #expect(!decoder(lines).isComplete)
        #expect(decoder(Self.riscv + ["abort() was called at PC 0x400d1234 on core 1", "Rebooting..."]).isComplete)
    }

    @Test(
        "finds the code addresses of a line",
        arguments: [
            ("PC      : 0x400d1f0a  PS      : 0x00060730  A0      : 0x800d5b58", [0x400D_1F0A]),
            ("abort() was called at PC 0x40081234 on core 1", [0x4008_1234]), ("Saved PC:0x40376f2c", [0x4037_6F2C]),
            ("Backtrace:0x400d1:0x3 0xffffffffffffffff:0x1", [0x400D1, .max]), ("Backtrace:", []),
            ("Backtrace: 0x10000000000000000:0x1 0x:0x2 0xg:0x3 400d1234:0x1 0x12", []), ("PC", []), ("PC : ", []),
            ("the PC : 0x400d1f0a", []), ("Sending 0x400d1f0a", []), ("", []),
        ] as [(String, [UInt64])])
    func line(text: String, values: [UInt64]) {
        #expect(BacktraceDecoder.addresses(in: text).map(\.value) == values)
    }

    @Test("shows below a line what its addresses are")
    func decoded() async {
        let resolver = KnownAddresses(frames: [
            0x400D_1F07: [
                CodeFrame(address: 0x400D_1F07, function: "set(int)", file: "/a/b/Lamp.ino", line: 3, isInlined: true),
                CodeFrame(address: 0x400D_1F07, function: "loop()", file: "/a/b/Lamp.ino", line: 9),
            ]
        ])
        let line = "Backtrace: 0x400d1f07:0x3ffb2820 0x4008abcd:0x3ffb2860"
        #expect(
            await DecodedLines.text(for: line, resolver) == [
                "--- (inlined): set(int) at Lamp.ino:3", "--- 0x400d1f07: loop() at Lamp.ino:9",
            ])
        #expect(await DecodedLines.text(for: "Sending 0x400d1f07", resolver).isEmpty)
    }
}

private struct KnownAddresses: AddressResolver {
    let frames: [UInt64: [CodeFrame]]

    func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] { addresses.map { frames[$0.value] ?? [] } }
}
