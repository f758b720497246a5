import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
internal import CFirmwareChannel
import MonotonicTime

/// The sketch's services, and the actions of the GATT server.
extension NimBLEBridge {
    func register(_ message: FirmwareMessage, _ now: MonotonicInstant) {
        guard let header = message.fields(cfc_gatt_register.self) else { return }
        let size = MemoryLayout<cfc_attribute>.size
        let entries = message.tail(after: cfc_gatt_register.self)
        let count = min(Int(header.count), entries.count / size)
        let attributes = (0..<count).map { index in
            entries.dropFirst(index * size).withUnsafeBytes { $0.loadUnaligned(as: cfc_attribute.self) }
        }
        do {
            let registration = try GATTRegistration(attributes, deviceName: deviceName)
            setDatabase(registration.database, now)
            runtime.reply(registration.handles.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        } catch {
            runtime.reply(status: NimBLEStatus.noMemory)
        }
    }

    func setDatabase(_ database: GATTDatabase, _ now: MonotonicInstant) {
        peripheral.setDatabase(database, preferredMTU: preferredMTU, now: now) { server in
            server.hasMTUCallback = true
            configure(server)
            server.setStored(store.subscriptions, features: store.features)
        }
        callbacks = [:]
    }

    /// Configures a server with the sketch's build flags and settings.
    func configure(_ server: GATTServer) {
        server.maximumStoredSubscriptions = store.maximumSubscriptions
        server.maximumStoredFeatures = store.maximumFeatures
        server.isSecureConnectionsOnly = host.security.secureConnectionsOnly
    }

    /// Sends a value; returns NimBLE's status.
    @discardableResult
    func notify(_ message: FirmwareMessage, _ now: MonotonicInstant) -> GATTSendStatus {
        guard let server, let fields = message.fields(cfc_gatt_notify.self) else { return .noEntry }
        guard fields.connection != UInt16(CFC_NO_CONNECTION) else {
            scheduledNotifications.append(fields.attribute)
            sendScheduledNotifications(now)
            return .success
        }
        let status = server.sendUnreported(
            fields.has_value != 0 ? Array(message.tail(after: cfc_gatt_notify.self)) : nil, of: fields.attribute,
            isIndication: fields.indicate != 0, to: fields.connection, now: now)
        if status != .success { refusals.append(fields.attribute) }
        return status
    }

    /// `ble_hs_notifications_sched`: the host's task sends the notifications when its callback has returned.
    func sendScheduledNotifications(_ now: MonotonicInstant) {
        guard let server, server.isInCallback || hasReturned else { return }
        let scheduled = scheduledNotifications
        scheduledNotifications = []
        for attribute in scheduled { server.notifySubscribers(of: attribute, now: now) }
    }

    /// `CFC_GATT_NOTIFY` without a reply: the sketch has counted the required blocks itself.
    func notifyCounted(_ message: FirmwareMessage, _ now: MonotonicInstant) {
        notify(message, now)
        guard let fields = message.fields(cfc_gatt_notify.self), fields.connection != UInt16(CFC_NO_CONNECTION) else {
            return
        }
        let length =
            fields.has_value != 0
            ? message.payload.count - MemoryLayout<cfc_gatt_notify>.size
            : server?.value(of: fields.attribute)?.count ?? 0
        knownBlocks -= pool.count(forNotificationOf: length)
    }

    /// `CFC_GATT_NOTIFY_CALL`
    func answerNotification(_ message: FirmwareMessage, _ now: MonotonicInstant) {
        let status = notify(message, now)
        pump(now)
        knownBlocks = freeBlocks
        runtime.reply(
            status: Int32(truncatingIfNeeded: status.rawValue), withBytes(of: cfc_number(value: Int32(knownBlocks))))
    }

    /// The blocks of NimBLE's pool that are free.
    private var freeBlocks: Int { server?.freeBuffers ?? pool.count }

    /// The number of free blocks to report to the sketch before a turn; `nil` when the last reported number is still
    /// sufficient.
    func blocksToTell() -> Int32? {
        let free = freeBlocks
        guard free < knownBlocks || free > knownBlocks && knownBlocks * 2 <= pool.count else { return nil }
        knownBlocks = free
        return Int32(free)
    }

    func perform(_ action: GATTServerAction, _ now: MonotonicInstant) {
        switch action {
        case .readRequested(let token, let handle, let connection):
            if has(CFC_ON_READ, handle) {
                send(CFC_GATT_READ, token, handle, connection, now)
            } else {
                server?.resume(token, now: now)
            }
        case .written(let token, let handle, let connection, let value):
            send(CFC_GATT_WRITE, token, handle, connection, tail: value[...], now)
        case .subscribed(let token, let handle, let connection, let value):
            if has(CFC_ON_SUBSCRIBE, handle) {
                send(CFC_GATT_SUBSCRIBE, token, handle, connection, value: Int32(value), now)
            } else if let token {
                server?.resume(token, now: now)
            }
        case .mtuChanged(let token, let connection, let mtu):
            if let info = host.connection(connection) {
                send(CFC_BLE_MTU, info, value: Int32(mtu), token: wait(for: token), now)
            } else if let token {
                server?.resume(token, now: now)
            }
        case .sent(let handle, let connection, let status):
            guard has(CFC_ON_STATUS, handle) else { return }
            send(CFC_GATT_STATUS, nil, handle, connection, value: Int32(truncatingIfNeeded: status.rawValue), now)
        case .subscriptionsStored:
            guard let server else { return }
            store.save(server.storedSubscriptions, server.storedFeatures, now: now)
        case .send, .disconnect, .closed, .startSecurity: break
        }
    }

    private func has(_ callback: Int, _ handle: UInt16) -> Bool {
        callbacks[handle, default: 0] & callback != 0
    }

    private func send(
        _ type: Int, _ token: GATTCallbackToken?, _ handle: UInt16, _ connection: UInt16, value: Int32 = 0,
        tail: ArraySlice<UInt8> = [], _ now: MonotonicInstant
    ) {
        let event = cfc_gatt_event(
            token: wait(for: token), connection: connection, attribute: handle, value: value, reserved: 0)
        call(type, event, tail: tail, now: now)
    }
}

/// The registration of a sketch's services: the database, and a handle for each entry of the sketch's list.
struct GATTRegistration {
    let database: GATTDatabase
    let handles: [UInt16]

    private enum Entry {
        case service(GATTServiceID)
        case characteristic(GATTCharacteristicID)
        case descriptor(GATTDescriptorID)
        /// The list has an invalid UUID, or an entry without its parent.
        case unusable
    }

    /// Registers `attributes`: each service followed by its characteristics, each characteristic by its descriptors.
    init(_ attributes: [cfc_attribute], deviceName: String) throws(GATTDatabaseError) {
        var builder = GATTDatabaseBuilder(deviceName: deviceName)
        var service: GATTServiceID?
        var characteristic: GATTCharacteristicID?
        let entries = attributes.map { attribute -> Entry in
            let uuid = withUnsafeBytes(of: attribute.uuid) { Array($0.prefix(Int(attribute.uuid_length))) }
            guard let type = AttributeType(littleEndian: uuid[...]) else { return .unusable }
            let length = Int(attribute.maximum_length)
            switch Int(attribute.kind) {
            case CFC_SERVICE:
                let added = builder.addService(type)
                service = added
                characteristic = nil
                return .service(added)
            case CFC_CHARACTERISTIC:
                guard let service else { return .unusable }
                let properties = GATTProperties(rawValue: attribute.properties)
                let added = builder.addCharacteristic(type, to: service, properties: properties, maximumLength: length)
                characteristic = added
                return .characteristic(added)
            case CFC_DESCRIPTOR:
                guard let characteristic else { return .unusable }
                let properties = GATTProperties(descriptorFlags: attribute.properties)
                return .descriptor(
                    builder.addDescriptor(type, to: characteristic, properties: properties, maximumLength: length))
            default: return .unusable
            }
        }
        let database = try builder.register()
        self.database = database
        handles = entries.map { entry in
            switch entry {
            case .service(let service): database.handle(of: service)
            case .characteristic(let characteristic): database.valueHandle(of: characteristic)
            case .descriptor(let descriptor): database.handle(of: descriptor) ?? 0
            case .unusable: 0
            }
        }
    }
}

extension GATTProperties {
    /// The permissions of a descriptor: NimBLE registers it with the flags of an attribute (`BLE_ATT_F_…`,
    /// `ble_gatt_dsc_def.att_flags`), not with those of a characteristic.
    init(descriptorFlags flags: UInt16) {
        let permissions: [GATTProperties] = [
            .read, .write, .readEncrypted, .readAuthenticated, .readAuthorized, .writeEncrypted, .writeAuthenticated,
            .writeAuthorized,
        ]
        self.init()
        for (bit, permission) in permissions.enumerated() where flags & 1 << bit != 0 { insert(permission) }
    }
}
