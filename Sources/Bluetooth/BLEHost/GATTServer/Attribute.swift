/// One attribute of a server's database; its handle is its index in the list, counted from 1.
struct Attribute: Sendable {
    /// How the attribute is read and written.
    enum Kind: Sendable, Equatable {
        /// A service or characteristic declaration: constant; reads ignore the offset, as in NimBLE.
        case declaration
        /// A characteristic value or descriptor.
        case value
        /// A client characteristic configuration: one value per connection, at this index of the connection's
        /// configurations.
        case clientConfiguration(slot: Int)
        /// The client supported features 0x2B29: one value per connection.
        case clientSupportedFeatures
    }

    var type: AttributeType
    var kind: Kind
    /// The permitted access.
    var properties: GATTProperties
    var value: [UInt8]
    /// The maximum length of the value, in bytes.
    var maximumLength: Int
    /// True if an access calls the application.
    var hasCallbacks: Bool
    /// For a characteristic value with a client configuration: the slot of that configuration.
    var configurationSlot: Int?
}
