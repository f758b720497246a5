/// Programs for RAM in the forms that the board tells apart; none is executed.
enum LoadedPrograms {
    /// The size of a small stub's code.
    private static let codeSize = 3400

    /// Has what distinguishes a stub on an Xtensa chip: a few kilobytes of code, and `OHAI` as literal.
    static let stub: [UInt8] = [UInt8](repeating: 0x36, count: codeSize) + Array("OHAI".utf8)

    /// The same on a RISC-V chip, whose code loads the greeting in two halves: `lui a5, 0x49415`.
    static let stubOfRISCV: [UInt8] =
        [UInt8](repeating: 0x13, count: codeSize) + [0xB7, 0x57, 0x41, 0x49] + [UInt8](repeating: 0x13, count: 100)
}
