public import BLECore
internal import BLEHost
package import BLEPackets
package import BenchExecutor
internal import MonotonicTime

/// espbench's own host in the peripheral role: a ``BLEPeripheral`` on a controller, either on the virtual air or
/// connected over H4.
public actor HCIPeripheral: PeripheralBackend {
    /// The bench's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Time limit of ``close()`` for the ends of the connections, and for the controller's reset.
    private static let endTimeout = Duration.seconds(1)

    let executor: BenchExecutor
    private let transport: any HCITransport
    private let behaviour: HostBehaviour
    private let name: String

    private var peripheral: BLEPeripheral?
    var handlers = PeripheralHandlers()
    var centrals: [ConnectionHandle: RemoteCentral] = [:]
    var subscriptions: [AttributePath: [ConnectionHandle: ClientConfiguration]] = [:]
    /// The connections with an unconfirmed indication: a bearer allows one at a time (Core 5.4, Vol 3 Part F 3.3.2).
    var unconfirmed: Set<ConnectionHandle> = []
    /// True if a call of ``notify(_:of:to:)`` has returned false since the last `roomAvailable`.
    private var isAwaitingRoom = false
    /// True while centrals can use the peripheral: not while starting or closing.
    private var isPublished = false
    /// Finished when the last connection ends.
    var allGone: AsyncStream<Void>.Continuation?
    /// The error that ended the transport.
    private var loss: PeripheralError?

    /// A peripheral that is off.
    ///
    /// - Parameters:
    ///   - transport: the transport to a controller without another host, e.g. from `Radio.attach(address:)`.
    ///   - behaviour: the behaviour where the specification leaves a choice.
    ///   - name: the name of the controller, for errors.
    package init(
        on transport: any HCITransport, executor: BenchExecutor, behaviour: HostBehaviour = .specification,
        name: String = "controller"
    ) {
        self.transport = transport
        self.executor = executor
        self.behaviour = behaviour
        self.name = name
    }

    /// The controller's public address; `nil` while nothing is published.
    public var address: DeviceAddress? {
        get async { await peripheral?.address }
    }

    // MARK: Publishing

    /// Resets the controller, registers the services and starts advertising.
    ///
    /// - Throws: ``PeripheralError``: `invalidDefinition`, `unavailable` without the controller; `HostError` if the
    ///   controller cannot be initialized.
    public func publish(_ definition: PeripheralDefinition, _ handlers: PeripheralHandlers) async throws {
        try definition.checkForBackend()
        await close()
        transport.setLossHandler { [weak self] reason in self?.assumeIsolated { $0.lost(reason) } }
        if let loss { throw loss }
        self.handlers = handlers
        let peripheral = try BLEPeripheral(
            relaying(definition), behaviour: behaviour, on: transport, executor: executor)
        self.peripheral = peripheral
        do {
            try await peripheral.start()
        } catch {
            if self.peripheral === peripheral { forget() }
            throw loss ?? error
        }
        isPublished = self.peripheral === peripheral
    }

    /// Ends advertising and the connections, and resets the controller; returns once this is done.
    public func close() async {
        guard let peripheral else { return }
        isPublished = false
        await peripheral.leave()
        await wait(within: Self.endTimeout) { ended in
            // Send the values of the last handler first.
            if centrals.isEmpty { ended.finish() } else { allGone = ended }
        }
        allGone = nil
        guard self.peripheral === peripheral else { return }
        forget()
        await peripheral.stop()
        // After the answer to the reset, no packet is on its way to the controller.
        await wait(within: Self.endTimeout) { ended in
            transport.setReceiver { packet in
                if packet.isCommandComplete(of: .reset) { ended.finish() }
            }
        }
        transport.setReceiver { _ in }
    }

    /// Calls `begin`, and waits until it has finished the continuation.
    private func wait(within timeout: Duration, _ begin: (AsyncStream<Void>.Continuation) -> Void) async {
        let (stream, ended) = AsyncStream.makeStream(of: Void.self)
        begin(ended)
        let timer = executor.schedule(at: executor.now.advanced(by: timeout)) { ended.finish() }
        for await _ in stream {}
        executor.cancel(timer)
    }

    private func forget() {
        peripheral = nil
        centrals = [:]
        subscriptions = [:]
        unconfirmed = []
        isAwaitingRoom = false
        isPublished = false
        allGone?.finish()
    }

    private func lost(_ reason: String) {
        let error = PeripheralError(.unavailable, "\(name): \(reason)")
        loss = error
        let peripheral = peripheral
        failed(error)
        // Ends a waiting call of ``publish(_:_:)``.
        peripheral?.assumeIsolated { $0.stop() }
    }

    // MARK: Values

    /// Stores a value without notifying centrals; on the bench's executor.
    public nonisolated func setValue(_ value: [UInt8], of attribute: AttributePath) throws(PeripheralError) {
        try assumeIsolated { backend in
            Result { () throws(PeripheralError) in
                let (peripheral, handle) = try backend.find(attribute)
                try peripheral.assumeIsolated { peripheral in
                    Result { () throws(PeripheralError) in try peripheral.setValue(value, of: handle) }
                }.get()
            }
        }.get()
    }

    /// Sends a value to subscribed centrals; on the bench's executor.
    @discardableResult
    public nonisolated func notify(
        _ value: [UInt8], of attribute: AttributePath, to central: RemoteCentral?
    ) throws(PeripheralError) -> Bool {
        try assumeIsolated { backend in
            Result { () throws(PeripheralError) in try backend.send(value, of: attribute, to: central) }
        }.get()
    }

    private func find(_ path: AttributePath) throws(PeripheralError) -> (BLEPeripheral, handle: UInt16) {
        guard let peripheral, isPublished else { throw PeripheralError(.stopped, "\(name): nothing is published") }
        guard let handle = peripheral.attributes.places[path] else {
            throw PeripheralError(
                .noSuchAttribute, "\(peripheral.definition.name): expected an attribute at \(path), which it lacks")
        }
        return (peripheral, handle)
    }

    private func send(
        _ value: [UInt8], of path: AttributePath, to central: RemoteCentral?
    ) throws(PeripheralError) -> Bool {
        let (peripheral, handle) = try find(path)
        let isIndication = try peripheral.definition.checkNotification(value, of: path)
        let kind: ClientConfiguration = isIndication ? .indications : .notifications
        var targets: [ConnectionHandle] = []
        for (connection, configuration) in subscriptions[path] ?? [:]
        where configuration.contains(kind) && (central == nil || centrals[connection] == central) {
            targets.append(connection)
        }
        targets.sort()
        guard !isIndication || unconfirmed.isDisjoint(with: targets) else {
            isAwaitingRoom = true
            return false
        }
        if isIndication { unconfirmed.formUnion(targets) }
        let unsent: [ConnectionHandle]? = peripheral.assumeIsolated { peripheral in
            // Ask all connections: each one without room reports it later.
            guard targets.count(where: { !peripheral.hasRoom(on: $0) }) == 0 else { return nil }
            return targets.filter { !peripheral.send(value, of: handle, isIndication: isIndication, to: $0) }
        }
        if isIndication { unconfirmed.subtract(unsent ?? targets) }
        isAwaitingRoom = isAwaitingRoom || unsent == nil
        return unsent != nil
    }

    /// Reports that there may be room again.
    func roomChanged() {
        guard isAwaitingRoom else { return }
        isAwaitingRoom = false
        handlers.onEvent(.roomAvailable)
    }

    /// The controller is no longer available, or the host has stopped; a waiting ``publish(_:_:)`` throws this error.
    func failed(_ error: any Error) {
        let wasPublished = isPublished
        forget()
        if wasPublished { handlers.onEvent(.failed(error)) }
    }
}
