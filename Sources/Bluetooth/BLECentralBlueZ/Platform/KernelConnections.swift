internal import BLECore
import Glibc

/// The kernel's connections, which may differ from bluetoothd's. Any process may list them.
enum KernelConnections {
    /// BTPROTO_HCI and the request HCIGETCONNLIST of Linux.
    private static let hciProtocol: Int32 = 1
    private static let request: UInt = 0x8004_48D4

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
        enum State {
            /// The kernel waits for an advertisement of the peer, or for the controller to make the connection.
            case connecting
            case open
            /// The kernel has told the controller to disconnect, which may take as long as the supervision time-out.
            case ending
        }

        var handle: UInt16
        var state: State

        /// Values of Linux: BT_CONNECT and BT_CONNECT2 are 5 and 6, BT_DISCONN is 8.
        fileprivate init(handle: UInt16, linuxState: UInt16) {
            self.handle = handle
            state = linuxState == 8 ? .ending : linuxState == 5 || linuxState == 6 ? .connecting : .open
        }
    }

    /// The connection that the controller `index` (0 is hci0) has to `address`, else the one that it tries to make;
    /// `nil` if there is neither, or the kernel does not answer.
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
            var attempt: Connection?
            for number in 0..<count {
                let start = Layout.headerSize + number * Layout.entrySize
                let state = list.loadUnaligned(fromByteOffset: start + Layout.stateOffset, as: UInt16.self)
                let first = start + Layout.addressOffset
                let value = list[first..<first + 6].reversed().reduce(0) { $0 << 8 | UInt64($1) }
                if value == address.value {
                    let handle = list.loadUnaligned(fromByteOffset: start, as: UInt16.self)
                    let connection = Connection(handle: handle, linuxState: state)
                    guard connection.state == .connecting else { return connection }
                    attempt = connection
                }
            }
            return attempt
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
