/// One attribute of a server's database; its handle is its index in the list, counted from 1.
struct Attribute: Sendable {
    /// How the attribute is read and written.
    enum Kind: Sendable, Equatable {
        /// A service or characteristic declaration: constant; reads ignore the offset, as in NimBLE.
        case declaration
        /// A characteristic value or descriptor.
        case value
        /// A client characteristic configuration: a value per connection, at this index of its list.
        case clientConfiguration(slot: Int)
        /// The client supported features 0x2B29: a value per connection.
        case clientSupportedFeatures
    }

    var type: AttributeType
    var kind: Kind
    /// The access it permits.
    var properties: GATTProperties
    var value: [UInt8]
    /// The length of the longest value, in bytes.
    var maximumLength: Int
    /// True if the application is called on access.
    var hasCallbacks: Bool
    /// The place of its client configuration, for characteristic values that have one.
    var configurationSlot: Int?
}
