// swift-format-ignore-file
// The part of CoreBluetooth's interface that BLECentralCoreBluetooth uses, without any function: for checking types on
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
