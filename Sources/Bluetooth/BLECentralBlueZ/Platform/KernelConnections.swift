import BLECore
import Glibc

/// The connections that the kernel has, whatever bluetoothd says of them. Everybody may ask for them.
enum KernelConnections {
    /// BTPROTO_HCI, the request HCIGETCONNLIST, and the states BT_CONNECT and BT_CONNECT2, of Linux.
    private static let hciProtocol: Int32 = 1
    private static let request: UInt = 0x8004_48D4
    private static let connecting: Set<UInt16> = [5, 6]

    /// `struct hci_conn_list_req` of Linux: the controller's number, room for connections, and the connections, of 16
    /// bytes each.
    private enum Layout {
        static let headerSize = 4
        static let entrySize = 16
        static let capacity = 64
        static let addressOffset = 2
        static let stateOffset = 10
    }

    /// Whether the controller `index` (0 is hci0) still has a connection to `address`; `nil` where the kernel does not say.
    static func contains(_ address: DeviceAddress, on index: UInt16) -> Bool? {
        let descriptor = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), hciProtocol)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var list = [UInt8](repeating: 0, count: Layout.headerSize + Layout.capacity * Layout.entrySize)
        list.withUnsafeMutableBytes { list in
            list.storeBytes(of: index, as: UInt16.self)
            list.storeBytes(of: UInt16(Layout.capacity), toByteOffset: 2, as: UInt16.self)
        }
        let status = list.withUnsafeMutableBytes { list in
            list.baseAddress.map { ioctl(descriptor, request, $0) } ?? -1
        }
        guard status == 0 else { return nil }
        return list.withUnsafeBytes { list in
            let count = min(Int(list.loadUnaligned(fromByteOffset: 2, as: UInt16.self)), Layout.capacity)
            return (0..<count).contains { number in
                let start = Layout.headerSize + number * Layout.entrySize
                let state = list.loadUnaligned(fromByteOffset: start + Layout.stateOffset, as: UInt16.self)
                let first = start + Layout.addressOffset
                let value = list[first..<first + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) }
                return value == address.value && !connecting.contains(state)
            }
        }
    }
}
