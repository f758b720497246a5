/// An option of esptool's parser (5.6), and its effect in espbench. A test compares the list with the installed esptool.
package struct EsptoolOption: Sendable {
    /// How many words follow an option.
    package enum Arity: Sendable {
        case none
        case one
        /// All up to the next option.
        case all
    }

    /// The effect of an option in espbench.
    package indirect enum Effect: Sendable {
        /// It has an option of the same name.
        case same
        /// It has the option under this name, without a value.
        case spelled(String)
        /// It does this in any case.
        case isDefault
        /// The option is accepted, and a note says why it has no effect.
        case none(String)
        /// The option is refused; the text says what to do instead.
        case refused(String, code: String = "usage.esptool")
        /// These values are the default; others have the other effect.
        case unless([String], Effect)
    }

    /// The long name, then others.
    package let names: [String]
    package let arity: Arity
    package let effect: Effect

    /// The options of espbench that may replace it.
    package var spellings: [String] {
        switch effect {
        case .same, .unless(_, .same): [names[0]]
        case .spelled(let own): [own]
        default: []
        }
    }

    private init(_ names: String, arity: Arity = .none, _ effect: Effect) {
        self.init(names: names.split(separator: " ").map(String.init), arity: arity, effect: effect)
    }

    /// The option called `name` that may precede every verb.
    static func general(_ name: String) -> EsptoolOption? { general.first { $0.names.contains(name) } }

    /// The option called `name`: the verb's own, or one of all verbs.
    ///
    /// - Parameters:
    ///   - name: the long or the short name.
    ///   - own: the verb of esptool whose own options are meant too; `nil` before the verb.
    ///   - verb: the verb of esptool.
    ///   - isPort: true if `-p` must be the port, as before a verb.
    package static func find(_ name: String, _ own: String?, _ verb: String, isPort: Bool) -> EsptoolOption? {
        if let own, !(name == "-p" && isPort),
            let option = byVerb[own]?.first(where: { $0.names.contains(name) })
        {
            return option
        }
        guard let option = general(name) else { return nil }
        guard let reason = reasons[verb]?[option.names[0]] else { return option }
        return EsptoolOption(names: option.names, arity: option.arity, effect: reason)
    }

    private init(names: [String], arity: Arity, effect: Effect) {
        (self.names, self.arity, self.effect) = (names, arity, effect)
    }

    // MARK: The options

    private static let general: [EsptoolOption] = [
        .init("--chip -c", arity: .one, .unless(["auto"], .same)),
        .init("--port -p", arity: .one, .same),
        .init("--baud -b", arity: .one, .same),
        .init("--port-filter", arity: .all, .refused("give the --port itself; 'espbench ports' lists them")),
        .init("--before", arity: .one, .same),
        .init("--after -a", arity: .one, .same),
        .init("--no-stub", .same),
        .init(
            "--stub-version", arity: .one,
            .unless(["2"], .refused("give the stub's file: --stub esptool/targets/stub_flasher/1/CHIP.json"))),
        .init("--trace -t", .none("espbench does not print the packets of the loader")),
        .init("--verbose -v", .none("espbench prints each step in any case; --json prints every event")),
        .init("--silent -s", .none("results go to standard output, notes to standard error: 2> /dev/null")),
        .init("--override-vddsdio", arity: .one, .refused("the flash's voltage stays as it is: use esptool")),
        .init("--connect-attempts", arity: .one, .same),
    ]

    private static let noBoard = Effect.none("the command needs no board")
    private static let boardless: [String: Effect] = [
        "--port": noBoard, "--baud": noBoard, "--port-filter": noBoard, "--before": noBoard, "--after": noBoard,
        "--no-stub": noBoard, "--stub-version": noBoard, "--override-vddsdio": noBoard, "--connect-attempts": noBoard,
    ]
    /// The general options that have another effect on a verb.
    private static let reasons: [String: [String: Effect]] = [
        "image-info": boardless.merging(["--chip": .none("the image says its chip")]) { $1 },
        "merge-bin": boardless, "elf2image": boardless,
        "load-ram": [
            "--baud": .none("the program begins at the 115200 baud of the loader"),
            "--no-stub": .isDefault, "--after": .none("a reset would end the program"),
            "--stub-version": .none("load-ram uses the loader in ROM"),
        ],
    ]

    private static let noProgress = EsptoolOption("--no-progress -p", .same)
    private static let spi = EsptoolOption(
        "--spi-connection -sc", arity: .one,
        .unless(["spi"], .refused("espbench uses the pins of the chip's own flash; for others use esptool")))
    private static let flashType = EsptoolOption(
        "--flash-type -ft", arity: .one, .unless(["nor"], .refused("espbench knows NOR flash only: use esptool")))
    private static let settings = [
        EsptoolOption("--flash-size -fs", arity: .one, .same),
        EsptoolOption("--flash-mode -fm", arity: .one, .same),
        EsptoolOption("--flash-freq -ff", arity: .one, .same),
    ]
    private static let encrypted = Effect.refused("espbench does not write encrypted data", code: "flash.encrypt")
    private static let elf = Effect.refused("use esptool's elf2image")
    private static let onlyUF2 = Effect.none("it is for UF2 files, which espbench does not write")
    private static let force = EsptoolOption("--force", .spelled("--yes"))

    /// The options of each verb.
    private static let byVerb: [String: [EsptoolOption]] = [
        "write-flash": settings + [
            .init("--erase-all -e", .same), noProgress, .init("--encrypt", encrypted),
            .init("--encrypt-files", arity: .all, encrypted),
            .init("--ignore-flash-enc-efuse --ignore-flash-encryption-efuse-setting", encrypted),
            .init("--diff-with", arity: .all, .none("digests of the chip show which sectors differ")),
            .init(
                "--trust-flash-content --no-diff-verify", .none("digests show what is in the flash, which is quick")),
            .init("--skip-flashed -s", .none("unchanged sectors are skipped unless --no-skip is given")),
            .init("--force", .same), .init("--compress -z", .isDefault), .init("--no-compress -u", .same),
            .init("--nand-end-address", arity: .one, .refused("espbench knows NOR flash only: use esptool")),
            flashType, spi,
        ],
        "verify-flash": settings + [.init("--diff -d", .same), flashType, spi],
        "read-flash": [
            noProgress,
            .init("--flash-size -fs", arity: .one, .none("the flash itself says its size")), flashType, spi,
        ],
        "erase-flash": [force, flashType, spi],
        "erase-region": [force, flashType, spi],
        "flash-id": [spi],
        "elf2image": settings + [
            .init("--output -o", arity: .one, .same),
            .init("--version -e", arity: .one, .none("it is for the ESP8266")),
            .init("--min-rev -r", arity: .one, .refused("give --min-rev-full, major × 100 + minor")),
            .init("--min-rev-full", arity: .one, .same), .init("--max-rev-full", arity: .one, .same),
            .init("--secure-pad", elf), .init("--secure-pad-v2", elf),
            .init("--elf-sha256-offset", arity: .one, .same), .init("--dont-append-digest", elf),
            .init("--use-segments", elf), .init("--flash-mmu-page-size", arity: .one, elf),
            .init("--pad-to-size", arity: .one, elf), .init("--ram-only-header", elf),
        ],
        "merge-bin": settings + [
            .init("--output -o", arity: .one, .same), .init("--format -f", arity: .one, .same),
            .init("--chunk-size", arity: .one, onlyUF2), .init("--md5-disable", onlyUF2),
            .init("--target-offset -t", arity: .one, .same),
            .init("--pad-to-size --fill-flash-size", arity: .one, .same),
        ],
    ]
}
