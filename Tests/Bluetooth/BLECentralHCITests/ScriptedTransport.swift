import BLEPackets
import ByteCodec
import BenchExecutor
import Synchronization
import Testing

/// A scripted controller with one peer: it answers the commands of a central, and the ATT PDUs in the script; anything
/// else is an issue.
final class ScriptedTransport: HCITransport {
    struct State {
        var receiver: (@Sendable (HCIPacket) -> Void)?
        /// The commands without an answer, by opcode.
        var ignored: Set<HCIOpcode> = []
        /// The commands answered with this status.
        var refused: [HCIOpcode: UInt8] = [:]
        /// ATT requests and their answers, in hexadecimal.
        var script: [String: [String]] = [:]
        /// Whether the peer advertises, so that connecting succeeds.
        var hasPeer = true
        /// Whether the controller never reports completed packets.
        var keepsBuffers = false
        var commands: [HCIOpcode] = []
        var attributePDUs: [String] = []
    }

    let state = Mutex(State())
    private let executor: BenchExecutor

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    private static let returnParameters: [HCIOpcode: String] = [
        .reset: "00", .readLocalVersionInformation: "00080e030860000e03",
        .readLocalSupportedCommands: "00" + String(repeating: "00", count: 64),
        .readLocalSupportedFeatures: "000000000060000080", .setEventMask: "00", .leSetEventMask: "00",
        .leReadBufferSize: "00fb0004", .leReadLocalSupportedFeatures: "000000000000000000",
        .readBDADDR: "0002f0f0f0f0f0", .leSetRandomAddress: "00", .leSetScanParameters: "00", .leSetScanEnable: "00",
        .leCreateConnectionCancel: "00", .leRand: "003cc2248ffef4ceb4",
    ]

    func setReceiver(_ receiver: @escaping @Sendable (HCIPacket) -> Void) {
        state.withLock { $0.receiver = receiver }
    }

    /// The controller sends an H4 packet.
    func deliver(_ packet: String) {
        guard let bytes = Hexadecimal.bytes(packet), let kind = HCIPacket.Kind(rawValue: bytes[0]) else {
            Issue.record("'\(packet)' is no H4 packet")
            return
        }
        executor.post { [self] in
            state.withLock { $0.receiver }?(HCIPacket(kind, Array(bytes[1...])))
        }
    }

    /// The peer sends an ATT PDU on the connection with handle 1.
    func deliverATT(_ pdu: String) {
        deliver("020120" + Self.word(pdu.count / 2 + 4) + Self.word(pdu.count / 2) + "0400" + pdu)
    }

    private static func word(_ value: Int) -> String {
        Hexadecimal.string([UInt8(value & 0xFF), UInt8(value >> 8)])
    }

    func send(_ packet: HCIPacket) {
        if packet.kind == .acl { return receiveACL(packet.bytes) }
        guard let command = try? HCIAnyCommand(decoding: packet.bytes[...]) else {
            Issue.record("malformed command \(packet.bytes)")
            return
        }
        let opcode = Self.word(Int(command.opcode.rawValue))
        let (isIgnored, refusal) = state.withLock { state in
            state.commands.append(command.opcode)
            return (state.ignored.contains(command.opcode), state.refused[command.opcode])
        }
        if isIgnored { return }
        if let refusal { return deliver("040f04" + Hexadecimal.string([refusal]) + "01" + opcode) }
        switch command.opcode {
        case .leCreateConnection:
            deliver("040f040001" + opcode)
            if state.withLock({ $0.hasPeer }) {
                deliver("043e1301000100000001f0f0f0f0f006000000c80007")
            }
        case .disconnect:
            deliver("040f040001" + opcode)
            deliver("04050400010016")
        default:
            guard let parameters = Self.returnParameters[command.opcode] else {
                Issue.record("unexpected command \(command.opcode)")
                return
            }
            deliver("040e" + Hexadecimal.string([UInt8(3 + parameters.count / 2)]) + "01" + opcode + parameters)
            if command.opcode == .leCreateConnectionCancel {
                deliver("043e130102" + String(repeating: "0", count: 34))
            }
        }
    }

    private func receiveACL(_ bytes: [UInt8]) {
        let pdu = Hexadecimal.string(bytes.dropFirst(8))
        let (answers, keepsBuffers) = state.withLock { state in
            state.attributePDUs.append(pdu)
            return (state.script[pdu], state.keepsBuffers)
        }
        if !keepsBuffers { deliver("0413050101000100") }
        for answer in answers ?? [] { deliverATT(answer) }
        let isCommand = bytes.dropFirst(8).first.map { ATTOpcode(rawValue: $0).isCommand } ?? false
        if answers == nil, !isCommand { Issue.record("unexpected ATT PDU \(pdu)") }
    }
}
