internal import BLECore
import Glibc

/// The kernel's connections, which may differ from bluetoothd's. Any process may list them.
enum KernelConnections {
    /// BTPROTO_HCI, the request HCIGETCONNLIST, and the states BT_CONNECT, BT_CONNECT2 and BT_DISCONN, of Linux.
    private static let hciProtocol: Int32 = 1
    private static let request: UInt = 0x8004_48D4
    private static let connecting: Set<UInt16> = [5, 6]
    private static let disconnecting: UInt16 = 8

    /// `struct hci_conn_list_req` of Linux: the controller's number, the capacity for connections, and the connections,
    /// of 16 bytes each.
    private enum Layout {
        static let headerSize = 4
        static let entrySize = 16
        static let capacity = 64
        static let addressOffset = 2
        static let stateOffset = 10
    }

    /// A connection, as the kernel knows it.
    struct Connection {
        var handle: UInt16
        /// True if the kernel has told the controller to disconnect, which may take as long as the supervision
        /// time-out.
        var isEnding: Bool
    }

    /// The connection that the controller `index` (0 is hci0) has to `address`; `nil` if it has none, or the kernel
    /// does not answer.
    static func connection(to address: DeviceAddress, on index: UInt16) -> Connection? {
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
            for number in 0..<count {
                let start = Layout.headerSize + number * Layout.entrySize
                let state = list.loadUnaligned(fromByteOffset: start + Layout.stateOffset, as: UInt16.self)
                let first = start + Layout.addressOffset
                let value = list[first..<first + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) }
                if value == address.value, !connecting.contains(state) {
                    let handle = list.loadUnaligned(fromByteOffset: start, as: UInt16.self)
                    return Connection(handle: handle, isEnding: state == disconnecting)
                }
            }
            return nil
        }
    }

    /// Ends a connection with an HCI command that bypasses the kernel's state; returns whether the kernel has accepted
    /// the command, which requires CAP_NET_RAW.
    static func end(_ handle: UInt16, on index: UInt16) -> Bool {
        guard let socket = BluetoothSocket(.raw, of: index) else { return false }
        // HCI Disconnect, with the reason Remote User Terminated Connection (Core 5.4, Vol 4 Part E 7.1.6).
        return socket.send([0x01, 0x06, 0x04, 0x03, UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8), 0x13])
    }
}
