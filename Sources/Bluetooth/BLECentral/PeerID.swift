public import BLECore

/// Identifies a peer of a backend: by its address and address type if the stack exposes them, otherwise by the stack's
/// identifier (a UUID of CoreBluetooth, an object path of BlueZ).
///
/// Compare identifiers only for equality; ``Advertisement/address`` contains the address, if known.
public struct PeerID: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
        case address(DeviceAddress)
        case opaque(String)
    }

    private let name: Name

    /// The peer at an address.
    public init(_ address: DeviceAddress) {
        name = .address(address)
    }

    /// The peer with the stack's identifier `name`.
    public init(opaque name: String) {
        self.name = .opaque(name)
    }

    /// The address it was created from; `nil` on stacks that hide addresses.
    public var address: DeviceAddress? {
        if case .address(let address) = name { address } else { nil }
    }
}

extension PeerID: CustomStringConvertible {
    /// The address, or the stack's identifier.
    public var description: String {
        switch name {
        case .address(let address): address.description
        case .opaque(let name): name
        }
    }
}

extension PeerID: Codable {
    private static let opaquePrefix = "opaque "

    /// As text, e.g. for a file: `public 24:0A:C4:00:01:10`, `random …`, or `opaque ` and the stack's identifier.
    package var text: String {
        switch name {
        case .address(let address): "\(address.kind) \(address)"
        case .opaque(let name): Self.opaquePrefix + name
        }
    }

    /// Reads ``text``; `nil` if it is not the text of a peer.
    package init?(text: String) {
        if text.hasPrefix(Self.opaquePrefix) {
            self.init(opaque: String(text.dropFirst(Self.opaquePrefix.count)))
            return
        }
        let words = text.split(separator: " ", maxSplits: 1)
        let kind: DeviceAddress.Kind? = words.first == "public" ? .public : words.first == "random" ? .random : nil
        guard words.count == 2, let kind, let address = DeviceAddress(words[1], kind) else { return nil }
        self.init(address)
    }

    /// Decodes the text that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let peer = PeerID(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "peer: expected \"public ADDRESS\", \"random ADDRESS\" or \"opaque NAME\"")
        }
        self = peer
    }

    /// Encodes as text: `public 24:0A:C4:00:01:10`, `random …`, or `opaque ` and the stack's identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
