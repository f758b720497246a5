import BLECore
import BLEHost

/// A database with one characteristic for each behaviour; its handles are the constants. The first user handle is
/// 0x000E.
struct GATTServerFixture {
    /// READ, no callbacks; its value is set by tests.
    static let plain: UInt16 = 0x0010
    /// READ, with callbacks.
    static let observed: UInt16 = 0x0012
    /// WRITE, with callbacks, at most 20 bytes.
    static let command: UInt16 = 0x0014
    /// READ | NOTIFY | INDICATE, with callbacks; the configuration follows it.
    static let both: UInt16 = 0x0016
    static let bothConfiguration: UInt16 = 0x0017
    /// Descriptors of ``both``.
    static let userDescription: UInt16 = 0x0018
    static let presentationFormat: UInt16 = 0x0019
    /// INDICATE.
    static let indicating: UInt16 = 0x001B
    static let indicatingConfiguration: UInt16 = 0x001C
    /// READ | WRITE with every protection, in the order of the enumeration.
    static let protected: [(handle: UInt16, need: Need)] = [
        (0x001E, .encryption), (0x0020, .authentication), (0x0022, .authorization),
    ]
    /// READ_ENC without READ, WRITE_ENC without WRITE.
    static let inaccessible: UInt16 = 0x0024

    enum Need {
        case encryption, authentication, authorization
    }

    static func board(_ behaviour: HostBehaviour = .nimble) throws -> GATTServerBoard {
        var builder = GATTDatabaseBuilder(deviceName: "Fixture")
        let service = builder.addService(.uuid16(0xAA00))
        builder.addCharacteristic(.uuid16(0xAA01), to: service, properties: .read)
        builder.addCharacteristic(.uuid16(0xAA02), to: service, properties: .read, value: [1], hasCallbacks: true)
        builder.addCharacteristic(
            .uuid16(0xAA03), to: service, properties: .write, maximumLength: 20, hasCallbacks: true)
        let both = builder.addCharacteristic(
            .uuid16(0xAA04), to: service, properties: [.read, .notify, .indicate], value: [0xB0], hasCallbacks: true)
        builder.addDescriptor(.uuid16(0x2901), to: both, properties: .read, value: Array("both kinds".utf8))
        builder.addDescriptor(
            .uuid16(0x2904), to: both, properties: .read, value: [0x04, 0, 0, 0x27, 1, 0, 0])
        builder.addCharacteristic(.uuid16(0xAA05), to: service, properties: .indicate, value: [0xC0])
        let needs: [GATTProperties] = [
            [.readEncrypted, .writeEncrypted], [.readAuthenticated, .writeAuthenticated],
            [.readAuthorized, .writeAuthorized],
        ]
        for need in needs {
            builder.addCharacteristic(
                .uuid16(0xAA06), to: service, properties: need.union([.read, .write]), value: [0xD0])
        }
        builder.addCharacteristic(.uuid16(0xAA07), to: service, properties: [.readEncrypted, .writeEncrypted])
        let board = GATTServerBoard(try builder.register(), behaviour)
        board.server.connect(0)
        return board
    }
}
