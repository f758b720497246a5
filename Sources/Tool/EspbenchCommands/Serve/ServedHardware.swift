#if canImport(VirtualBoard)
    import ESPChips
    import VirtualBoard

    /// What a served board is made of, beside its sketch.
    struct ServedHardware: Sendable {
        /// The model of the chip.
        var chip = Chip.esp32
        /// Whether the ROM loader only lets the flash be written.
        var hasSecureDownload = false
        /// Whether the loader's bytes and the flash take their time.
        var pacesLine = false

        /// Sets the board's parameters.
        func apply(to configuration: inout VirtualBoard.Configuration) {
            configuration.chip = chip
            configuration.hasSecureDownload = hasSecureDownload
            configuration.loaderPace = pacesLine ? .line : .immediate
        }
    }
#endif
