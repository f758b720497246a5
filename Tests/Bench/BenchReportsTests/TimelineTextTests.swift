import BenchModel
import BenchReports
import MonotonicTime
import Testing

@Suite("Timelines for people")
struct TimelineTextTests {
    private static func event(_ nanoseconds: Int64, _ source: String, _ payload: some EventPayload) -> BenchEvent {
        BenchEvent(time: MonotonicInstant(nanoseconds: nanoseconds), source: source, caseNumber: 3, payload: payload)
    }

    private func hci(_ packets: [(isFromHost: Bool, bytes: [UInt8])], name: (UInt16, String)? = nil) -> [String] {
        var text = TimelineText(style: TerminalStyle(isColoured: false))
        if let (handle, name) = name {
            text.skip(
                Self.event(
                    0, "first", NotificationReceived(EventAttribute(handle: handle, name: name), value: [])))
        }
        return packets.map { packet in
            let event = Self.event(
                0, "controller 0", HCIPacketObserved(isFromHost: packet.isFromHost, packet: packet.bytes))
            return String(text.text(event).dropLast().dropFirst(41))
        }
    }

    @Test("have the time of the bench and of the case in each line")
    func lines() {
        var text = TimelineText(style: TerminalStyle(isColoured: false))
        let events = [
            Self.event(5, "suite", SuiteBegan(name: "S", file: "s.yaml")),
            Self.event(1_000_000_000, "suite", CaseBegan(name: "adds 3")),
            Self.event(1_012_500_999, "first", MTUChanged(185)),
            Self.event(1_020_000_000, "suite", CaseEnded(cause: nil)),
            Self.event(61_020_000_000, "board", BoardReset()),
        ]
        var lines = text.heading
        for event in events { lines += text.text(event) }
        #expect(
            lines == """
                     bench s      case s  source         event

                S  s.yaml

                case 3: adds 3
                    1.012500    0.012500  first          MTU 185
                    1.020000    0.020000  suite          passed
                   61.020000              board          reset

                """)
    }

    @Test("wrap at the width of a terminal")
    func narrow() {
        var text = TimelineText(style: TerminalStyle(isColoured: false, width: 60))
        let line = Self.event(0, "console", ConsoleLineReceived("a line that does not fit into the terminal"))
        let lines = text.text(line).split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.count <= 60 })
    }

    @Test(
        "decode HCI packets",
        arguments: [
            (true, [1, 0x0C, 0x20, 2, 1, 0], "→ HCI LE Set Scan Enable  enabled, no filter duplicates"),
            (true, [1, 3, 0x0C, 0], "→ HCI Reset"),
            (true, [1, 0xFF, 0xFF, 1, 7], "→ HCI command 0xFFFF  07"),
            (
                false, [4, 0x0E, 4, 1, 0x0C, 0x20, 0],
                "← HCI Command Complete  HCI LE Set Scan Enable: status 0x00 success"
            ),
            (
                false, [4, 0x0E, 4, 1, 0x0C, 0x20, 0x0C],
                "← HCI Command Complete  HCI LE Set Scan Enable: 0x0C command disallowed"
            ),
            (false, [4, 0x0F, 4, 0, 1, 0x0D, 0x20], "← HCI Command Status  HCI LE Create Connection: 0x00 success"),
            (
                false, [4, 5, 4, 0, 1, 0, 0x13],
                "← HCI Disconnection Complete  status 0x00 success, handle 0x0001, reason 0x13 remote user terminated connection"
            ),
            (false, [4, 0x3E, 2, 0x77, 1], "← HCI event 0x3E 0x77  01"),
            (
                true, [2, 1, 0, 10, 0, 6, 0, 4, 0, 0x52, 0x10, 0, 1, 2, 3],
                "→ 0x0001  ATT Write Command  handle 0x0010, value 01 02 03"
            ),
            (
                false, [2, 1, 0x20, 9, 0, 5, 0, 4, 0, 1, 0x0A, 0x12, 0, 5],
                "← 0x0001  ATT Error Response  request 0x0A ATT Read Request, handle 0x0012, code 0x05 insufficient authentication"
            ),
            (
                false, [2, 1, 0x20, 6, 0, 2, 0, 6, 0, 5, 4],
                "← 0x0001  SMP Pairing Failed  reason 0x04 confirm value failed"
            ),
            (true, [2, 1, 0, 5, 0, 1, 0, 4, 0, 0x77], "→ 0x0001  ATT PDU 0x77  (no bytes)"),
            (true, [2, 1, 0, 5, 0, 1, 0, 0x40, 0, 0x77], "→ 0x0001  L2CAP CID 0x0040  77"),
            (true, [9, 1], "→ HCI packet of an unknown kind  09 01"),
            (true, [], "→ HCI packet of an unknown kind  (no bytes)"),
        ] as [(Bool, [UInt8], String)])
    func packet(isFromHost: Bool, bytes: [UInt8], expected: String) {
        #expect(hci([(isFromHost, bytes)]) == [expected])
    }

    @Test("say what is wrong with a malformed packet")
    func malformed() {
        let lines = hci([(true, [1, 0x0C, 0x20, 2, 1]), (true, [1, 0x0C, 0x20, 1, 1]), (false, [4, 5, 1, 0])])
        #expect(lines.allSatisfy { $0.contains("HCI ") && $0.contains("(") })
    }

    @Test("use the suite's names of attributes")
    func names() {
        let packet: [UInt8] = [2, 1, 0, 8, 0, 4, 0, 4, 0, 0x1B, 0x10, 0, 9]
        #expect(
            hci([(false, packet)], name: (16, "output"))
                == ["← 0x0001  ATT Handle Value Notification  output (0x0010), value 09"])
    }

    @Test("join the fragments of a frame, also those that are not shown")
    func fragments() {
        let first: [UInt8] = [2, 1, 0, 5, 0, 4, 0, 4, 0, 0x52]
        let rest: [UInt8] = [2, 1, 0x10, 3, 0, 0x10, 0, 9]
        let stray: [UInt8] = [2, 2, 0x10, 1, 0, 7]
        #expect(
            hci([(true, first), (true, stray), (true, rest)]) == [
                "→ 0x0001  L2CAP fragment, 5 of 8 bytes", "→ 0x0002  L2CAP fragment without a beginning  07",
                "→ 0x0001  ATT Write Command  handle 0x0010, value 09",
            ])
        var text = TimelineText(style: TerminalStyle(isColoured: false))
        text.skip(Self.event(0, "c", HCIPacketObserved(isFromHost: true, packet: first)))
        let shown = text.text(Self.event(0, "c", HCIPacketObserved(isFromHost: true, packet: rest)))
        #expect(shown.contains("ATT Write Command"))
    }

    @Test("of any packets are lines")
    func anyPackets() {
        var random = SeededRandom(seed: 9)
        var text = TimelineText(style: TerminalStyle(isColoured: false))
        for _ in 0..<3000 {
            var packet: [UInt8] = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...12, using: &random)
            }
            if packet.count > 3 { packet[0] = .random(in: 1...4, using: &random) }
            let event = Self.event(
                0, "c", HCIPacketObserved(isFromHost: .random(using: &random), packet: packet))
            let line = text.text(event)
            #expect(line.hasSuffix("\n"))
        }
    }
}

@Suite("The choice of events of a timeline")
struct TimelineFilterTests {
    private static let events: [BenchEvent] = [
        event(0, PowerSwitched(isOn: true)), event(100, CaseBegan(name: "adds 3")), event(150, BoardReset()),
        event(160, MTUChanged(23)), event(200, CaseEnded(cause: nil)), event(300, CaseBegan(name: "adds 4")),
        event(350, BoardReset()), event(400, CaseEnded(cause: nil)),
    ]

    private static func event(_ milliseconds: Int64, _ payload: some EventPayload) -> BenchEvent {
        BenchEvent(
            time: MonotonicInstant(nanoseconds: milliseconds * 1_000_000), source: "suite", payload: payload)
    }

    private func times(_ filter: TimelineFilter) -> [Int64] {
        var filter = filter
        return Self.events.filter { filter.isWanted($0) }.map { $0.time.nanoseconds / 1_000_000 }
    }

    @Test("is by case, kind and time, since the case began where one is given")
    func choice() {
        #expect(times(TimelineFilter()).count == 8)
        #expect(times(TimelineFilter(kinds: ["reset"])) == [150, 350])
        #expect(times(TimelineFilter(around: (.milliseconds(160), .milliseconds(10)))) == [150, 160])
        #expect(times(TimelineFilter(cases: { $0.hasSuffix("4") })) == [300, 350, 400])
        #expect(
            times(
                TimelineFilter(cases: { _ in true }, kinds: ["reset"], around: (.milliseconds(50), .milliseconds(1))))
                == [100, 150, 300, 350])
    }

    @Test("says whether a case was found")
    func found() {
        var filter = TimelineFilter(cases: { $0 == "subtracts" })
        for event in Self.events {
            let isWanted = filter.isWanted(event)
            #expect(!isWanted)
        }
        #expect(!filter.hasFoundCase)
        #expect(TimelineFilter().hasFoundCase)
    }
}
