/// How long a flasher waits for answers: esptool's values.
public enum LoaderTimeout {
    /// For commands without flash access.
    public static let `default`: Duration = .seconds(3)
    /// For one SYNC.
    public static let sync: Duration = .milliseconds(100)
    /// For ERASE_FLASH.
    public static let chipErase: Duration = .seconds(120)
    /// For erasing and writing 1 MB.
    public static let writePerMegabyte: Duration = .seconds(40)
    /// For the digest of 1 MB.
    public static let md5PerMegabyte: Duration = .seconds(8)
    /// After the response to CHANGE_BAUDRATE, until the new rate applies.
    public static let baudRateSettle: Duration = .milliseconds(50)

    /// `perMegabyte` for `byteCount` bytes, and ``default``.
    public static func scaled(_ perMegabyte: Duration, byteCount: UInt32) -> Duration {
        `default` + perMegabyte * Int(byteCount) / 1_000_000
    }
}
