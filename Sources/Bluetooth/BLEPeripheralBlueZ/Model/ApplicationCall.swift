import BLECentralBlueZ
package import BLEPackets
package import BLEPeripheral
package import DBus

/// A call of bluetoothd to an object of the published peripheral (BlueZ's doc/gatt-api.txt, doc/advertising-api.txt).
package enum ApplicationCall: Hashable {
    case managedObjects
    /// All properties of the advertisement.
    case advertisementProperties
    /// bluetoothd has stopped advertising.
    case released
    case read(AttributePath, offset: Int, device: String)
    case write([UInt8], AttributePath, offset: Int, device: String)
    /// bluetoothd asks whether a device may prepare a write.
    case authorize(AttributePath)
    case startNotify(AttributePath)
    case stopNotify(AttributePath)
    /// A central has confirmed an indication.
    case confirmed(AttributePath)

    /// - Throws: the error to answer with, for an unknown method or object, or arguments of other types.
    package init(_ call: DBusMessage, of objects: PublishedObjects) throws(CallRefusal) {
        switch (call.path, call.interface, call.member) {
        case (PublishedObjects.root, BlueZ.objectManager, "GetManagedObjects"): self = .managedObjects
        case (PublishedObjects.advertisement, BlueZ.properties, "GetAll"):
            guard call.body.first?.text == BlueZ.advertisement else { throw .invalid(call, "s, an interface it has") }
            self = .advertisementProperties
        case (PublishedObjects.advertisement, BlueZ.advertisement, "Release"): self = .released
        default:
            guard let path = call.path, let attribute = objects.attributes[path],
                call.interface == (attribute.descriptor == nil ? BlueZ.characteristic : BlueZ.descriptor)
            else { throw .unknown(call) }
            self = try Self.access(call, attribute)
        }
    }

    private static func access(_ call: DBusMessage, _ attribute: AttributePath) throws(CallRefusal) -> ApplicationCall {
        switch (call.member, attribute.descriptor) {
        case ("ReadValue", _):
            guard call.body.count == 1, let options = Options(call.body[0]) else { throw .invalid(call, "a{sv}") }
            return .read(attribute, offset: options.offset, device: options.device)
        case ("WriteValue", _):
            guard call.body.count == 2, let value = call.body[0].octets, let options = Options(call.body[1]) else {
                throw .invalid(call, "aya{sv}")
            }
            if options.isAuthorization { return .authorize(attribute) }
            return .write(value, attribute, offset: options.offset, device: options.device)
        case ("StartNotify", nil): return .startNotify(attribute)
        case ("StopNotify", nil): return .stopNotify(attribute)
        case ("Confirm", nil): return .confirmed(attribute)
        default: throw .unknown(call)
        }
    }

    /// The options of an access.
    private struct Options {
        var offset = 0
        var device = ""
        var isAuthorization = false

        /// `nil` for a value that is not a dictionary, or an option of another type.
        init?(_ value: DBusValue) {
            guard let members = value.members else { return nil }
            if let value = members["offset"] {
                guard case .uint16(let number) = value else { return nil }
                offset = Int(number)
            }
            if let value = members["device"] {
                guard case .objectPath(let path) = value else { return nil }
                device = path
            }
            if let value = members["prepare-authorize"] {
                guard case .boolean(let flag) = value else { return nil }
                isAuthorization = flag
            }
        }
    }
}

/// The error with which a call is answered.
package struct CallRefusal: Error, Hashable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    static func invalid(_ call: DBusMessage, _ expected: String) -> CallRefusal {
        CallRefusal(
            "org.freedesktop.DBus.Error.InvalidArgs",
            "\(call.name): expected the arguments \(expected), got \(call.signature)")
    }

    static func unknown(_ call: DBusMessage) -> CallRefusal {
        CallRefusal("org.freedesktop.DBus.Error.UnknownMethod", "no method \(call.name) of \(call.path ?? "?")")
    }

    /// The error that bluetoothd translates to `code`. For most codes no such error exists: bluetoothd then sends
    /// Unlikely Error (0x0E).
    package init(_ code: ATTErrorCode) {
        let name =
            switch code {
            case .readNotPermitted, .writeNotPermitted: BlueZ.Fault.notPermitted
            case .requestNotSupported: BlueZ.Fault.notSupported
            case .invalidOffset: BlueZ.Fault.invalidOffset
            case .insufficientAuthorization: BlueZ.Fault.notAuthorized
            case .invalidAttributeValueLength: BlueZ.Fault.invalidValueLength
            case .procedureAlreadyInProgress: BlueZ.Fault.inProgress
            default: BlueZ.Fault.failed
            }
        // bluetoothd reads the code of an application error, 0x80 to 0x9F, from the message of the error Failed.
        self.init(name, name == BlueZ.Fault.failed ? "0x\(String(code.rawValue, radix: 16))" : "\(code)")
    }

    /// The answer to an access whose handler threw `error`.
    package init(_ error: any Error) {
        self = error as? CallRefusal ?? CallRefusal(error as? ATTErrorCode ?? .unlikelyError)
    }
}
