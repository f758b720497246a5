import BLECore
import BLEPackets
import BLERadio
import MonotonicTime
import Testing

extension Tshark {
    /// Compares Wireshark's decoding of a capture with the captured packets: each packet, its controller, direction, time
    /// and opcodes.
    static func check(_ capture: Capture) async throws {
        let addresses = capture.addresses
        let expected = try capture.observations.map { try Packet($0, addresses) }
        let fields = [
            "_ws.malformed", "frame.time_epoch", "hci_mon.opcode", "hci_mon.adapter_id", "hci_mon.bd_addr",
            "bthci_cmd.opcode", "bthci_evt.code", "bthci_evt.le_meta_subevent", "btatt.opcode", "btsmp.opcode",
        ]
        // By adapter.
        var present: [String: String] = [:]
        var decoded: [Packet] = []
        for fields in try await decode(capture.file, fields) {
            let adapter = try #require(fields["hci_mon.adapter_id"])
            switch fields["hci_mon.opcode"] {
            case "0": present[adapter] = fields["hci_mon.bd_addr"]
            case "1": present[adapter] = nil
            case "10": #expect(present[adapter] == fields["hci_mon.bd_addr"])
            default: decoded.append(try Packet(fields, controller: try #require(present[adapter])))
            }
        }
        try #require(decoded.count == expected.count)
        for (number, (came, wanted)) in zip(decoded, expected).enumerated() where came != wanted {
            Issue.record("packet \(number + 1): Wireshark has \(came), sent was \(wanted)")
            return
        }
        // The minimum content of the capture.
        #expect(Set(expected.compactMap(\.smp)).isSuperset(of: [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13]))
        #expect(Set(expected.compactMap(\.att)).isSuperset(of: [0x01, 0x08, 0x09, 0x0A, 0x0B]))
        // Encryption Change; extended advertising, its reports, and a set's end.
        #expect(expected.contains { $0.event == 0x08 })
        #expect(Set(expected.compactMap(\.subevent)).isSuperset(of: [0x05, 0x0A, 0x0D, 0x12]))
        #expect(Set(expected.compactMap(\.command)).isSuperset(of: [0x2019, 0x201A, 0x2036, 0x2037, 0x2041, 0x2043]))
    }

    /// The compared fields of one packet.
    private struct Packet: Equatable {
        var isMalformed = false
        var controller: String
        var isReceived: Bool
        /// Microseconds since the Unix epoch.
        var time: Int
        var kind: Int
        var command: Int?
        var event: Int?
        var subevent: Int?
        var att: Int?
        var smp: Int?

        /// As sent.
        init(_ observation: Radio.Observation, _ addresses: [ControllerID: DeviceAddress]) throws {
            let packet = observation.packet
            controller = "\(try #require(addresses[observation.controller]))".lowercased()
            isReceived = !observation.isFromHost
            time = Capture.epoch * 1_000_000 + Int(observation.time.nanoseconds / 1000)
            kind = Int(packet.kind.rawValue)
            switch packet.kind {
            case .command: command = Int(packet.bytes[0]) | Int(packet.bytes[1]) << 8
            case .event:
                event = Int(packet.bytes[0])
                subevent = event == 0x3E ? Int(packet.bytes[2]) : nil
            case .acl:
                // Nothing here is longer than one packet; the opcode follows the headers of HCI and L2CAP.
                let bytes = packet.bytes
                let channel = bytes.count > 8 ? Int(bytes[6]) | Int(bytes[7]) << 8 : 0
                if channel == 4 { att = Int(bytes[8]) }
                if channel == 6 { smp = Int(bytes[8]) }
            case .synchronous: break
            }
        }

        /// As decoded by Wireshark.
        init(_ fields: [String: String], controller: String) throws {
            func number(_ name: String) -> Int? {
                guard let text = fields[name], !text.isEmpty else { return nil }
                return text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
            }
            isMalformed = fields["_ws.malformed"] != ""
            self.controller = controller
            // Command, event, ACL data to and from the controller.
            let kinds = [2: (1, false), 3: (4, true), 4: (2, false), 5: (2, true)]
            let opcode = try #require(number("hci_mon.opcode"))
            (kind, isReceived) = try #require(kinds[opcode])
            let digits = try #require(fields["frame.time_epoch"]).filter(\.isNumber)
            time = try #require(Int(digits)) / 1000
            command = kind == 1 ? number("bthci_cmd.opcode") : nil
            event = number("bthci_evt.code")
            subevent = number("bthci_evt.le_meta_subevent")
            att = number("btatt.opcode")
            smp = number("btsmp.opcode")
        }
    }
}
