public import BLECore

/// Names a peer of one backend: by its address with its kind on stacks that show it, else by the name that the stack
/// gives (a UUID of CoreBluetooth, an object path of BlueZ).
///
/// Only equality means something; which of the two it is, ``Advertisement/address`` says.
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

    /// The peer that the stack names so.
    public init(opaque name: String) {
        self.name = .opaque(name)
    }

    /// The address that it was made from; `nil` on stacks that hide addresses.
    public var address: DeviceAddress? {
        if case .address(let address) = name { address } else { nil }
    }
}

extension PeerID: CustomStringConvertible {
    /// The address, or the stack's name.
    public var description: String {
        switch name {
        case .address(let address): address.description
        case .opaque(let name): name
        }
    }
}

extension PeerID: Codable {
    private static let opaquePrefix = "opaque "

    /// Reads the text that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        if text.hasPrefix(Self.opaquePrefix) {
            self.init(opaque: String(text.dropFirst(Self.opaquePrefix.count)))
            return
        }
        let words = text.split(separator: " ", maxSplits: 1)
        let kind: DeviceAddress.Kind? = words.first == "public" ? .public : words.first == "random" ? .random : nil
        guard words.count == 2, let kind, let address = DeviceAddress(words[1], kind) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "peer: expected \"public ADDRESS\", \"random ADDRESS\" or \"opaque NAME\"")
        }
        self.init(address)
    }

    /// Writes one text: `public 24:0A:C4:00:01:10`, `random …`, or `opaque ` and the stack's name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch name {
        case .address(let address): try container.encode("\(address.kind) \(address)")
        case .opaque(let name): try container.encode(Self.opaquePrefix + name)
        }
    }
}
