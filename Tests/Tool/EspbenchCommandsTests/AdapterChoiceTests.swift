import BLECentral
import BLECore
import CommandSupport
import EspbenchCommands
import Testing

@Suite("The adapter without --central") struct AdapterChoiceTests {
    private func adapter(_ name: String, isPowered: Bool = true) -> CentralAdapter {
        CentralAdapter(
            address: .bluez(adapter: name), deviceAddress: DeviceAddress(0x02EC_0000_0001, .public), name: "desk\u{1B}",
            isPowered: isPowered)
    }

    @Test("is the only one, or the only one that is switched on")
    func only() throws {
        let off = adapter("hci0", isPowered: false)
        let alone = try AdapterChoice([off])
        #expect(alone.adapter == off && alone.reason == "the only adapter")
        let choice = try AdapterChoice([off, adapter("hci1")])
        #expect(choice.adapter.address == .bluez(adapter: "hci1"))
        #expect(choice.reason == "the only one that is switched on")
    }

    @Test("has to be chosen among several, or plugged in")
    func severalOrNone() {
        let several = #expect(throws: CommandFailure.self) { try AdapterChoice([adapter("hci0"), adapter("hci1")]) }
        #expect(several?.status == .noCentral)
        #expect(
            several?.message
                == """
                expected one Bluetooth adapter or --central, there are several: bluez:hci0 02:EC:00:00:00:01 desk\\x1b, \
                bluez:hci1 02:EC:00:00:00:01 desk\\x1b
                """)
        #expect(several.flatMap { Hints.text(for: $0.code) }?.contains("--central bluez:hci0") == true)
        let bothOff = [adapter("hci0", isPowered: false), adapter("hci1", isPowered: false)]
        #expect(throws: CommandFailure.self) { try AdapterChoice(bothOff) }
        let none = #expect(throws: CommandFailure.self) { try AdapterChoice([]) }
        #expect(none?.status == .noCentral && none.flatMap { Hints.text(for: $0.code) } != nil)
    }

    @Test("has a hint for all that can be missing, with what to do")
    func hints() {
        for absence in CentralAbsence.allCases {
            #expect(Hints.text(for: "central.absent.\(absence.rawValue)") != nil, "\(absence)")
        }
    }
}
