import ArgumentParser
internal import BLECentral
internal import BLECore
internal import BLEDescriptions
import BLEPackets
import CommandSupport

/// `espbench gatt`.
struct GATT: ModalCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt",
        abstract: "Show a Bluetooth peer's services, characteristics and descriptors.",
        discussion: """
            Shows names of assigned numbers and, if the stack has them, handles. --compare shows the differences from a \
            description, and ends with exit code 11 if there are any; with --read it also compares which values can be \
            read without pairing.
            """)

    @Flag(name: .customLong("read"), help: "Also read what can be read.")
    var reads = false

    @Option(
        help: ArgumentHelp(
            "Compare with a description: a file, or one of \(DescriptionOption.names).", valueName: "description"),
        completion: .file(extensions: ["yaml"]))
    var compare: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup var described: DescriptionOption

    @OptionGroup var options: PeerOptions

    @Argument(help: PeerOptions.peer)
    var peer: String

    var unusedOptions: [UnusedOptions] {
        compare == nil ? [] : [UnusedOptions(["--describe"], "--compare shows differences, and no values")]
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try PeerSession.run(options.central, peer: options, environment, output) { session in
            let wanted = try command.compare.map { try DescriptionFile.description($0) }
            let descriptions = try (wanted.map { [$0] } ?? []) + command.described.all()
            let (peripheral, advertisement) = try await session.connect(
                to: command.peer, within: command.options.timeout)
            let services = try await session.services(of: peripheral)
            let (values, failure) = command.reads ? await Self.values(services, peripheral, session) : ([:], nil)
            let readings = DecodedValues(services, values, descriptions)
            if let wanted {
                if let failure { throw failure }
                try command.show(Self.compared(wanted, services, values), output)
            } else if command.json {
                output.data(
                    try JSONLine.text(GATTRecord(advertisement, services, values: values, readings)) + "\n")
            } else {
                output.remark(PeerText.line(advertisement))
                output.data(GATTTree.text(services, values: values, meanings: readings.texts))
                if !session.central.abilities.contains(.systemServices) {
                    output.remark(
                        "(without what this system's stack uses itself: Generic Access, Battery, Device Information)")
                }
            }
            if let failure { throw failure }
        }
    }

    /// Reads all readable attributes, up to the failure of the connection.
    private static func values(
        _ services: [DiscoveredService], _ peripheral: Peripheral, _ session: PeerSession
    ) async -> ([AttributeID: ReadOutcome], failure: (any Error)?) {
        var values: [AttributeID: ReadOutcome] = [:]
        let places = services.flatMap { service in
            service.characteristics.flatMap { characteristic in
                (characteristic.properties.contains(.read) ? [FoundAttribute(service, characteristic)] : [])
                    + characteristic.descriptors.map { FoundAttribute(service, characteristic, $0) }
            }
        }
        for place in places {
            do {
                values[place.attribute] = .value(try await session.read(place, from: peripheral))
            } catch {
                guard case .attError(let code)? = (error as? CentralError)?.code else { return (values, error) }
                values[place.attribute] = .refused(code)
            }
        }
        return (values, nil)
    }

    private static func compared(
        _ description: PeripheralDescription, _ services: [DiscoveredService], _ values: [AttributeID: ReadOutcome]
    ) -> DatabaseComparison {
        let reads = values.mapValues { outcome -> DatabaseComparison.ReadAnswer in
            switch outcome {
            case .value: .value
            case .refused(let code):
                [ATTErrorCode.insufficientAuthentication, .insufficientEncryption].contains(
                    ATTErrorCode(rawValue: code))
                    ? .insufficientSecurity : .refused
            }
        }
        return DatabaseComparison(description, services, reads: reads)
    }

    /// Prints the differences.
    ///
    /// - Throws: ``CommandFailure`` with exit code `mismatch` if there are any.
    private func show(_ comparison: DatabaseComparison, _ output: Output) throws {
        let count = comparison.differences.count
        if json {
            output.data(try JSONLine.text(comparison.differences.map(DifferenceRecord.init)) + "\n")
        } else {
            output.data(comparison.table)
        }
        guard count > 0 else { return output.remark("as described") }
        throw CommandFailure(
            .mismatch, "\(count) difference\(count == 1 ? "" : "s") from '\(compare ?? "")'", code: "gatt.mismatch")
    }
}

/// A difference from a description, as `espbench gatt --compare --json` prints it.
struct DifferenceRecord: Codable, Hashable, Sendable {
    var place: String
    var kind: String
    var described: String
    var found: String

    init(_ difference: DatabaseComparison.Difference) {
        place = difference.place
        kind = difference.kind.rawValue
        described = difference.expected
        found = difference.found
    }
}
