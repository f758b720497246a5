import ArgumentParser
internal import BLECentral
internal import BLECore
import CommandSupport

/// `espbench pair`.
struct Pair: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pair and bond with a Bluetooth peer.",
        discussion: """
            A passkey that the peer displays is asked for at the terminal, or given with --passkey; one that has to be \
            entered on the peer is shown. The keys are kept: by the operating system's stack, or with --central h4 in a \
            file that only this user may read. An existing bond is replaced; bluetoothd pairs again only after 'espbench \
            forget'.
            """)

    @Option(
        name: .customLong("io"),
        help: ArgumentHelp(
            """
            The I/O capability of this side, which determines the pairing method: \
            \(IOCapability.allCases.map(\.optionName).joined(separator: ", ")). (default: \(IOCapability.keyboardDisplay.optionName))
            """,
            valueName: "capability"),
        transform: Self.capability)
    var capability: IOCapability?

    @Flag(help: "Print a JSON object.")
    var json = false

    @OptionGroup var options: PeerOptions

    @Argument(help: PeerOptions.peer)
    var peer: String

    /// The output of `--json`.
    private struct Record: Encodable {
        var peer: String
        var isEncrypted: Bool
        var isAuthenticated: Bool
        var isBonded: Bool
        var keySize: Int?
    }

    private static func capability(_ text: String) throws -> IOCapability {
        guard let capability = IOCapability.allCases.first(where: { $0.optionName == text }) else {
            throw ValidationError(
                "Expected one of \(IOCapability.allCases.map(\.optionName).joined(separator: ", ")), got '\(text)'.")
        }
        return capability
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try PeerSession.run(options.central, peer: options, keepsBonds: true, environment, output) { session in
            let abilities = session.central.abilities
            if abilities.contains(.pairingControl) {
                let capability = command.capability ?? .keyboardDisplay
                try await session.central.setSecurity(CentralSecurity(ioCapability: capability))
            } else if command.capability != nil {
                throw CommandFailure(.usage, "--io: this system's stack chooses itself how to pair")
            }
            let (peripheral, peer) = try await session.connect(
                to: command.peer, within: command.options.timeout, encrypts: false,
                refusesBonded: !abilities.contains(.bondReplacement))
            let security = try await session.pair(peripheral)
            // A user who gives a passkey requires protection against a machine in the middle.
            if command.options.passkey != nil, abilities.contains(.pairingControl), !security.isAuthenticated {
                try await Self.forget(security, of: peer, session)
                throw CommandFailure(
                    .peerRefused, "the peer paired without the passkey, which proves nothing: the bond was not kept",
                    code: "central.noPasskey")
            }
            // Some stacks, e.g. Bumble's, drop the keys if the connection ends before the keys are stored. A peer that
            // answers a request has stored them. A peer that ends the connection instead, as a lock does with an
            // untrusted peer, has kept no keys.
            do {
                _ = try await peripheral.services()
            } catch let error where CommandFailure(error, .benchFault).code == "central.disconnected" {
                try await Self.forget(security, of: peer, session)
                throw CommandFailure(
                    .peerRefused, "the peer paired, and ended the connection at once: the bond was not kept",
                    code: "central.pairedAndGone")
            } catch {
                // The peer has answered, or the failure is not related to the keys.
            }
            command.show(peer, security, output)
            // The keys are lost with the connection, which this command ends.
            guard security.isBonded else {
                throw CommandFailure(
                    .peerRefused, "the peer paired and did not bond: nothing is left of the pairing",
                    code: "central.noBonding")
            }
        }
    }

    /// Forgets the bond of a pairing that is not accepted.
    private static func forget(
        _ security: LinkSecurity, of peer: Advertisement, _ session: PeerSession
    ) async throws {
        if security.isBonded, let identity = peer.identity ?? peer.address {
            try await session.central.forget(identity)
        }
    }

    private func show(_ peer: Advertisement, _ security: LinkSecurity, _ output: Output) {
        guard json else {
            let parts = [
                security.isEncrypted ? "encrypted" : "not encrypted",
                security.isAuthenticated ? "authenticated" : "not authenticated (just works)",
                security.isBonded ? "bonded" : "not bonded",
            ]
            let size = security.keySize > 0 ? ", key of \(security.keySize) bytes" : ""
            return output.data("paired with \(peer.peer): \(parts.joined(separator: ", "))\(size)\n")
        }
        let record = Record(
            peer: "\(peer.peer)", isEncrypted: security.isEncrypted, isAuthenticated: security.isAuthenticated,
            isBonded: security.isBonded, keySize: security.keySize > 0 ? security.keySize : nil)
        if let text = try? JSONLine.text(record) { output.data(text + "\n") }
    }
}

extension IOCapability {
    /// The name on the command line, e.g. `keyboard-display`.
    fileprivate var optionName: String {
        description.replacing(" ", with: "-").replacing("/", with: "-")
    }
}
