import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import MonotonicTime
import Testing

/// A radio medium, hosts with raw HCI, and a clock that the test advances.
final class AirBench {
    let air: Air
    private(set) var now = MonotonicInstant.zero
    private var received: [[HCIPacket]] = []
    private var buffer: [(ControllerID, HCIPacket)] = []

    init(seed: UInt64 = 1) {
        air = Air(seed: seed)
    }

    static func address(_ number: Int) -> DeviceAddress {
        DeviceAddress(0x24_0A_C4_00_00_00 + UInt64(number), .public)
    }

    /// A controller whose host has unmasked every event of a 4.2 controller but the enhanced one.
    func add(_ personality: ControllerPersonality = .esp32, txPower: Int8 = 3) -> ControllerID {
        let id = air.addController(
            address: Self.address(received.count), personality: personality, txPower: txPower)
        received.append([])
        send(HCISetEventMask(mask: 0x3DBF_F807_FFFB_FFFF), from: id)
        send(HCILESetEventMask(mask: 0x7F), from: id)
        _ = take(id)
        return id
    }

    func send(_ command: some HCICommand, from id: ControllerID) {
        send(command.packet, from: id)
    }

    func send(_ packet: HCIPacket, from id: ControllerID) {
        air.receive(packet, from: id, now: now)
        collect()
    }

    func sendACL(
        _ payload: [UInt8], handle: UInt16 = 0, boundary: HCIACLHeader.Boundary = .firstNonFlushable,
        from id: ControllerID
    ) {
        send(
            .acl(handle: handle, boundary: boundary, capacity: payload.count) { $0.append(payload) }, from: id)
    }

    /// - Parameter isLate: whether the air gets all of the time at once, as on a busy machine.
    func run(for duration: Duration, isLate: Bool = false) {
        now = now.advanced(by: duration)
        air.advance(to: now, dropsLateReports: isLate)
        collect()
    }

    func collect() {
        air.drainOutput(&buffer)
        for (id, packet) in buffer {
            received[id.rawValue].append(packet)
        }
        buffer.removeAll()
    }

    /// The packets to the host of a controller since the last call.
    func take(_ id: ControllerID) -> [HCIPacket] {
        defer { received[id.rawValue] = [] }
        return received[id.rawValue]
    }

    /// The events of one kind among the packets to a host; the rest is discarded.
    func take<Event: HCIEvent>(_ event: Event.Type, _ id: ControllerID) throws -> [Event] {
        try take(id).filter { $0.kind == .event }.map { try HCIAnyEvent(decoding: $0.bytes[...]) }
            .filter { $0.code == Event.code && $0.subevent == Event.subevent }.map { try Event($0) }
    }

    /// The ACL data among the packets to a host; the rest is discarded.
    func drainACL(_ id: ControllerID) throws -> [(header: HCIACLHeader, payload: [UInt8])] {
        try take(id).filter { $0.kind == .acl }.map {
            let (header, payload) = try HCIACLHeader.decode($0.bytes)
            return (header, Array(payload))
        }
    }

    /// The status of the answer to one command.
    func status(_ command: some HCICommand, from id: ControllerID) throws -> HCIErrorCode {
        _ = take(id)
        send(command, from: id)
        let packets = take(id)
        let event = try HCIAnyEvent(decoding: #require(packets.first).bytes[...])
        if event.code == .commandStatus { return try HCICommandStatus(event).status }
        return try #require(try HCICommandComplete(event).status)
    }

    /// The return parameters of the answer to one command.
    func answer<Command: HCICommand>(_ command: Command, from id: ControllerID) throws -> Command.ReturnParameters {
        _ = take(id)
        send(command, from: id)
        let complete = try #require(try take(HCICommandComplete.self, id).first)
        #expect(complete.command == Command.opcode)
        return try complete.returnParameters(of: Command.self)
    }

    // MARK: Usual sequences

    static func advertisingParameters(
        _ type: HCIAdvertisingType = .connectable, interval: UInt16 = 0x30, filterPolicy: UInt8 = 0,
        ownAddressType: HCIOwnAddressType = .public, peer: DeviceAddress = address(0)
    ) -> HCILESetAdvertisingParameters {
        HCILESetAdvertisingParameters(
            minimumInterval: interval, maximumInterval: interval, type: type, ownAddressType: ownAddressType,
            peerAddress: peer, channelMap: 7, filterPolicy: filterPolicy)
    }

    func advertise(
        _ id: ControllerID, _ parameters: HCILESetAdvertisingParameters = AirBench.advertisingParameters(),
        data: [UInt8] = [0x02, 0x01, 0x06], scanResponse: [UInt8] = [0x03, 0x09, 0x41, 0x42]
    ) throws {
        #expect(try status(parameters, from: id) == .success)
        #expect(try status(HCILESetAdvertisingData(data: data[...]), from: id) == .success)
        #expect(try status(HCILESetScanResponseData(data: scanResponse[...]), from: id) == .success)
        #expect(try status(HCILESetAdvertisingEnable(isEnabled: true), from: id) == .success)
    }

    func scan(
        _ id: ControllerID, active: Bool = true, filterDuplicates: Bool = true, policy: UInt8 = 0,
        interval: UInt16 = 0x10, window: UInt16 = 0x10
    ) throws {
        let parameters = HCILESetScanParameters(
            isActive: active, interval: interval, window: window, ownAddressType: .public, filterPolicy: policy)
        #expect(try status(parameters, from: id) == .success)
        #expect(
            try status(HCILESetScanEnable(isEnabled: true, filterDuplicates: filterDuplicates), from: id) == .success)
    }

    static func connection(
        to peer: DeviceAddress, usesFilterAcceptList: Bool = false, interval: UInt16 = 24, latency: UInt16 = 0,
        timeout: UInt16 = 42
    ) -> HCILECreateConnection {
        HCILECreateConnection(
            scanInterval: 0x60, scanWindow: 0x60, usesFilterAcceptList: usesFilterAcceptList, peerAddress: peer,
            ownAddressType: .public,
            parameters: HCIConnectionParameters(
                minimumInterval: interval, maximumInterval: interval, latency: latency, supervisionTimeout: timeout))
    }

    /// Connects two controllers, which have no connection yet; both handles are 0.
    func connect(
        _ central: ControllerID, _ peripheral: ControllerID, interval: UInt16 = 24, latency: UInt16 = 0,
        timeout: UInt16 = 42
    ) throws {
        try advertise(peripheral)
        let command = Self.connection(
            to: Self.address(peripheral.rawValue), interval: interval, latency: latency, timeout: timeout)
        #expect(try status(command, from: central) == .success)
        run(for: .milliseconds(200))
        #expect(try take(HCILEConnectionComplete.self, central).map(\.status) == [.success])
        #expect(try take(HCILEConnectionComplete.self, peripheral).map(\.status) == [.success])
    }
}

extension AirBench {
    /// A controller whose host has unmasked every event of a 5.0 controller.
    func addModern(_ personality: ControllerPersonality = .extended) -> ControllerID {
        let id = add(personality)
        send(HCILESetEventMask(mask: 0xF_FFFF), from: id)
        _ = take(id)
        return id
    }
}
