#if canImport(CoreBluetooth)
    internal import CoreBluetooth
    import Foundation

    /// One call of CoreBluetooth's delegates.
    // SAFETY: made and handled within one call on the central's queue, where CoreBluetooth's objects are used.
    enum CoreBluetoothEvent: @unchecked Sendable {
        case stateChanged
        case discovered(CBPeripheral, [String: Any], rssi: Int)
        case connected(CBPeripheral)
        case failedToConnect(CBPeripheral, (any Error)?)
        case disconnected(CBPeripheral, (any Error)?)
        case servicesChanged(CBPeripheral, [CBService])
        case value(CBPeripheral, CBCharacteristic, (any Error)?)
        case rssi(CBPeripheral, Int, (any Error)?)
        case readyToWrite(CBPeripheral)
        case finished(CBPeripheral, CoreBluetoothRequest, (any Error)?)
    }

    /// Passes CoreBluetooth's calls to the central.
    final class CoreBluetoothDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
        // SAFETY: set once, before CoreBluetooth knows the delegate; weak references are read atomically.
        nonisolated(unsafe) private weak var central: CoreBluetoothCentral?

        init(_ central: CoreBluetoothCentral) {
            self.central = central
            super.init()
        }

        private func pass(_ event: CoreBluetoothEvent) {
            central?.assumeIsolated { $0.handle(event) }
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) { pass(.stateChanged) }

        func centralManager(
            _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any], rssi RSSI: NSNumber
        ) {
            pass(.discovered(peripheral, advertisementData, rssi: RSSI.intValue))
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            pass(.connected(peripheral))
        }

        func centralManager(
            _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
        ) {
            pass(.failedToConnect(peripheral, error))
        }

        func centralManager(
            _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
        ) {
            pass(.disconnected(peripheral, error))
        }

        func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
            pass(.servicesChanged(peripheral, invalidatedServices))
        }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            pass(.finished(peripheral, .services, error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
        ) {
            pass(.finished(peripheral, .characteristics(ObjectIdentifier(service)), error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            pass(.finished(peripheral, .descriptors(ObjectIdentifier(characteristic)), error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
        ) {
            pass(.value(peripheral, characteristic, error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
        ) {
            pass(.finished(peripheral, .read(ObjectIdentifier(descriptor)), error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
        ) {
            pass(.finished(peripheral, .write(ObjectIdentifier(characteristic)), error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
        ) {
            pass(.finished(peripheral, .write(ObjectIdentifier(descriptor)), error))
        }

        func peripheral(
            _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            pass(.finished(peripheral, .subscription(ObjectIdentifier(characteristic)), error))
        }

        func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
            pass(.rssi(peripheral, RSSI.intValue, error))
        }

        func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
            pass(.readyToWrite(peripheral))
        }
    }
#endif
