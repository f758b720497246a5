import BenchModel
import BLEAssignedNumbers
package import BLECentral
internal import BLEClients
package import BLECore
import CommandSupport

/// A peer as users name it: by its address, by the name or by a service that it advertises.
package enum PeerSelector: Hashable, Sendable, CustomStringConvertible {
    /// The peer's address or identity address, public or random.
    case address(UInt64)
    /// The peer's complete or shortened local name.
    case name(String)
    /// A service in the peer's advertisement.
    case service(BLEUUID)
    /// The stack's identifier of the peer, on stacks that hide addresses: a UUID of CoreBluetooth.
    case opaque(String)

    /// Reads `24:0A:C4:00:01:10`, `Servo Lock`, a UUID of 16 or 128 bits, `name:TEXT`, `service:UUID` or
    /// `service:NAME` with an assigned name.
    ///
    /// - Parameter hidesAddresses: whether the stack names peers by UUIDs.
    /// - Throws: ``CommandFailure`` for an empty name, or an unknown service.
    package init(_ text: String, hidesAddresses: Bool = false) throws(CommandFailure) {
        if let name = Self.rest(of: text, after: "name:") {
            self = .name(name)
        } else if let service = Self.rest(of: text, after: "service:") {
            self = .service(try Self.service(service))
        } else if let address = DeviceAddress(text, .public) {
            self = .address(address.value)
        } else if let uuid = BLEUUID(text), text.utf8.count == 4 || text.utf8.count == 36 {
            self = hidesAddresses && text.utf8.count == 36 ? .opaque(text.uppercased()) : .service(uuid)
        } else {
            self = .name(text)
        }
        guard self != .name("") else {
            throw CommandFailure(.usage, "expected a peer's address, name or service, got an empty text")
        }
    }

    private static func rest(of text: String, after prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    private static func service(_ text: String) throws(CommandFailure) -> BLEUUID {
        if let uuid = BLEUUID(text) { return uuid }
        let named = AssignedNumbers.services(named: text)
        guard named.count == 1, let uuid = named.first else {
            throw CommandFailure(
                .usage, "expected a service's UUID or assigned name, got '\(text)'", code: "central.uuid")
        }
        return uuid
    }

    /// True if the peer sent `advertisement`.
    package func matches(_ advertisement: Advertisement) -> Bool {
        switch self {
        case .address(let value):
            advertisement.address?.value == value || advertisement.identity?.value == value
        case .name(let name): advertisement.data.localName == name
        case .service(let uuid): advertisement.data.serviceUUIDs.contains(uuid)
        case .opaque(let name): "\(advertisement.peer)" == name
        }
    }

    /// False if it does not name the peer of `record`, which has no services.
    func mayName(_ record: RestorablePeripheral) -> Bool {
        switch self {
        case .address(let value): record.peer.address?.value == value || record.identity?.address?.value == value
        case .name(let name): record.name == name
        case .service: true
        case .opaque(let name): "\(record.peer)" == name
        }
    }

    /// The selector as text that follows "no peer".
    package var description: String {
        switch self {
        case .address(let value): "with the address \(DeviceAddress(value, .public))"
        case .name(let name): "named '\(name.printable)'"
        case .service(let uuid): "that advertises the service \(ServiceText.text(uuid))"
        case .opaque(let name): "\(name)"
        }
    }
}

/// A service's UUID, with its name if it has one.
enum ServiceText {
    static func text(_ uuid: BLEUUID) -> String {
        AssignedNumbers.service(uuid).map { "\(uuid) (\($0))" } ?? "\(uuid)"
    }
}

/// Waits for a peer among advertisements. A pure state machine.
package struct PeerSearch {
    private let peer: PeerSelector
    private var found: Advertisement?
    private var heard: [PeerID: Advertisement] = [:]

    /// A search for `peer`.
    package init(_ peer: PeerSelector) {
        self.peer = peer
    }

    /// Handles an advertisement; returns whether the search is over.
    package mutating func receive(_ advertisement: Advertisement) -> Bool {
        heard[advertisement.peer] = advertisement
        if peer.matches(advertisement) { found = advertisement }
        return found?.isConnectable == true
    }

    /// The peer.
    ///
    /// - Throws: ``CommandFailure`` with exit code `noPeer`, when the peer was not heard or accepts no connections.
    package func result(after time: Duration) throws(CommandFailure) -> Advertisement {
        guard let found else {
            throw CommandFailure(
                .noPeer, "no peer \(peer) was heard within \(time.brief)\(suggestion)\(others)", code: "central.noPeer")
        }
        guard found.isConnectable else {
            throw CommandFailure(
                .noPeer, "the peer \(peer) advertises, and accepts no connections", code: "central.notConnectable")
        }
        return found
    }

    private var suggestion: String {
        guard case .name(let name) = peer else { return "" }
        return Suggestion.text(for: name, in: heard.values.compactMap(\.data.localName).sorted())
    }

    /// The other peers, by their names if they have names.
    private var others: String {
        guard !heard.isEmpty else { return "; nothing else was, either" }
        let names = heard.values.map { $0.data.localName.map { "'\($0.printable)'" } ?? "\($0.peer)" }.sorted()
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        return "; heard: \(names.prefix(5).joined(separator: ", "))\(more)"
    }
}

/// A peer as one line of text.
enum PeerText {
    /// The peer's address, name and signal strength.
    static func line(_ advertisement: Advertisement) -> String {
        let name = advertisement.data.localName.map { "  \($0.printable)" } ?? ""
        return "\(advertisement.peer)\(name)  \(advertisement.rssi) dBm"
    }
}
