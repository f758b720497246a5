public import BLECentral
public import BLECore
internal import DBus

extension BlueZCentral {
    /// A call of the agent that waits for an answer.
    struct PairingCall {
        let call: DBusMessage
        let input: PairingInput
    }

    /// The maximum duration of a pairing: up to 30 s for the answer in each of a few steps (Core 5.4, Vol 3 Part H
    /// 3.4).
    private static let pairingTimeout = Duration.seconds(90)

    /// Configures pairing. BlueZ lets its clients choose only the input and output capabilities: it always bonds,
    /// requests MITM protection if the capabilities allow it, and uses LE Secure Connections if the peer supports them.
    ///
    /// - Throws: `unsupported` for another choice.
    public func setSecurity(_ security: CentralSecurity) async throws(CentralError) {
        guard !security.privacy else { throw CentralError(unsupported: .privacy, "set how to pair") }
        guard security.keySizes == CentralSecurity().keySizes else {
            throw CentralError(unsupported: .keySize, "set how to pair")
        }
        let hasMITM = security.mitm == (security.ioCapability != .noInputNoOutput)
        guard security.bonding, hasMITM, security.secureConnections == .preferred, !security.hasOutOfBandData,
            security.ioCapability.agentWord != nil
        else {
            throw CentralError(
                .unsupported(.pairingControl),
                """
                set how to pair: BlueZ only lets its clients choose the input and output capabilities; expected \
                bonding, MITM protection as far as they allow it, LE Secure Connections preferred, no out-of-band data
                """)
        }
        let isChanged = security.ioCapability != self.security.ioCapability
        self.security = security
        guard isChanged, session != nil else { return }
        try await call(
            "set how to pair", BlueZ.agentManagerPath, BlueZ.agentManager, "UnregisterAgent",
            [.objectPath(Self.agentPath)])
        try await registerAgent()
    }

    /// Registers this central's agent, which also answers for pairings started by BlueZ.
    func registerAgent() async throws(CentralError) {
        let capability = security.ioCapability.agentWord ?? "KeyboardDisplay"
        try await call(
            "register the pairing agent", BlueZ.agentManagerPath, BlueZ.agentManager, "RegisterAgent",
            [.objectPath(Self.agentPath), .string(capability)])
        try await call(
            "register the pairing agent", BlueZ.agentManagerPath, BlueZ.agentManager, "RequestDefaultAgent",
            [.objectPath(Self.agentPath)])
    }

    /// Pairs with a peer that is not bonded: BlueZ pairs again only after ``forget(_:)``.
    public func pair(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        let connection = try self.connection(connection)
        let operation: OperationName = "pair"
        try await enter(connection, operation)
        defer { leave(connection) }
        if connection.end == nil, let device = Device(tree, connection.path), device.isPaired {
            throw CentralError(
                .invalidState, "pair with \(device.address): expected no bond, BlueZ has one; forget it first")
        }
        connection.isPairing = true
        defer { connection.isPairing = false }
        connection.wasAuthenticated = false
        authenticatedDevices.remove(connection.path)
        connection.displayedPasskey = nil
        let message = DBusMessage(call: BlueZ.service, connection.path, BlueZ.device, "Pair")
        do throws(CentralError) {
            _ = try await perform(operation, on: connection, message, within: Self.pairingTimeout)
        } catch {
            pairingCalls[connection.path] = nil
            if !connection.abandoned.isEmpty { send(connection.path, BlueZ.device, "CancelPairing") }
            throw error
        }
        if connection.wasAuthenticated { authenticatedDevices.insert(connection.path) }
        if let device = Device(tree, connection.path) { securityChanged(device) }
        return connection.security
    }

    /// The security of a link to a bonded peer: the kernel encrypted the link before BlueZ reported the connection.
    ///
    /// - Throws: `notBonded`.
    public func encrypt(_ connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        let connection = try self.connection(connection)
        guard connection.security.isBonded else {
            throw CentralError(.notBonded, "encrypt: expected a bond with the peer, BlueZ has none")
        }
        return connection.security
    }

    /// The current security of a connection. BlueZ does not report the size of keys, nor if the key of another
    /// program's pairing is authenticated.
    public func security(of connection: ConnectionID) async throws(CentralError) -> LinkSecurity {
        try self.connection(connection).security
    }

    /// Reports the security of a device's connection if it has changed.
    func securityChanged(_ device: Device) {
        guard let connection = connection(path: device.path) else { return }
        let security = device.security(isAuthenticated: connection.wasAuthenticated)
        guard security != connection.security else { return }
        connection.security = security
        events.post(.securityChanged(connection.id, security))
    }

    // MARK: The agent

    /// Answers a pairing's request for user input.
    public func answerPairing(_ answer: PairingAnswer, on connection: ConnectionID) async throws(CentralError) {
        let connection = try self.connection(connection)
        guard let pending = pairingCalls[connection.path], let bus = session?.bus else {
            throw CentralError(.invalidState, "answer a pairing: expected BlueZ to wait for an answer, it does not")
        }
        guard let reply = AgentRequest.reply(answer, to: pending.input) else {
            throw CentralError(
                .invalidState, "answer a pairing: expected an answer to \(pending.input), got \(answer)")
        }
        pairingCalls[connection.path] = nil
        switch reply {
        case .success(let body):
            connection.wasAuthenticated = true
            bus.reply(to: pending.call, body)
        case .failure(let refusal):
            bus.reply(to: pending.call, error: refusal.name, "the pairing was refused")
            if !connection.isPairing { endAfterRefusal(connection) }
        }
    }

    /// Handles a call to the agent; returns false for any other call.
    func agentCalled(_ call: DBusMessage) -> Bool {
        guard let session, call.path == Self.agentPath, call.sender == session.owner,
            let request = AgentRequest(call)
        else { return false }
        let bus = session.bus
        switch request {
        case .input(let path, let input):
            guard let connection = connection(path: path) else {
                bus.reply(to: call, error: BlueZ.Fault.rejected, "espbench has no connection to \(path)")
                return true
            }
            pairingCalls[path] = PairingCall(call: call, input: input)
            events.post(.pairingInput(connection.id, input))
        case .displayed(let path, let passkey):
            bus.reply(to: call, [])
            // BlueZ repeats the call for each key pressed on the peer.
            guard let connection = connection(path: path), connection.displayedPasskey != passkey else { return true }
            connection.displayedPasskey = passkey
            connection.wasAuthenticated = true
            events.post(.passkeyDisplayed(connection.id, passkey))
        case .authorization(let path):
            if connection(path: path) != nil {
                bus.reply(to: call, [])
            } else {
                bus.reply(to: call, error: BlueZ.Fault.rejected, "espbench has no connection to \(path)")
            }
        case .unsupported:
            // Only BR/EDR uses PIN codes.
            bus.reply(to: call, error: BlueZ.Fault.rejected, "espbench pairs with LE only")
        case .cancelled:
            // The call does not name the device.
            pairingCalls = [:]
            bus.reply(to: call, [])
        case .released: bus.reply(to: call, [])
        }
        return true
    }

    // MARK: Bonds

    /// The bonded peers of the adapter; BlueZ reports neither their order nor the properties of their keys.
    public func bonds() async throws(CentralError) -> [BondedPeer] {
        let session = try currentSession("list bonds")
        return tree.paths(with: BlueZ.device, under: session.adapter + "/").compactMap { path in
            guard let device = Device(tree, path), device.isBonded else { return nil }
            return BondedPeer(
                identity: device.address, hasIdentityKey: false, isAuthenticated: false, isSecureConnections: false,
                keySize: 0)
        }
    }

    /// Deletes the bond with a peer, and all data of BlueZ about that peer, which ends its connection.
    public func forget(_ identity: DeviceAddress) async throws(CentralError) {
        let operation = "forget \(identity)"
        let session = try currentSession(operation.description)
        let path = Device.path(identity, on: session.adapter)
        authenticatedDevices.remove(path)
        guard Device(tree, path) != nil else { return }
        await settle(path)
        // Otherwise the kernel could keep the connection that it is about to end, and no program would know about it.
        _ = await awaitEnd(of: identity, path)
        do throws(CentralError) {
            try await call(
                operation, session.adapter, BlueZ.adapter, "RemoveDevice", [.objectPath(path)])
        } catch {
            guard error.detail.contains(BlueZ.Fault.doesNotExist) else { throw error }
        }
    }
}
