import BLECentral
import BLECentralHCI
import BLECore
import ByteCodec
import Testing

/// Our central and the peripheral of `locked.py`.
struct LockedPeer: Sendable {
    typealias Method = PairingInteropTests.Method

    /// The peripheral's identity of the central, once they are bonded.
    private static let identity = "F0:F1:F2:F3:F4:F5"
    private static let insufficientEncryption: UInt8 = 0x0F

    let script: BumbleScript
    let central: HCICentral
    private let events: CentralEvents
    private let bench: InteropBench
    private let isPrivate: Bool

    init(on bench: InteropBench, isPrivate: Bool = false) async throws {
        self.bench = bench
        self.isPrivate = isPrivate
        script = try BumbleScript("locked", [bench.port, isPrivate ? "private" : "open"])
        (central, events) = try await bench.central()
        try await script.wait(for: "ready")
    }

    /// Connects with both sides configured for `method`.
    func connect(
        _ method: Method, orders: [String] = [], keySizes: ClosedRange<Int> = 7...16, isBonded: Bool = false
    ) async throws -> ConnectionID {
        var security = method.security
        security.keySizes = keySizes
        security.privacy = isPrivate
        try await central.setSecurity(security)
        for order in orders { script.send(order) }
        script.send("advertise")
        try await script.wait(for: "ready")
        let found = try await bench.find("Locked", central, events)
        let connection = try await central.connectAndAccept(to: found.peer, within: .seconds(10))
        let line = try await script.next("connected ")
        if !isPrivate {
            #expect(line == "\(Self.identity) False")
        } else if isBonded {
            #expect(line == "\(Self.identity) True")
        } else {
            #expect((4...7).contains(line.first?.hexDigitValue ?? 0), "expected a resolvable address: \(line)")
        }
        return connection
    }

    /// Disconnects.
    func leave(_ connection: ConnectionID) async throws {
        try await central.disconnect(connection)
        try await script.wait(for: "disconnected 19")
    }

    /// Pairs; `typed` maps the displayed number to the entered one, `nil`: refusal.
    func pair(
        _ method: Method, _ connection: ConnectionID, peripheralAsks: Bool = false,
        typed: @Sendable (UInt32) -> UInt32? = { $0 }
    ) async throws -> LinkSecurity {
        if peripheralAsks {
            script.send("request")
            _ = try await events.next { $0 == .securityRequested(connection) ? true : nil }
        }
        async let security = central.pair(connection)
        do {
            try await answer(method, connection, typed)
        } catch {
            // This ends the pairing.
            try? await central.disconnect(connection)
            throw error
        }
        return try await security
    }

    private func answer(
        _ method: Method, _ connection: ConnectionID, _ typed: (UInt32) -> UInt32?
    ) async throws {
        if method.isJustWorks { return }
        let input = try await events.next { event -> PairingInput? in
            if case .pairingInput(connection, let input) = event { input } else { nil }
        }
        let answer: PairingAnswer
        switch method {
        case .justWorks, .legacyJustWorks: return
        case .peripheralShows, .legacyPeripheralShows:
            #expect(input == .enterPasskey)
            let shown = try #require(UInt32(try await script.next("shows ")))
            answer = typed(shown).map { .passkey($0) } ?? .cancel
        case .centralShows, .legacyCentralShows:
            #expect(input == .displayPasskey)
            script.send("\(typed(1234) ?? 0)")
            answer = .passkey(1234)
        case .compare:
            let shown = try #require(UInt32(try await script.next("shows ")))
            #expect(input == .compareNumbers(shown))
            // Ours first: after a refusal of the peer the answer is no longer awaited.
            try await central.answerPairing(.confirm(typed(shown) != nil), on: connection)
            return script.send("\(typed(shown) ?? shown)")
        case .outOfBand, .legacyOutOfBand:
            #expect(input == .outOfBand)
            script.send("tell")
            let values = try await script.next("told ").split(separator: " ").compactMap { Hexadecimal.bytes($0) }
            answer =
                method == .outOfBand
                ? .outOfBand(local: nil, remote: OutOfBandValue(confirm: values[0], random: values[1]))
                : .temporaryKey(values[0])
        }
        try await central.answerPairing(answer, on: connection)
    }

    /// The error of a pairing by `method`.
    func failure(
        of method: Method, orders: [String] = [], keySizes: ClosedRange<Int> = 7...16,
        typed: @escaping @Sendable (UInt32) -> UInt32? = { $0 }
    ) async throws -> CentralError.Code? {
        let connection = try await connect(method, orders: ["method \(method.rawValue)"] + orders, keySizes: keySizes)
        let error = await #expect(throws: CentralError.self) { try await pair(method, connection, typed: typed) }
        try await leave(connection)
        return error?.code
    }

    /// Pairs, reads the protected value, and repeats this with the bond on the next connection.
    func pairAndComeBack(by method: Method, peripheralAsks: Bool) async throws {
        var connection = try await connect(method, orders: ["method \(method.rawValue)"])
        let values = try await central.discoverServices(on: connection)
            .flatMap(\.characteristics).filter { [BLEUUID(0xA001), BLEUUID(0xA002)].contains($0.uuid) }.map(\.value)
        try #require(values.count == 2)
        await refused(values[0], on: connection, Self.insufficientEncryption)
        let expected = LinkSecurity(
            isEncrypted: true, isAuthenticated: method.isAuthenticated, isBonded: true, keySize: 16)
        #expect(try await pair(method, connection, peripheralAsks: peripheralAsks) == expected, "\(method)")
        let paired = try await script.next("paired ")
        func python(_ value: Bool) -> String { value ? "True" : "False" }
        #expect(paired == "\(python(!method.isLegacy)) \(python(method.isAuthenticated)) True", "\(method)")
        try await read(values, method, connection)
        let bonds = try await central.bonds()
        #expect(bonds.count == 1)
        #expect(bonds.first?.isAuthenticated == method.isAuthenticated)
        #expect(bonds.first?.isSecureConnections == !method.isLegacy)
        #expect(bonds.first?.hasIdentityKey == true)
        script.send("bonded")
        try await script.wait(for: "ready")
        try await leave(connection)

        connection = try await connect(method, isBonded: true)
        await refused(values[0], on: connection, Self.insufficientEncryption)
        if peripheralAsks {
            script.send("request")
            _ = try await events.next { $0 == .securityRequested(connection) ? true : nil }
        }
        #expect(try await central.encrypt(connection) == expected, "\(method)")
        try await script.wait(for: "encrypted")
        try await read(values, method, connection)
        try await leave(connection)
        for bond in bonds { try await central.forget(bond.identity) }
        script.send("forget")
        try await script.wait(for: "ready")
    }

    private func read(_ values: [AttributeID], _ method: Method, _ connection: ConnectionID) async throws {
        #expect(try await central.read(values[0], on: connection) == Array("shut".utf8))
        // Bumble treats every negotiated key as authenticated.
        #expect(try await central.read(values[1], on: connection) == Array("locked".utf8))
    }

    private func refused(_ value: AttributeID, on connection: ConnectionID, _ code: UInt8) async {
        let error = await #expect(throws: CentralError.self) { try await central.read(value, on: connection) }
        #expect(error?.code == .attError(code))
    }
}
