// swift-format-ignore-file
// The part of CoreBluetooth's interface that BLECentralCoreBluetooth and BLEPeripheralCoreBluetooth use, without any
// function: for checking types on
// systems without the framework. Signatures are those of Apple's documentation (macOS 15). No target of the package has it.
import Dispatch
import Foundation

public let CBErrorDomain = "CBErrorDomain"
public let CBATTErrorDomain = "CBATTErrorDomain"
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"

public enum CBManagerState: Int, Sendable {
    case unknown, resetting, unsupported, unauthorized, poweredOff, poweredOn
}

public enum CBManagerAuthorization: Int, Sendable {
    case notDetermined, restricted, denied, allowedAlways
}

open class CBManager: NSObject {
    open var state: CBManagerState { fatalError() }
    open class var authorization: CBManagerAuthorization { fatalError() }
}

open class CBUUID: NSObject {
    open var data: Data { fatalError() }
    open var uuidString: String { fatalError() }
    public init(string theString: String) {}
    public init(data theData: Data) {}
}

open class CBPeer: NSObject {
    open var identifier: UUID { fatalError() }
}

open class CBAttribute: NSObject {
    open var uuid: CBUUID { fatalError() }
}

open class CBService: CBAttribute {
    weak open var peripheral: CBPeripheral? { nil }
    open var isPrimary: Bool { fatalError() }
    open var characteristics: [CBCharacteristic]? { fatalError() }
}

public struct CBCharacteristicProperties: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var broadcast: CBCharacteristicProperties { .init(rawValue: 0x01) }
    public static var read: CBCharacteristicProperties { .init(rawValue: 0x02) }
    public static var writeWithoutResponse: CBCharacteristicProperties { .init(rawValue: 0x04) }
    public static var write: CBCharacteristicProperties { .init(rawValue: 0x08) }
    public static var notify: CBCharacteristicProperties { .init(rawValue: 0x10) }
    public static var indicate: CBCharacteristicProperties { .init(rawValue: 0x20) }
    public static var authenticatedSignedWrites: CBCharacteristicProperties { .init(rawValue: 0x40) }
    public static var notifyEncryptionRequired: CBCharacteristicProperties { .init(rawValue: 0x100) }
    public static var indicateEncryptionRequired: CBCharacteristicProperties { .init(rawValue: 0x200) }
}

open class CBCharacteristic: CBAttribute {
    weak open var service: CBService? { nil }
    open var properties: CBCharacteristicProperties { fatalError() }
    open var value: Data? { fatalError() }
    open var descriptors: [CBDescriptor]? { fatalError() }
    open var isNotifying: Bool { fatalError() }
}

open class CBDescriptor: CBAttribute {
    weak open var characteristic: CBCharacteristic? { nil }
    open var value: Any? { fatalError() }
}

public enum CBCharacteristicWriteType: Int, Sendable {
    case withResponse, withoutResponse
}

public enum CBPeripheralState: Int, Sendable {
    case disconnected, connecting, connected, disconnecting
}

open class CBPeripheral: CBPeer {
    weak open var delegate: (any CBPeripheralDelegate)? {
        get { nil }
        set {}
    }
    open var name: String? { fatalError() }
    open var state: CBPeripheralState { fatalError() }
    open var services: [CBService]? { fatalError() }
    open var canSendWriteWithoutResponse: Bool { fatalError() }
    open func readRSSI() {}
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) {}
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {}
    open func readValue(for characteristic: CBCharacteristic) {}
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int { fatalError() }
    open func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {}
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {}
    open func discoverDescriptors(for characteristic: CBCharacteristic) {}
    open func readValue(for descriptor: CBDescriptor) {}
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) {}
}

open class CBCentralManager: CBManager {
    weak open var delegate: (any CBCentralManagerDelegate)? {
        get { nil }
        set {}
    }
    open var isScanning: Bool { fatalError() }
    public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {}
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] { fatalError() }
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {}
    open func stopScan() {}
    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {}
    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {}
}

public protocol CBCentralManagerDelegate: NSObjectProtocol {
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    // Optional in the framework.
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber)
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
}

// All optional in the framework; required here, so that a wrong signature is an error.
public protocol CBPeripheralDelegate: NSObjectProtocol {
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?)
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?)
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)
}

public struct CBError: Error {
    public enum Code: Int, Sendable {
        case unknown, invalidParameters, invalidHandle, notConnected, outOfSpace, operationCancelled,
            connectionTimeout, peripheralDisconnected, uuidNotAllowed, alreadyAdvertising, connectionFailed,
            connectionLimitReached, unkownDevice, operationNotSupported, peerRemovedPairingInformation,
            encryptionTimedOut, tooManyLEPairedDevices
    }
    public var code: Code { fatalError() }
}

// MARK: The peripheral role

open class CBCentral: CBPeer {
    open var maximumUpdateValueLength: Int { fatalError() }
}

public struct CBAttributePermissions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var readable: CBAttributePermissions { .init(rawValue: 0x01) }
    public static var writeable: CBAttributePermissions { .init(rawValue: 0x02) }
    public static var readEncryptionRequired: CBAttributePermissions { .init(rawValue: 0x04) }
    public static var writeEncryptionRequired: CBAttributePermissions { .init(rawValue: 0x08) }
}

open class CBMutableService: CBService {
    public init(type UUID: CBUUID, primary isPrimary: Bool) {}
    override open var characteristics: [CBCharacteristic]? {
        get { fatalError() }
        set {}
    }
}

open class CBMutableCharacteristic: CBCharacteristic {
    public init(
        type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?, permissions: CBAttributePermissions
    ) {}
    override open var descriptors: [CBDescriptor]? {
        get { fatalError() }
        set {}
    }
}

open class CBMutableDescriptor: CBDescriptor {
    public init(type UUID: CBUUID, value: Any?) {}
}

// Swift's form of the Objective-C structure of an error: `.success` is one of them.
public struct CBATTError: Error {
    public enum Code: Int, Sendable {
        case success = 0x00
        case invalidHandle = 0x01
        case readNotPermitted = 0x02
        case writeNotPermitted = 0x03
        case invalidOffset = 0x07
        case invalidAttributeValueLength = 0x0D
        case unlikelyError = 0x0E
    }
}

open class CBATTRequest: NSObject {
    open var central: CBCentral { fatalError() }
    open var characteristic: CBCharacteristic { fatalError() }
    open var offset: Int { fatalError() }
    open var value: Data?
}

open class CBPeripheralManager: CBManager {
    weak open var delegate: (any CBPeripheralManagerDelegate)? {
        get { nil }
        set {}
    }
    open var isAdvertising: Bool { fatalError() }
    public init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {}
    open func startAdvertising(_ advertisementData: [String: Any]?) {}
    open func stopAdvertising() {}
    open func add(_ service: CBMutableService) {}
    open func removeAllServices() {}
    open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {}
    open func updateValue(
        _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool { fatalError() }
}

// All but the first are optional in the framework; required here, so that a wrong signature is an error.
public protocol CBPeripheralManagerDelegate: NSObjectProtocol {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)
    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)
    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic)
    func peripheralManager(
        _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic)
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)
}
