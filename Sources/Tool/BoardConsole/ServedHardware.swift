#if canImport(VirtualBoard)
    import ESPChips
    import VirtualBoard

    /// The chip of a virtual board, and the behaviour of its loader.
    package struct ServedHardware: Sendable {
        /// The model of the chip.
        package var chip = Chip.esp32
        /// True if the ROM loader only permits writing the flash.
        package var hasSecureDownload: Bool
        /// True if serial transfers and flash operations take realistic time.
        package var pacesLine: Bool

        package init(hasSecureDownload: Bool = false, pacesLine: Bool = false) {
            (self.hasSecureDownload, self.pacesLine) = (hasSecureDownload, pacesLine)
        }

        /// Sets the board's parameters.
        func apply(to configuration: inout VirtualBoard.Configuration) {
            configuration.chip = chip
            configuration.hasSecureDownload = hasSecureDownload
            configuration.loaderPace = pacesLine ? .line : .immediate
        }
    }
#endif
