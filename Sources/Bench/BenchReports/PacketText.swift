import BLECore
import BLEPackets
import ByteCodec

/// The HCI, L2CAP, ATT and SMP packets of a timeline as lines for people; each packet has its name in the Core
/// Specification and its fields. A pure state machine: frames may be spread over packets.
struct PacketText {
    /// One direction of a connection.
    private struct Direction: Hashable {
        let source: String
        let handle: UInt16
        let isFromHost: Bool
    }

    /// The maximum number of incomplete frames; others are dropped.
    private static let maximumFrames = 64

    private static let commands = Dictionary(
        HCIOpcode.commands.map { ($0.opcode.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    private static let events = Dictionary(
        HCIEventCode.events.map { (key($0.code, $0.subevent), $0) }, uniquingKeysWith: { first, _ in first })
    private static let attributePDUs = Dictionary(
        ATTOpcode.pdus.map { ($0.opcode.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    private static let securityPDUs = Dictionary(
        SMPOpcode.pdus.map { ($0.opcode.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    private static let signals = Dictionary(
        L2CAPSignallingCode.commands.map { ($0.code.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

    private static func key(_ code: HCIEventCode, _ subevent: HCILESubeventCode?) -> Int {
        Int(code.rawValue) << 16 | (subevent.map { Int($0.rawValue) + 1 } ?? 0)
    }

    private var frames: [Direction: [UInt8]] = [:]
    /// The names of attributes by their handles.
    private var names: [UInt16: String] = [:]

    /// Notes the name of an attribute.
    mutating func name(_ handle: UInt16, _ name: String) {
        names[handle] = name
    }

    /// Forgets names: another board may have other handles.
    mutating func removeNames() {
        names.removeAll()
    }

    private var fields: FieldText {
        let names = names
        return FieldText { names[$0] }
    }

    /// A line with a packet's name and fields.
    private func line(_ name: StaticString, _ packet: some Any) -> String {
        let text = fields.text(packet)
        return text.isEmpty ? "\(name)" : "\(name)  \(text)"
    }

    // MARK: HCI

    /// An H4 packet between the host of `source` and its controller; `→` means to the controller.
    mutating func hci(_ packet: [UInt8], isFromHost: Bool, source: String) -> String {
        let arrow = isFromHost ? "→ " : "← "
        guard let indicator = packet.first, let kind = HCIPacket.Kind(rawValue: indicator) else {
            return "\(arrow)HCI packet of an unknown kind  \(FieldText.text(packet[...]))"
        }
        let bytes = packet.dropFirst()
        do throws(CodecError) {
            switch kind {
            case .command: return arrow + (try command(bytes))
            case .event: return arrow + (try event(bytes))
            case .acl: return arrow + (try acl(Array(bytes), isFromHost: isFromHost, source: source))
            case .synchronous: return "\(arrow)HCI synchronous data  \(FieldText.text(bytes))"
            }
        } catch {
            return "\(arrow)HCI \(kind)  \(FieldText.text(bytes)) (\(error))"
        }
    }

    private func command(_ bytes: ArraySlice<UInt8>) throws(CodecError) -> String {
        let command = try HCIAnyCommand(decoding: bytes)
        guard let type = Self.commands[command.opcode.rawValue] else {
            return "HCI command \(command.opcode)  \(FieldText.text(command.parameters))"
        }
        return try text(of: command.parameters, as: type)
    }

    private func text<Command: HCICommand>(
        of parameters: ArraySlice<UInt8>, as type: Command.Type
    ) throws(CodecError) -> String {
        line(Command.name, try Command(parameters: parameters))
    }

    private func event(_ bytes: ArraySlice<UInt8>) throws(CodecError) -> String {
        let event = try HCIAnyEvent(decoding: bytes)
        guard let type = Self.events[Self.key(event.code, event.subevent)] else {
            let subevent = event.subevent.map { " \($0)" } ?? ""
            return "HCI event \(event.code)\(subevent)  \(FieldText.text(event.parameters))"
        }
        return try text(of: event, as: type)
    }

    private func text<Event: HCIEvent>(of event: HCIAnyEvent, as type: Event.Type) throws(CodecError) -> String {
        let event = try Event(event)
        switch event {
        case let complete as HCICommandComplete: return try text(complete)
        case let status as HCICommandStatus:
            return "\(HCICommandStatus.name)  \(Self.name(status.command)): \(status.status)"
        default: return line(Event.name, event)
        }
    }

    private func text(_ complete: HCICommandComplete) throws(CodecError) -> String {
        let name = "\(HCICommandComplete.name)  \(Self.name(complete.command))"
        guard let type = Self.commands[complete.command.rawValue], complete.status == .success else {
            return complete.status.map { "\(name): \($0)" } ?? name
        }
        return "\(name): \(try answer(complete, to: type))"
    }

    private func answer<Command: HCICommand>(
        _ complete: HCICommandComplete, to type: Command.Type
    ) throws(CodecError) -> String {
        fields.text(try complete.returnParameters(of: type))
    }

    private static func name(_ opcode: HCIOpcode) -> String {
        if opcode.rawValue == 0 { return "(no command)" }
        return commands[opcode.rawValue].map { "\($0.name)" } ?? "\(opcode)"
    }

    // MARK: L2CAP

    /// The effect of an ACL data packet on the reassembly of its connection.
    private enum Assembly {
        case frame(L2CAPBasicFrame)
        /// A fragment; the number of received bytes, and the length of the frame.
        case fragment(Int, of: Int?)
        /// A fragment of a frame whose beginning was not received.
        case stray(ArraySlice<UInt8>)
    }

    private mutating func acl(_ bytes: [UInt8], isFromHost: Bool, source: String) throws(CodecError) -> String {
        let (handle, assembly) = try assemble(bytes, isFromHost: isFromHost, source: source)
        let connection = FieldText.hexadecimal(handle)
        switch assembly {
        case .frame(let frame): return "\(connection)  \(text(frame))"
        case .fragment(let count, let length):
            return "\(connection)  L2CAP fragment, \(count) of \(length.map { "\($0)" } ?? "?") bytes"
        case .stray(let payload): return "\(connection)  L2CAP fragment without a beginning  \(FieldText.text(payload))"
        }
    }

    /// Receives a packet that is not shown: it may begin a frame that is shown.
    mutating func skip(_ packet: [UInt8], isFromHost: Bool, source: String) {
        guard packet.first == HCIPacket.Kind.acl.rawValue else { return }
        _ = try? assemble(Array(packet.dropFirst()), isFromHost: isFromHost, source: source)
    }

    private mutating func assemble(
        _ bytes: [UInt8], isFromHost: Bool, source: String
    ) throws(CodecError) -> (handle: UInt16, Assembly) {
        let (header, payload) = try HCIACLHeader.decode(bytes)
        let direction = Direction(source: source, handle: header.handle, isFromHost: isFromHost)
        let begun = frames.removeValue(forKey: direction)
        if header.boundary == .continuing, begun == nil { return (header.handle, .stray(payload)) }
        let frame = (header.boundary == .continuing ? begun ?? [] : []) + payload
        let length = frame.count < 2 ? nil : L2CAPBasicFrame.headerLength + (Int(frame[0]) | Int(frame[1]) << 8)
        guard let length, frame.count >= length else {
            if frames.count < Self.maximumFrames { frames[direction] = frame }
            return (header.handle, .fragment(frame.count, of: length))
        }
        var reader = ByteReader(frame[...], subject: "L2CAP frame")
        let complete = try L2CAPBasicFrame(from: &reader)
        try reader.end()
        return (header.handle, .frame(complete))
    }

    private func text(_ frame: L2CAPBasicFrame) -> String {
        switch frame.channel {
        case .attribute: return attribute(frame.payload)
        case .securityManager: return security(frame.payload)
        case .signalling: return signal(frame.payload)
        default: return "L2CAP \(frame.channel)  \(FieldText.text(frame.payload))"
        }
    }

    /// An ATT PDU.
    func attribute(_ pdu: ArraySlice<UInt8>) -> String {
        guard let opcode = pdu.first else { return "ATT PDU without an opcode" }
        guard let type = Self.attributePDUs[opcode] else {
            return "ATT PDU \(ATTOpcode(rawValue: opcode))  \(FieldText.text(pdu.dropFirst()))"
        }
        do throws(CodecError) {
            return try attribute(pdu, as: type)
        } catch {
            return "\(type.name)  \(FieldText.text(pdu)) (\(error))"
        }
    }

    private func attribute<PDU: ATTPDU>(_ pdu: ArraySlice<UInt8>, as type: PDU.Type) throws(CodecError) -> String {
        line(PDU.name, try PDU(decoding: pdu))
    }

    private func security(_ pdu: ArraySlice<UInt8>) -> String {
        guard let opcode = pdu.first else { return "SMP PDU without an opcode" }
        guard let type = Self.securityPDUs[opcode] else {
            return "SMP PDU \(SMPOpcode(rawValue: opcode))  \(FieldText.text(pdu.dropFirst()))"
        }
        do throws(CodecError) {
            return try security(pdu, as: type)
        } catch {
            return "\(type.name)  \(FieldText.text(pdu)) (\(error))"
        }
    }

    private func security<PDU: SMPPDU>(_ pdu: ArraySlice<UInt8>, as type: PDU.Type) throws(CodecError) -> String {
        line(PDU.name, try PDU(decoding: pdu))
    }

    private func signal(_ bytes: ArraySlice<UInt8>) -> String {
        do throws(CodecError) {
            var reader = ByteReader(bytes, subject: "L2CAP signalling packet")
            let packet = try L2CAPSignallingPacket(from: &reader)
            guard let type = Self.signals[packet.code.rawValue] else {
                return "L2CAP signalling code \(packet.code.rawValue)  \(FieldText.text(packet.data))"
            }
            return try signal(packet, as: type)
        } catch {
            return "L2CAP signalling  \(FieldText.text(bytes)) (\(error))"
        }
    }

    private func signal<Command: L2CAPSignallingCommand>(
        _ packet: L2CAPSignallingPacket, as type: Command.Type
    ) throws(CodecError) -> String {
        line(Command.name, try Command(decoding: packet.data))
    }
}

/// The fields of a decoded packet as text, e.g. `active, interval 96, window 48`. Names are those of the packet's type.
struct FieldText {
    /// The maximum number of shown bytes of a value, and of shown elements of a list.
    private static let (shownBytes, shownElements) = (32, 4)

    /// Returns the name of an attribute handle, if it has one.
    let attributeName: (UInt16) -> String?

    /// The fields of `packet`, separated by commas; empty when the packet has no fields.
    func text(_ packet: some Any) -> String {
        fields(packet).joined(separator: ", ")
    }

    private func fields(_ value: Any) -> [String] {
        Mirror(reflecting: value).children.compactMap { child in
            child.label.flatMap { field($0, child.value) }
        }
    }

    /// A field with its name; `nil` when it has no value.
    private func field(_ label: String, _ value: Any) -> String? {
        let words = Self.words(label)
        switch value {
        case let flag as Bool:
            guard words.hasPrefix("is ") else { return (flag ? "" : "no ") + words }
            return (flag ? "" : "not ") + words.dropFirst(3)
        case let handle as UInt16 where words.hasSuffix("handle"):
            let number = Self.hexadecimal(handle)
            return attributeName(handle).map { "\($0) (\(number))" } ?? "\(words) \(number)"
        case let bits as any FixedWidthInteger where words.contains("mask") || words.contains("features"):
            return "\(words) 0x\(String(UInt64(truncatingIfNeeded: bits), radix: 16))"
        default:
            guard let text = text(ofValue: value) else { return nil }
            return "\(words) \(text)"
        }
    }

    /// A value without a name; `nil` when there is none.
    private func text(ofValue value: Any) -> String? {
        switch value {
        case let bytes as [UInt8]: return Self.text(bytes[...])
        case let bytes as ArraySlice<UInt8>: return Self.text(bytes)
        case let text as any CustomStringConvertible & RawRepresentable: return text.description
        case let address as DeviceAddress: return address.description
        case let uuid as BLEUUID: return uuid.description
        case let flags as any OptionSet:
            guard let bits = flags.rawValue as? any FixedWidthInteger else { break }
            return "0x" + String(UInt64(truncatingIfNeeded: bits), radix: 16)
        case let number as any FixedWidthInteger where number.bitWidth >= 64 && !(number is Int):
            // Keys and random numbers.
            return "0x" + String(UInt128(truncatingIfNeeded: number), radix: 16)
        case let number as any BinaryInteger: return "\(number)"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { text(ofValue: $0.value) }
        case .collection, .set:
            let elements = mirror.children.prefix(Self.shownElements).map { text(ofValue: $0.value) ?? "?" }
            let rest = mirror.children.count - elements.count
            return "[" + (elements + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: "; ") + "]"
        case .struct where !mirror.children.isEmpty:
            // A number without a named constant in its type.
            if let value = value as? any RawRepresentable { return text(ofValue: value.rawValue) }
            return fields(value).joined(separator: ", ")
        case .enum, .struct, .tuple: return Self.words("\(value)")
        default: return "\(value)"
        }
    }

    /// Bytes in hexadecimal; of many bytes only the first.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if bytes.isEmpty { return "(no bytes)" }
        let shown = Hexadecimal.string(bytes.prefix(shownBytes), separator: " ")
        return bytes.count > shownBytes ? "\(shown) … (\(bytes.count) bytes)" : shown
    }

    static func hexadecimal(_ number: UInt16) -> String {
        Hexadecimal.number(number, digits: 4)
    }

    /// `ownAddressType` as words: `own address type`.
    static func words(_ name: String) -> String {
        var words = ""
        var former: Character = " "
        for character in name {
            if character.isUppercase, former.isLowercase || former.isNumber { words += " " }
            words.append(character)
            former = character
        }
        // Abbreviations keep their capitals.
        return words.split(separator: " ").map { word in
            word.dropFirst().contains(where: \.isUppercase) ? String(word) : word.lowercased()
        }.joined(separator: " ")
    }
}
