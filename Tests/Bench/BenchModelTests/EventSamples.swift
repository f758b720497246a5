import BLECore
import BenchModel
import Testing

/// Events, at least one of each kind, with the keys of their lines after `case`.
enum EventSamples {
    /// A payload and its keys.
    struct Sample: Sendable, CustomTestStringConvertible {
        let payload: any EventPayload
        let keys: String

        init(_ payload: any EventPayload, _ keys: String) {
            self.payload = payload
            self.keys = keys
        }

        var kind: String { type(of: payload).kind }
        var testDescription: String { "\(kind) \(keys)" }
    }

    static let all: [Sample] = run + board + link + values + security

    private static let run: [Sample] = [
        Sample(TimelineBegan(version: 1, seed: .max), #""version":1,"seed":"18446744073709551615""#),
        Sample(TimelineBegan(seed: 0), #""version":3,"seed":"0""#),
        Sample(TimelineEnded(events: 3), #""events":3"#),
        Sample(SuiteBegan(name: "S", file: "a/b.yaml"), #""name":"S","file":"a/b.yaml""#),
        Sample(
            SuiteBegan(name: "S", file: "b.yaml", firmware: FirmwareInformation(nimble: "N 2 (library)")),
            #""name":"S","file":"b.yaml","nimble":"N 2 (library)""#),
        Sample(
            SuiteBegan(name: "S", file: "b.yaml", firmware: FirmwareInformation(nimble: "N", isSanitized: true)),
            #""name":"S","file":"b.yaml","nimble":"N","sanitized":true"#),
        Sample(CaseBegan(name: "x \"1\""), #""name":"x \"1\"""#),
        Sample(StepBegan(line: 12, step: "reset"), #""line":12,"text":"reset""#),
        Sample(CaseEnded(cause: nil), #""verdict":"passed""#),
        Sample(CaseEnded(cause: .linkLost), #""verdict":"linkLost""#),
        Sample(FaultPlanned("cleared"), #""text":"cleared""#),
        Sample(PeripheralSimulated("keys.left = 1"), #""text":"keys.left = 1""#),
    ]

    private static let board: [Sample] = [
        Sample(BootMessage("waits"), #""text":"waits""#),
        Sample(PowerSwitched(isOn: true), #""on":true"#),
        Sample(BoardReset(), ""),
        Sample(FlashWritten(count: 9, address: 0x10000), #""bytes":9,"address":65536"#),
        Sample(PinChanged(pin: 2, isHigh: true), #""pin":2,"high":true"#),
        Sample(PinChanged(pin: 2, isHigh: false, isDriven: false), #""pin":2,"high":false,"driven":false"#),
        Sample(PinCallIgnored(pin: 34, reason: "no output"), #""pin":34,"text":"no output""#),
        Sample(
            PWMChanged(pin: 5, signal: PWMChanged.Signal(millihertz: 5_000_000, duty: 250_000)),
            #""pin":5,"millihertz":5000000,"duty":250000"#),
        Sample(PWMChanged(pin: 5, signal: nil), #""pin":5"#),
        Sample(AnalogRead(pin: 34, value: 1861, millivolts: 1650), #""pin":34,"raw":1861,"millivolts":1650"#),
        Sample(AnalogWritten(pin: 25, value: 128), #""pin":25,"raw":128"#),
        Sample(AnalogWritten(pin: 25, value: nil), #""pin":25"#),
        Sample(
            I2CTransferred(address: 0x76, part: "climate", written: [0xD0], read: [0x60], status: 0),
            #""address":118,"part":"climate","written":"d0","read":"60","status":0"#),
        Sample(
            I2CTransferred(
                address: 0x76, part: "climate", written: [0xD0], read: [0x60], status: 0,
                signal: I2CTransferred.Signal(data: 21, clock: 22, hertz: 100_000, nanoseconds: 390_000)),
            #""address":118,"part":"climate","written":"d0","read":"60","status":0,"sda":21,"scl":22,"hertz":100000,"nanoseconds":390000"#
        ),
        Sample(
            I2CTransferred(address: 0x3C, part: nil, written: [], read: [], status: 2),
            #""address":60,"written":"","read":"","status":2"#),
        Sample(
            I2CTransferred(address: 0x28, part: nil, written: [1], read: [4, 5], status: 0, isSlave: true),
            #""address":40,"written":"01","read":"0405","status":0,"slave":true"#),
        Sample(SPITransferred(written: [1, 2], read: [0xFF, 0]), #""count":2,"written":"0102","read":"ff00""#),
        Sample(
            PartChanged(part: "lock", reading: "angle", value: "90 °", thousandths: 90_000),
            #""part":"lock","reading":"angle","text":"90 °","thousandths":90000"#),
        Sample(
            PartChanged(part: "alarm", reading: "state", value: "on"), #""part":"alarm","reading":"state","text":"on""#),
        Sample(PartSet("climate.temperature = 31.5 °C"), #""text":"climate.temperature = 31.5 °C""#),
        Sample(PartMisused(part: "strip", fault: "a pulse"), #""part":"strip","text":"a pulse""#),
        Sample(PinConflict(pin: 4, fault: "both"), #""pin":4,"text":"both""#),
        Sample(ServoMoved(pin: 13, isAttached: true, angle: 90), #""pin":13,"attached":true,"angle":90"#),
        Sample(ServoMoved(pin: 13, isAttached: false, angle: nil), #""pin":13,"attached":false"#),
        Sample(UARTBytesReceived(port: 1, bytes: [0x0A, 0xFF]), #""port":1,"value":"0aff""#),
        Sample(UARTBytesSent(port: 2, bytes: [7]), #""port":2,"count":1,"value":"07""#),
        Sample(ButtonChanged(pin: 0, isPressed: false), #""pin":0,"pressed":false"#),
        Sample(StorageChanged("erased"), #""text":"erased""#),
        Sample(ConsoleLineReceived("\u{1B}[0;32mI\t\\é\u{7F}"), #""text":"\u001b[0;32mI\u0009\\é\u007f""#),
        Sample(ConsoleLineUnfinished("PIN: "), #""text":"PIN: ""#),
        Sample(ConsoleLineSent("hi"), #""text":"hi""#),
        Sample(PanicDetected("Guru"), #""text":"Guru""#),
        Sample(WatchdogResetDetected("wdt"), #""text":"wdt""#),
        Sample(
            PanicDetected("Guru", at: CrashPlace(task: "nimble_host", core: 0)),
            #""text":"Guru","task":"nimble_host","core":0"#),
        Sample(
            HangDetected("it hangs", at: CrashPlace(task: "loopTask", core: 1, isInInterrupt: true)),
            #""text":"it hangs","task":"loopTask","core":1,"interrupt":true"#),
        Sample(SanitizerReported("overflow"), #""text":"overflow""#),
        Sample(BrownoutCaused(), ""),
        Sample(NotificationRefused(EventAttribute(handle: 18)), #""attribute":18"#),
        Sample(BluetoothHostStarted(host: "NimBLE-Arduino 2.5.1"), #""text":"NimBLE-Arduino 2.5.1""#),
    ]

    private static let link: [Sample] = [
        Sample(
            ControllerAdded(address: "24:0A:C4:00:01:10", company: 96),
            #""address":"24:0A:C4:00:01:10","company":96"#),
        Sample(
            ControllerAdded(address: "24:0A:C4:00:01:10", company: 96, board: "server"),
            #""address":"24:0A:C4:00:01:10","company":96,"board":"server""#),
        Sample(ControllerRemoved(), ""),
        Sample(
            HCIPacketObserved(isFromHost: true, packet: [0x01, 0x03, 0x0C, 0x00]),
            #""fromHost":true,"packet":"01030c00""#),
        Sample(
            AdvertisementReceived(
                address: "24:0A:C4:00:01:10", name: "N", services: [BLEUUID(0x180F), BLEUUID(1)], rssi: -40),
            #""address":"24:0A:C4:00:01:10","name":"N","services":["180F","0001"],"rssi":-40"#),
        Sample(
            AdvertisementReceived(address: "A", name: nil, services: [], rssi: 0),
            #""address":"A","services":[],"rssi":0"#),
        Sample(Connected(address: "A"), #""address":"A""#),
        Sample(Disconnected(reason: 0x13), #""reason":19"#),
        Sample(Disconnected(reason: nil), ""),
        Sample(MTUChanged(185), #""mtu":185"#),
        Sample(ServicesDiscovered(services: 3, characteristics: 7), #""services":3,"characteristics":7"#),
    ]

    private static let output = EventAttribute(handle: 18, name: "output")

    private static let values: [Sample] = [
        Sample(
            ValueWritten(EventAttribute(handle: 16, name: "input"), value: [9, 6, 0xFE], hasResponse: false),
            #""attribute":16,"name":"input","value":"0906fe","response":false"#),
        Sample(ValueRead(EventAttribute(handle: 1), value: []), #""attribute":1,"value":"""#),
        Sample(ValueRead(EventAttribute(handle: nil, name: "2A19"), value: [1]), #""name":"2A19","value":"01""#),
        Sample(
            SubscriptionWritten(output, to: .notifications), #""attribute":18,"name":"output","to":"notifications""#),
        Sample(NotificationReceived(output, value: [0x36]), #""attribute":18,"name":"output","value":"36""#),
        Sample(IndicationReceived(output, value: [0]), #""attribute":18,"name":"output","value":"00""#),
        Sample(ATTErrorReceived(output, code: 3), #""attribute":18,"name":"output","code":3"#),
        Sample(ATTPDUExchanged(isSent: true, pdu: [0x0A, 18, 0]), #""sent":true,"pdu":"0a1200""#),
    ]

    private static let security: [Sample] = [
        Sample(PairingBegan(), ""),
        Sample(PairingInputRequested("enter a passkey"), #""text":"enter a passkey""#),
        Sample(PairingInputGiven("123456"), #""text":"123456""#),
        Sample(SecurityFailed("confirm value failed"), #""text":"confirm value failed""#),
        Sample(SecurityRequested(), ""),
        Sample(
            SecurityChanged(isEncrypted: true, isAuthenticated: false, isBonded: true, keySize: 16),
            #""encrypted":true,"authenticated":false,"bonded":true,"keySize":16"#),
        Sample(BondsDeleted("everyone"), #""text":"everyone""#),
    ]
}
