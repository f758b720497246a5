import ArgumentParser
internal import BLECentral
internal import BLECore

/// `espbench gatt`.
struct GATT: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatt",
        abstract: "Show a Bluetooth peer's services, characteristics and descriptors.",
        discussion: "With names of assigned numbers and, where the stack tells, handles.")

    @Flag(name: .customLong("read"), help: "Also read what can be read.")
    var reads = false

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup var options: PeerOptions

    @Argument(help: PeerOptions.peer)
    var peer: String

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try CentralSession.run(options.central, peer: options, environment, output) { session in
            let peer = try PeerSelector(command.peer, hidesAddresses: !session.backend.abilities.contains(.address))
            let advertisement = try await session.connect(to: peer, within: command.options.timeout)
            let services = try await session.backend.discoverServices(on: session.current())
            let values = command.reads ? try await Self.values(services, session) : [:]
            if command.json {
                output.data(try PortRecord.json(GATTRecord(advertisement, services, values: values)) + "\n")
            } else {
                output.remark(PeerText.line(advertisement))
                output.data(GATTTree.text(services, values: values))
                if !session.backend.abilities.contains(.systemServices) {
                    output.remark(
                        "(without what this system's stack uses itself: Generic Access, Battery, Device Information)")
                }
            }
        }
    }

    /// Reads all that can be read.
    private static func values(
        _ services: [DiscoveredService], _ session: CentralSession
    ) async throws -> [AttributeID: ReadOutcome] {
        var values: [AttributeID: ReadOutcome] = [:]
        for characteristic in services.flatMap(\.characteristics) {
            let readable = characteristic.properties.contains(.read) ? [characteristic.value] : []
            for attribute in readable + characteristic.descriptors.map(\.attribute) {
                do {
                    values[attribute] = .value(try await session.backend.read(attribute, on: session.current()))
                } catch let error as CentralError {
                    guard case .attError = error.code else { throw error }
                    values[attribute] = .failed(error.detail)
                }
            }
        }
        return values
    }
}
