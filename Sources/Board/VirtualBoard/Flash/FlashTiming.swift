/// The durations of flash operations; the defaults are typical values of the W25Q32's data sheet.
public struct FlashTiming: Hashable, Sendable {
    /// For erasing a 4 KB sector.
    public var sectorErase: Duration
    /// For erasing an aligned 64 KB block in one operation.
    public var blockErase: Duration
    /// For programming up to 256 bytes of a page.
    public var pageProgram: Duration

    /// All times.
    public init(sectorErase: Duration, blockErase: Duration, pageProgram: Duration) {
        self.sectorErase = sectorErase
        self.blockErase = blockErase
        self.pageProgram = pageProgram
    }

    /// The W25Q32's typical times.
    public static let typical = FlashTiming(
        sectorErase: .milliseconds(45), blockErase: .milliseconds(150), pageProgram: .microseconds(400))
}
