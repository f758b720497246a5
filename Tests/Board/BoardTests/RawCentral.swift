import BLECore
import BLEPackets
import BLERadio
import ByteCodec
import BenchExecutor
import Synchronization

/// A central without a host: the test sends raw HCI commands and data.
final class RawCentral: Sendable {
    private struct State {
        var handle: UInt16?
        /// The packets sent at Connection Complete.
        var greeting: (@Sendable (UInt16) -> [HCIPacket])?
        var connectionCount = 0
        /// L2CAP frames: channel and payload, in hexadecimal, as they were received.
        var frames: [[String]] = []
        var partial: [UInt8] = []
    }

    private let port: RadioPort
    private let bench: BoardBench
    private let state = Mutex(State())

    init(_ bench: BoardBench, _ number: UInt64 = 1) async throws {
        self.bench = bench
        port = await bench.radio.attach(address: DeviceAddress(0x0200_0000_0000 + number, .public))
        port.setReceiver { [weak self] packet in self?.receive(packet) }
        port.send(HCIReset().packet)
        port.send(HCISetEventMask(mask: 0x2000_8000_0200_8890).packet)
        port.send(HCILESetEventMask(mask: 0x1F).packet)
        try await bench.sleep(.milliseconds(10))
    }

    /// Disconnects, if connected, and connects again.
    func connect(to peer: DeviceAddress) async throws {
        try await leave()
        requestConnection(to: peer)
        try await bench.wait(for: "a connection") { state.withLock { $0.handle != nil } }
        // The board's host requests our version and features first.
        try await bench.sleep(.milliseconds(300))
        _ = drainFrames()
    }

    /// Disconnects, if connected.
    func leave() async throws {
        guard let handle = state.withLock({ $0.handle }) else { return }
        port.send(HCIDisconnect(handle: handle, reason: .remoteUserTerminatedConnection).packet)
        try await bench.wait(for: "the end of the connection") { state.withLock { $0.handle == nil } }
    }

    private func requestConnection(to peer: DeviceAddress) {
        port.send(
            HCILECreateConnection(
                scanInterval: 16, scanWindow: 16, usesFilterAcceptList: false, peerAddress: peer,
                ownAddressType: .public,
                parameters: HCIConnectionParameters(
                    minimumInterval: 6, maximumInterval: 6, latency: 0, supervisionTimeout: 200)
            ).packet)
    }

    /// Connects, and sends the packets that `greeting` builds for its handle at Connection Complete: long before the
    /// board's host requests version and features. A second call disconnects first.
    func connect(to peer: DeviceAddress, _ greeting: @escaping @Sendable (UInt16) -> [HCIPacket]) async throws {
        let former = state.withLock { state in
            state.greeting = greeting
            return state.connectionCount
        }
        try await leave()
        requestConnection(to: peer)
        try await bench.wait(for: "a connection") { state.withLock { $0.connectionCount > former } }
        state.withLock { $0.greeting = nil }
    }

    /// Sends an L2CAP frame in one fragment.
    func send(_ payload: [UInt8], channel: UInt16) {
        let header = [UInt16(payload.count), channel].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        sendFragment(header + payload, continues: false)
    }

    /// Sends one ACL fragment.
    func sendFragment(_ fragment: [UInt8], continues: Bool) {
        guard let handle = state.withLock({ $0.handle }) else { return }
        port.send(
            .acl(handle: handle, boundary: continues ? .continuing : .firstNonFlushable, capacity: fragment.count) {
                $0.append(fragment)
            })
    }

    func drainFrames() -> [[String]] {
        state.withLock { state in
            defer { state.frames = [] }
            return state.frames
        }
    }

    private func receive(_ packet: HCIPacket) {
        for answer in take(packet) { port.send(answer) }
    }

    private func take(_ packet: HCIPacket) -> [HCIPacket] {
        state.withLock { state in
            switch packet.kind {
            case .acl: Self.receiveData(packet.bytes, &state)
            case .event:
                // LE Connection Complete and Disconnection Complete.
                if packet.bytes.count > 5, packet.bytes[0] == 0x3E, packet.bytes[2] == 0x01, packet.bytes[3] == 0 {
                    let handle = UInt16(packet.bytes[4]) | UInt16(packet.bytes[5]) << 8
                    state.handle = handle
                    state.partial = []
                    state.connectionCount += 1
                    return state.greeting?(handle) ?? []
                } else if packet.bytes.first == 0x05 {
                    state.handle = nil
                }
            default: break
            }
            return []
        }
    }

    private static func receiveData(_ bytes: [UInt8], _ state: inout State) {
        if bytes[1] & 0x30 == 0x20 { state.partial = [] }
        state.partial += bytes.dropFirst(4)
        guard state.partial.count >= 4,
            state.partial.count == 4 + Int(state.partial[0]) + Int(state.partial[1]) << 8
        else { return }
        state.frames.append([
            Hexadecimal.string([state.partial[3], state.partial[2]]), Hexadecimal.string(state.partial.dropFirst(4)),
        ])
    }
}
