import ArgumentParser
internal import BLECentral
internal import BLECore
import CommandSupport

/// `espbench forget`.
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Delete bonds with Bluetooth peers, or list them.",
        discussion: "Deletes only this side's bond: delete the peer's as well, or pair again.")

    @Flag(help: "List the bonds.")
    var list = false

    @Flag(help: "Delete all bonds.")
    var all = false

    @Flag(help: "With --list: print a JSON array.")
    var json = false

    @OptionGroup var central: CentralOption

    @Argument(help: ArgumentHelp("The addresses of bonded peers, as --list shows them.", valueName: "address"))
    var peers: [String] = []

    /// The output of `--json` for a bond.
    private struct Record: Encodable {
        var peer: String
        var addressType: String
        /// `nil` if the stack does not report it.
        var isAuthenticated: Bool?
        var isSecureConnections: Bool?
        var keySize: Int?
    }

    func validate() throws {
        guard [list, all, !peers.isEmpty].count(where: { $0 }) == 1 else {
            throw ValidationError("Give the addresses of bonded peers, or --all, or --list.")
        }
        if json, !list { throw ValidationError("--json needs --list.") }
        for peer in peers where DeviceAddress(peer, .public) == nil {
            throw ValidationError("Expected an address such as 24:0A:C4:00:01:10, got '\(peer)'.")
        }
    }

    func run() throws {
        let environment = Environment.process
        let output = Output(environment)
        let command = self
        try PeerSession.run(central, environment, output) { session in
            let bonds = try await session.central.bonds()
            guard !command.list else {
                return try command.show(bonds, knowsKeys: session.central.abilities.contains(.keySize), output)
            }
            for bond in try command.wanted(among: bonds) {
                try await session.central.forget(bond.identity)
                output.data("forgot \(bond.identity)\n")
            }
        }
    }

    private func wanted(among bonds: [BondedPeer]) throws(CommandFailure) -> [BondedPeer] {
        if all { return bonds }
        var wanted: [BondedPeer] = []
        for peer in peers {
            let value = DeviceAddress(peer, .public)?.value
            let found = bonds.filter { $0.identity.value == value }
            guard !found.isEmpty else {
                throw CommandFailure(.noPeer, "there is no bond with \(peer.uppercased())", code: "central.noBond")
            }
            wanted += found
        }
        return wanted
    }

    private func show(_ bonds: [BondedPeer], knowsKeys: Bool, _ output: Output) throws {
        if json {
            let records = bonds.map { bond in
                Record(
                    peer: "\(bond.identity)", addressType: "\(bond.identity.kind)",
                    isAuthenticated: knowsKeys ? bond.isAuthenticated : nil,
                    isSecureConnections: knowsKeys ? bond.isSecureConnections : nil,
                    keySize: bond.keySize > 0 ? bond.keySize : nil)
            }
            return output.data(try JSONLine.text(records) + "\n")
        }
        for bond in bonds {
            let kind = bond.isSecureConnections ? "LE Secure Connections" : "LE legacy pairing"
            let mitm = bond.isAuthenticated ? "authenticated" : "not authenticated"
            output.data("\(bond.identity)\(knowsKeys ? "  \(mitm), \(kind)" : "")\n")
        }
        if bonds.isEmpty { output.note("there are no bonds") }
    }
}
