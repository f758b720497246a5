import BLECore
import BLEHost
import BLEPackets
import BLEPeripheral
internal import CFirmwareChannel
import ESPImage
import MonotonicTime

/// The board's Bluetooth: connects a peripheral with NimBLE's behaviour to the sketch's NimBLE API. The sketch's calls
/// and callbacks are messages of the firmware channel.
///
/// NimBLE's host is one task, in which the sketch's callbacks run: the task does nothing else until a callback has
/// returned. Meanwhile the controller's packets and the host's deadlines wait, in order, and the controller keeps the
/// links. Only answers to commands are passed on, as in NimBLE, where the sender of a command waits for its answer. The
/// task also waits while it writes its store: the next packets, such as the response to a subscription, are sent when
/// the record is in flash.
///
/// A state machine without clock or radio: the owner passes packets and time, and sends every ``nextOutput()``.
final class NimBLEBridge {
    /// The handle of the GAP service's device name, in NimBLE's layout.
    private static let deviceNameHandle: UInt16 = 3

    let runtime: FirmwareRuntime
    let peripheral = PeripheralHost(.nimble)
    let store: NimBLEBondStore
    var deviceName = ""
    var preferredMTU = 255
    var isStarting = false
    /// The callbacks that the sketch has set, by attribute handle.
    var callbacks: [UInt16: Int] = [:]
    /// The connections as last reported to the sketch.
    var reportedConnections: [ConnectionInfo] = []
    /// The callback whose result the server waits for.
    private var pendingToken: GATTCallbackToken?
    private var tokenNumber: UInt32 = 0
    /// The number of free buffers last reported to the sketch.
    var knownBlocks = 0
    /// The attributes of notifications that were not sent, until the owner takes them.
    var refusals: [UInt16] = []
    /// The callbacks from which the sketch has not returned, oldest first.
    private var openCallbacks: [Int] = []
    /// True if the sketch has returned from all callbacks.
    var hasReturned: Bool { openCallbacks.isEmpty }
    /// The attributes whose subscribers must be notified.
    var scheduledNotifications: [UInt16] = []
    /// NimBLE's `BLE_SM_MAX_PROCS`.
    var maximumPairings = 1
    /// The reply to a call that changes the store: sent when the host has written it.
    private var replyWhenStored: Int32?

    init(runtime: FirmwareRuntime, storage: BoardStorage) {
        self.runtime = runtime
        store = NimBLEBondStore(storage)
        // The reply comes before the packets that were received while the store was written.
        peripheral.isTaskBusy = { [unowned self] now in !isIdle(now) || replyWhenStored != nil }
    }

    var host: Host { peripheral.host }

    /// NimBLE's pool of buffers.
    var pool: NimBLEBuffers { host.pool ?? NimBLEBuffers() }

    /// `nil` until the sketch has started Bluetooth.
    var server: GATTServer? { peripheral.server }

    // MARK: Owner's side

    /// Receives a packet from the controller.
    func receive(_ packet: HCIPacket, now: MonotonicInstant) {
        peripheral.receive(packet, now: now)
        pump(now)
    }

    /// True while the host's task writes its store.
    private func isStoring(_ now: MonotonicInstant) -> Bool { store.writesCompleted.map { $0 > now } ?? false }

    /// True if the host's task waits for events.
    private func isIdle(_ now: MonotonicInstant) -> Bool { openCallbacks.isEmpty && !isStoring(now) }

    /// The time at which ``advance(to:)`` must be called next.
    var nextDeadline: MonotonicInstant? {
        store.writesCompleted ?? (openCallbacks.isEmpty ? peripheral.nextDeadline : nil)
    }

    /// Handles the deadlines at `now`.
    func advance(to now: MonotonicInstant) {
        if !isStoring(now) { store.writesCompleted = nil }
        if isIdle(now) { peripheral.advance(to: now) }
        pump(now)
    }

    /// The next packet for the controller; `nil` if there is none.
    func nextOutput() -> HCIPacket? { peripheral.nextOutput() }

    func pump(_ now: MonotonicInstant) {
        while !isStoring(now) {
            guard let event = peripheral.nextEvent(now: now) else {
                guard let status = replyWhenStored else { return }
                replyWhenStored = nil
                runtime.reply(status: status)
                continue
            }
            switch event {
            case .host(let event): handle(event, now)
            case .server(let action): perform(action, now)
            }
        }
    }

    /// Answers a call that changes the store.
    func replyWhenStored(status: Int32) { replyWhenStored = status }

    // MARK: The sketch's calls

    /// Handles a call of the sketch; returns false if the message is not a Bluetooth call.
    func handle(_ message: FirmwareMessage, now: MonotonicInstant) -> Bool {
        switch message.type {
        case CFC_BLE_INIT: start(now)
        case CFC_BLE_DEINIT:
            for connection in host.connections { try? host.disconnect(connection.handle, now: now) }
            if host.isReady { try? host.stopAdvertising(now: now) }
            runtime.reply()
        case CFC_BLE_NAME:
            deviceName = String(decoding: message.payload, as: UTF8.self)
            server?.setValue(message.payload, of: Self.deviceNameHandle)
        case CFC_BLE_PREFERRED_MTU:
            guard let number = message.fields(cfc_number.self), (23...527).contains(number.value) else { break }
            preferredMTU = Int(number.value)
            server?.setPreferredMTU(preferredMTU)
        case CFC_GATT_REGISTER: register(message, now)
        case CFC_GATT_CALLBACKS:
            guard let fields = message.fields(cfc_gatt_callbacks.self) else { break }
            callbacks[fields.attribute] = Int(fields.mask)
            server?.setHasCallbacks(fields.mask != 0, of: fields.attribute)
        case CFC_GATT_VALUE:
            guard let fields = message.fields(cfc_gatt_value.self) else { break }
            server?.setValue(Array(message.tail(after: cfc_gatt_value.self)), of: fields.attribute)
        case CFC_GATT_NOTIFY: notifyCounted(message, now)
        case CFC_GATT_NOTIFY_CALL: answerNotification(message, now)
        case CFC_CALLBACK_DONE:
            callbackReturned(message.fields(cfc_callback_done.self)?.token ?? 0, now)
            return true
        default:
            guard handleConnectionCall(message, now) || handleSecurityCall(message, now) else { return false }
        }
        pump(now)
        return true
    }

    private func start(_ now: MonotonicInstant) {
        do throws(NVSError) {
            // NimBLE-Arduino does not start its host without storage.
            try store.load(now: now)
        } catch {
            return runtime.reply(status: NimBLEStatus.controller)
        }
        isStarting = true
        // Callbacks of a former start ended with the task of that start's host.
        openCallbacks = []
        scheduledNotifications = []
        replyWhenStored = nil
        pendingToken = nil
        runtime.blocksToTell = { [unowned self] in blocksToTell() }
        host.setBonds(store.bonds)
        host.setIdentityKey(store.identityKey)
        peripheral.start(now: now)
        // Removes all services, also those of a former start: clients find nothing.
        setDatabase(GATTDatabase(), now)
    }

    // MARK: Callbacks

    /// Sends the sketch a message that it answers with `CFC_CALLBACK_DONE`.
    func call<Fields: BitwiseCopyable>(
        _ type: Int, _ fields: Fields, tail: ArraySlice<UInt8> = [], now: MonotonicInstant
    ) {
        openCallbacks.append(type)
        limitPairings()
        runtime.send(type, fields, tail: tail, now: now)
    }

    /// The sketch has returned from its oldest callback: the host continues until the next callback.
    private func callbackReturned(_ number: UInt32, _ now: MonotonicInstant) {
        if !openCallbacks.isEmpty { openCallbacks.removeFirst() }
        limitPairings()
        if number == tokenNumber, let token = pendingToken {
            pendingToken = nil
            server?.resume(token, now: now)
        }
        sendScheduledNotifications(now)
        pump(now)
        if let deadline = nextDeadline, deadline <= now { advance(to: now) }
    }

    /// NimBLE frees a procedure of its Security Manager when the callback for its end has returned.
    func limitPairings() {
        host.maximumPairings = maximumPairings - (openCallbacks.first == CFC_BLE_ENCRYPTION ? 1 : 0)
    }

    /// Stores the token of the callback that the server waits for; returns the number with which the sketch confirms
    /// it, or 0 if the server does not wait.
    func wait(for token: GATTCallbackToken?) -> UInt32 {
        guard let token else { return 0 }
        pendingToken = token
        tokenNumber = max(1, tokenNumber &+ 1)
        return tokenNumber
    }

    /// Reports an event of a connection to the sketch. `security`: the current security if `info` was read earlier.
    func send(
        _ type: Int, _ info: ConnectionInfo, security: LinkSecurity? = nil, value: Int32 = 0, detail: Int = 0,
        token: UInt32 = 0, _ now: MonotonicInstant
    ) {
        if let place = reportedConnections.firstIndex(where: { $0.handle == info.handle }) {
            reportedConnections[place] = info
        }
        let event = cfc_connection_event(
            token: token, value: value,
            connection: cfc_connection(info, security ?? info.security, mtu: server?.mtu(of: info.handle)),
            detail: UInt32(detail))
        call(type, event, now: now)
    }

    /// Reports a changed security or identity of a connection to the sketch: a client may write before the keys are
    /// exchanged, but only then does NimBLE report the link as authenticated.
    func reportLinkState(_ handle: UInt16, _ now: MonotonicInstant) {
        guard let info = host.connection(handle),
            let place = reportedConnections.firstIndex(where: { $0.handle == handle }),
            reportedConnections[place].security != info.security || reportedConnections[place].identity != info.identity
        else { return }
        send(CFC_BLE_LINK_STATE, info, now)
    }
}
