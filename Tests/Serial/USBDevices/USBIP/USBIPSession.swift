internal import ByteCodec
internal import Inbox
internal import TCP

/// One connection of a ``USBIPServer``: a list of the devices, or one imported device.
struct USBIPSession {
    /// The most unread answers before the host is cut off.
    private static let unreadLimit = 8 << 20

    private let id: UInt64
    private let connection: TCPConnection
    private let inbox: TCPInbox
    private let stations: [USBStation]
    private var buffer: [UInt8] = []
    private var imported: USBStation?

    init(id: UInt64, _ connection: TCPConnection, _ inbox: TCPInbox, _ stations: [USBStation]) {
        self.id = id
        self.connection = connection
        self.inbox = inbox
        self.stations = stations
    }

    /// Serves the host; returns why it ended.
    mutating func run() async -> String {
        do {
            while true {
                if imported == nil {
                    try await operation()
                } else {
                    try await command()
                }
            }
        } catch let error as TCPError {
            return error.detail
        } catch {
            return "\(error)"
        }
    }

    /// Gives the device back.
    func end() async {
        await imported?.detach(id)
    }

    private mutating func take(_ count: Int) async throws -> ArraySlice<UInt8> {
        try await fill(count)
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))[...]
    }

    private mutating func fill(_ count: Int) async throws {
        while buffer.count < count { buffer += try await inbox.read(upTo: 65_536, within: nil) }
    }

    // MARK: Before the import

    private mutating func operation() async throws {
        switch try USBIP.operation(try await take(USBIP.operationLength)) {
        case USBIP.requestDeviceList: try await list()
        case USBIP.requestImport: try await importDevice(try await take(USBIP.busIDLength))
        case let code:
            throw CodecError(
                "USB/IP operation",
                .invalidValue(field: "code", value: UInt64(code), allowed: "0x8003 or 0x8005"), offset: 2)
        }
    }

    private func list() async throws {
        var devices = ByteWriter()
        var count: UInt32 = 0
        for station in stations where await station.isPluggedIn {
            let (descriptors, configured) = await station.identity
            USBIP.writeDevice(descriptors, at: station.place, configured: configured, to: &devices)
            for interface in descriptors.interfaces {
                for byte in interface.triple + [0] { devices.uint8(byte) }
            }
            count += 1
        }
        var reply = USBIP.reply(USBIP.replyDeviceList, status: 0)
        reply.uint32BigEndian(count)
        try await connection.send(reply.bytes + devices.bytes)
    }

    private mutating func importDevice(_ field: ArraySlice<UInt8>) async throws {
        let busID = String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
        do throws(StationError) {
            guard let station = stations.first(where: { $0.place.busID == busID }) else { throw .unknown(busID) }
            let (connection, limit) = (connection, Self.unreadLimit)
            try await station.attach(
                USBStation.Host(id: id) { completions in
                    for completion in completions {
                        connection.post(USBIP.returnSubmit(completion), limit: limit)
                    }
                } disconnect: {
                    connection.close(because: "the device was unplugged")
                })
            imported = station
            var reply = USBIP.reply(USBIP.replyImport, status: 0)
            let (descriptors, configured) = await station.identity
            USBIP.writeDevice(descriptors, at: station.place, configured: configured, to: &reply)
            connection.post(reply.bytes, limit: limit)
        } catch {
            // 1: not available; 2: in use; 4: no such device.
            let status: UInt32 =
                switch error {
                case .unplugged: 1
                case .busy: 2
                case .unknown: 4
                }
            try await connection.send(USBIP.reply(USBIP.replyImport, status: status).bytes)
            throw error
        }
    }

    // MARK: After the import

    private mutating func command() async throws {
        try await fill(USBIP.headerLength)
        let length = USBIP.headerLength + (try USBIP.dataLength(buffer[..<USBIP.headerLength]))
        let command = try USBIP.command(try await take(length))
        guard let imported else { return }
        switch command {
        case .submit(let urb):
            await imported.submit(urb, from: id)
        case .unlink(let id, let target):
            let wasWaiting = await imported.unlink(target, from: self.id)
            connection.post(USBIP.returnUnlink(id: id, wasWaiting: wasWaiting), limit: Self.unreadLimit)
        }
    }
}
