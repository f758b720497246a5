import BLECentral
import BLECentralBlueZ
public import BLEPeripheral
public import BenchExecutor
public import DBus
import MonotonicTime

/// BlueZ in the peripheral role: bluetoothd on this machine publishes services and an advertisement, over the system
/// bus (GattManager1, LEAdvertisingManager1).
///
/// An actor on the executor of a bench, which runs in real time.
public actor BlueZPeripheral: PeripheralBackend {
    /// The bench's executor, in real time.
    public nonisolated let executor: BenchExecutor

    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let adapterName: String?
    let address: DBusAddress
    let keepsBonds: Bool
    let powersOn: Bool
    var publication: Publication?
    /// The number of the publication: events for an earlier one are ignored.
    var number = 0
    /// The error that ended the last publication.
    var loss: CentralError?
    var tree = ObjectTree()

    /// A peripheral on an adapter of bluetoothd.
    ///
    /// - Parameters:
    ///   - executor: an executor in real time.
    ///   - adapter: e.g. `hci0`; `nil`: the first adapter that is powered on, or else the first.
    ///   - bus: the bus on which bluetoothd is.
    ///   - keepsBonds: true to keep, after ``close()``, the bonds that centrals have made in the meantime.
    ///   - powersOn: true to switch on an adapter that is off, until ``close()``; with false, such an adapter is an
    ///     error.
    public init(
        executor: BenchExecutor, adapter: String? = nil, bus: DBusAddress = .system, keepsBonds: Bool = false,
        powersOn: Bool = true
    ) {
        self.executor = executor
        adapterName = adapter
        address = bus
        self.keepsBonds = keepsBonds
        self.powersOn = powersOn
    }

    /// The adapter in use, e.g. `hci0`; `nil` while nothing is published.
    public var adapter: String? { publication.map { BlueZCentral.name($0.adapter) } }

    // MARK: Values

    /// Stores a value without notifying centrals; on the bench's executor.
    public nonisolated func setValue(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError) {
        try assumeIsolated { peripheral in
            Result { () throws(PeripheralError) in
                _ = try peripheral.published()
                try peripheral.publication?.objects.setValue(value, of: attribute)
            }
        }.get()
    }

    /// Sends a value to all subscribed centrals; on the bench's executor. bluetoothd cannot notify a single central.
    ///
    /// At most 32 values are on the way to bluetoothd, and one indication to the centrals. bluetoothd queues values for
    /// slow connections without a limit.
    @discardableResult
    public nonisolated func notify(
        _ value: [UInt8], of attribute: AttributePath, to central: RemoteCentral?
    ) throws(PeripheralError) -> Bool {
        try assumeIsolated { peripheral in
            Result { () throws(PeripheralError) in try peripheral.send(value, of: attribute, to: central) }
        }.get()
    }

    private func published() throws(PeripheralError) -> Publication {
        guard let publication, publication.isComplete else {
            throw PeripheralError(.stopped, "bluetoothd: nothing is published")
        }
        return publication
    }

    private func send(
        _ value: [UInt8], of path: AttributePath, to central: RemoteCentral?
    ) throws(PeripheralError) -> Bool {
        let current = try published()
        let isIndication = try current.objects.definition.checkNotification(value, of: path)
        if let central {
            throw PeripheralError(
                .unsupported, "bluetoothd notifies all subscribed centrals, and can not notify \(central) only")
        }
        guard current.subscribed.contains(path) else { return true }
        guard publication?.window.hasRoom() == true else { return false }
        if isIndication, !beginIndication(of: path) { return false }
        // Only to bluetoothd: other programs on the bus must not receive protected values.
        current.bus.emit(
            to: current.owner, PublishedObjects.objectPath(path), BlueZ.properties, "PropertiesChanged",
            [
                .string(BlueZ.characteristic),
                .dictionary(.string, .variant, [DBusValue.Entry(.string("Value"), .variant(.bytes(value)))]),
                .array(.string, []),
            ])
        if publication?.window.sent() == true { askForSign() }
        return true
    }

    /// Pings bluetoothd, which answers after it has handled the earlier messages.
    private func askForSign() {
        guard let publication else { return }
        let number = publication.number
        let ping = DBusMessage(call: publication.owner, BlueZ.root, BlueZ.peer, "Ping")
        publication.bus.call(ping, within: nil) { [weak self] _ in
            self?.assumeIsolated { $0.signCame(number) }
        }
    }

    private func signCame(_ number: Int) {
        guard publication?.number == number, let result = publication?.window.answered() else { return }
        if result.asks { askForSign() }
        if result.isRoomAvailable { publication?.handlers.onEvent(.roomAvailable) }
    }

    // MARK: Indications

    /// Time limit for a central's confirmation (Core 5.4, Vol 3 Part F 3.3.3); bluetoothd does not report a central
    /// that has disconnected without confirming.
    private static let confirmationTimeout = Duration.seconds(30)

    private func beginIndication(of path: AttributePath) -> Bool {
        guard publication?.indicated == nil else {
            publication?.isAwaitingConfirmation = true
            return false
        }
        let number = publication?.number
        publication?.indicated = path
        publication?.indicationTimer = executor.schedule(
            at: executor.now.advanced(by: Self.confirmationTimeout)
        ) { [weak self] in
            self?.assumeIsolated { if $0.publication?.number == number { $0.endIndication() } }
        }
        return true
    }

    /// The indication was confirmed, or no central is left to confirm it.
    func endIndication() {
        guard publication?.indicated != nil else { return }
        publication?.indicated = nil
        if let timer = publication?.indicationTimer { executor.cancel(timer) }
        publication?.indicationTimer = nil
        guard publication?.isAwaitingConfirmation == true else { return }
        publication?.isAwaitingConfirmation = false
        publication?.handlers.onEvent(.roomAvailable)
    }
}
