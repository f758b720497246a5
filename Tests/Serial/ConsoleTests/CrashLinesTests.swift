import Console
import Testing

/// A program whose code is at 0x42000000 ..< 0x42010000; a call stands before each multiple of 0x100.
private struct FakeProgram: AddressResolver {
    let knowsCode = true

    func frames(at addresses: [CodeAddress]) async -> [[CodeFrame]] {
        addresses.map { address in
            guard isCode(address.value) else { return [] }
            let name = "f\(String(address.value & 0xFFFF, radix: 16))\(address.isReturn ? "-" : "")"
            return [CodeFrame(address: address.value, function: name, file: "/src/a.c", line: 7)]
        }
    }

    func isCode(_ address: UInt64) -> Bool { (0x4200_0000..<0x4201_0000).contains(address) }
    func isReturnAddress(_ address: UInt64) -> Bool { isCode(address) && address & 0xFF == 0 }
    func mismatch(digest: String) -> String? { digest.hasPrefix("6b3d") ? nil : "another program" }
}

@Suite("Lines below a crash")
struct CrashLinesTests {
    private func lines(_ console: String) async -> [String] {
        var crashes = CrashLines(symbols: FakeProgram())
        var result: [String] = []
        for line in console.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if crashes.mayDecode(line) { result += await crashes.lines(below: line) }
        }
        return result
    }

    @Test("shows the registers that are code, and the return addresses on the stack of a RISC-V chip")
    func riscv() async {
        let found = await lines(
            """
            MEPC    : 0x42000010  RA      : 0x42000200  SP      : 0x3fc91d50  GP      : 0x3fc8b400
            TP      : 0x3fc89e10  T0      : 0x4005890e  T1      : 0x42000010  T2      : 0x00000000

            Stack memory:
            3fc91d50: 0x00000000 0x42000300 0x42000301 0x42000300 0x42000300 0x4200ff04 0x00000000 0x42000400
            3fc91d70: 0xa5a5a5a5 0xa5a5a5a5 0xa5a5a5a5 0xa5a5a5a5 0xa5a5a5a5 0xa5a5a5a5 0xa5a5a5a5 0x42000500



            ELF file SHA256: 6b3d0a911
            """)
        #expect(
            found == [
                "--- 0x42000010: f10 at a.c:7", "--- 0x42000200: f200- at a.c:7", "--- 0x42000010: f10 at a.c:7",
                "--- possible callers, by words of the stack that are behind a call:",
                "--- maybe 0x42000200: f200- at a.c:7", "--- maybe 0x42000300: f300- at a.c:7",
                "--- maybe 0x42000400: f400- at a.c:7", "--- maybe 0x42000500: f500- at a.c:7",
            ])
    }

    @Test("reads the dump of each core, also without a line between them, and a dump with damaged words")
    func twoCores() async {
        let found = await lines(
            """
            Core  0 register dump:
            MEPC    : 0x42000010  RA      : 0x00000000  SP      : 0x3fc91d50  GP      : 0x3fc8b400
            Stack memory:
            3fc91d50: 0x00000000 0x4200030 0x42000400 0x420005
            Core  1 register dump:
            MEPC    : 0x42000020  RA      : 0x00000000  SP      : 0x3fc95d50  GP      : 0x3fc8b400

            Stack memory:

            3fc95d50: 0x00000000 0x42000600
            """ + "\n\n")
        #expect(
            found == [
                "--- 0x42000010: f10 at a.c:7", "--- possible callers, by words of the stack that are behind a call:",
                "--- maybe 0x42000400: f400- at a.c:7", "--- 0x42000020: f20 at a.c:7",
                "--- possible callers, by words of the stack that are behind a call:",
                "--- maybe 0x42000600: f600- at a.c:7",
            ])
    }

    @Test("shows each code address of any line once, but not those of the boot log")
    func anyLine() async {
        #expect(
            await lines("called from 0x42000123, 0x42000123 and 0x42000124!") == [
                "--- 0x42000123: f123 at a.c:7", "--- 0x42000124: f124 at a.c:7",
            ])
        #expect(await lines("load:0x42000000,len:108\nentry 0x42000000\n0x4200\n0x42zz0000 0x3ffb0000").isEmpty)
    }

    @Test("says that the board runs another program")
    func mismatch() async {
        #expect(await lines("ELF file SHA256: 0123456789\n") == ["--- another program"])
    }

    @Test("keeps no more of a stack than it shows, whatever a board prints")
    func longStack() async {
        let words = (0..<40000).map { line in
            "\(String(0x3FC9_1000 + 4 * line, radix: 16)): 0x4200\((line % 2 == 0) ? "0300" : "0400")"
        }
        let found = await lines("Stack memory:\n" + words.joined(separator: "\n") + "\nend")
        #expect(found.count == 33)
    }
}
