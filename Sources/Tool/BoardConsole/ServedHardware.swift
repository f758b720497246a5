#if canImport(VirtualBoard)
    import ESPChips
    import VirtualBoard

    /// The chip of a virtual board, and the behaviour of its loader.
    package struct ServedHardware: Sendable {
        /// The model of the chip.
        package var chip = Chip.esp32
        /// The size of its flash in bytes: a power of two.
        package var flashSize: Int
        /// True if the ROM loader only permits writing the flash.
        package var hasSecureDownload: Bool
        /// True if serial transfers and flash operations take realistic time.
        package var pacesLine: Bool

        package init(hasSecureDownload: Bool = false, pacesLine: Bool = false, flashSize: Int = 4 << 20) {
            (self.hasSecureDownload, self.pacesLine, self.flashSize) = (hasSecureDownload, pacesLine, flashSize)
        }

        /// Sets the board's parameters.
        func apply(to configuration: inout VirtualBoard.Configuration) {
            configuration.chip = chip
            configuration.flashSize = flashSize
            configuration.hasSecureDownload = hasSecureDownload
            configuration.loaderPace = pacesLine ? .line : .immediate
        }
    }
#endif
