import BLECentral
import BLECore
import BLEPackets
import Bench
import BoardParts
import BenchExecutor
import BenchModel
import MonotonicTime

extension FakeBench: Board {
    nonisolated var abilities: Set<BenchAbility> {
        let board: Set<BenchAbility> = [
            .power, .reset, .flash, .console, .buttons, .bootButton, .servo, .outputPins, .pwm, .uarts,
            .centralAddresses,
            .severalCentrals,
        ]
        return board.union(CentralAbility.allCases.map { .central($0) }).subtracting(lacking)
    }

    func restore() {
        boardBonds = []
        faults = []
        cut = nil
    }

    func setPower(_ isOn: Bool) async throws {
        self.isOn = isOn
        note(isOn ? "power on" : "power off")
        if isOn { boot() }
        if !isOn { dropAll(reason: 0x08, after: .milliseconds(420)) }
        if switchingTime > .zero { try await BenchClock(executor).sleep(for: switchingTime) }
    }

    func cutPower() {
        isOn = false
        dropAll(reason: 0x08, after: .milliseconds(420))
    }

    func reset() {
        note("reset")
        isOn = true
        boot()
    }

    private func boot() {
        print("BLE Service is advertising", after: .milliseconds(20))
    }

    /// Pin 7 is no input.
    func setButton(pin: Int, isPressed: Bool) throws {
        if pin == 7, !isPressed { throw ButtonWithoutEffect("pin 7 is no input") }
        note("button \(pin) \(isPressed ? "pressed" : "released") at \(executor.now.nanoseconds / 1_000_000) ms")
    }

    /// The sketch sends back what it gets.
    func send(_ bytes: [UInt8], uart: Int) {
        note("uart \(uart) \(bytes.count)")
        events.post(
            .event(
                BenchEvent(
                    time: executor.now, source: BenchBoard.onlyName,
                    payload: UARTBytesReceived(port: uart, bytes: bytes))))
    }

    func wire(uart: Int, watchesRTS: Bool?, clearToSend: Bool?) {}

    func type(_ bytes: [UInt8]) {
        let line = String(decoding: bytes, as: UTF8.self).dropLast()
        note("type \(line)")
        if line == "plug in" { plugIn() }
        if line == "pin high" { post(PinChanged(pin: 26, isHigh: true)) }
        if line == "pulse" {
            post(PinChanged(pin: 26, isHigh: true))
            post(PinChanged(pin: 26, isHigh: false))
        }
        if line.hasPrefix("draw ") { show(pixel: Int(line.dropFirst(5)) ?? 0) }
        if line.hasPrefix("write ") {
            post(I2CTransferred(address: 0x27, part: "lcd", written: [8], read: [], status: 0))
            let text = String(line.dropFirst(6).map { $0 == "|" ? "\n" : $0 })
            post(PartChanged(part: "lcd", reading: "text", value: text))
            post(PartChanged(part: "lcd", reading: "line1", value: String(text.prefix { $0 != "\n" })))
        }
        if line.hasPrefix("later ") {
            executor.schedule(at: executor.now.advanced(by: .milliseconds(50))) {
                self.assumeIsolated { $0.show(pixel: Int(line.dropFirst(6)) ?? 0) }
            }
        }
        if line == "pwm" { post(PWMChanged(pin: 5, signal: PWMChanged.Signal(millihertz: 5_000_000, duty: 500_000))) }
        if line == "angle" {
            post(ServoMoved(pin: 13, isAttached: true, angle: 90))
            post(PartChanged(part: "arm", reading: "angle", value: "90.4 °", thousandths: 90_400))
        }
    }

    /// Lights one pixel of the screen and no other.
    private func show(pixel: Int) {
        picture.pixels = (0..<32).map { $0 == pixel ? 0xFFFFFF : 0 }
        let reading = PartReading.picture(picture)
        post(I2CTransferred(address: 0x3C, part: "screen", written: [0x40], read: [], status: 0))
        post(PartChanged(part: "screen", reading: "picture", value: reading.text(.picture), digest: reading.digest))
    }

    private func post(_ payload: some EventPayload) {
        events.post(.event(BenchEvent(time: executor.now, source: BenchBoard.onlyName, payload: payload)))
    }
}

/// The one part that answers is an LED on pin 26 called `alarm`: it is on while something is warmer than 30 °C.
extension FakeBench: BoardWorld {
    nonisolated var worldAbilities: Set<BenchAbility> { Set([.parts, .i2cMaster]).subtracting(lacking) }

    /// A slave at 0x28 that has two bytes to send: the number of those written to it, and the pin of SDA.
    func transfer(_ request: I2CMasterRequest) throws -> I2CMasterAnswer {
        note("i2c \(request.address) \(request.written) \(request.readCount) at \(request.clock)")
        if request.address == 0x29 { throw I2CMasterFault("the sketch is no I²C slave") }
        guard request.address == 0x28 else { return I2CMasterAnswer(refusal: "the sketch is a slave at 0x28") }
        let bytes = [UInt8(clamping: request.written.count), UInt8(clamping: request.data ?? 21)]
        let read = (0..<request.readCount).map { $0 < 2 ? bytes[$0] : 0xFF }
        return I2CMasterAnswer(written: min(request.written.count, 8), read: read, prepared: min(2, request.readCount))
    }

    func wire(_ parts: [WiredPart]) throws {
        if parts.isEmpty { return }
        note("wire \(parts.map { "\($0.name) \($0.kind.name)" }.joined(separator: ", "))")
        if parts.contains(where: { $0.name == "faulty" }) { throw PartFault("part 'faulty': too hot") }
    }

    func set(_ part: String, _ quantity: String, to course: QuantityCourse) {
        note("set \(part).\(quantity) \(course)")
        guard quantity == "temperature", case .constant(let value) = course else { return }
        post(PinChanged(pin: 26, isHigh: value > 30))
        post(PartChanged(part: "alarm", reading: "state", value: value > 30 ? "on" : "off"))
    }

    func setPlugged(_ part: String, _ isPlugged: Bool) { note("\(part) \(isPlugged)") }

    func plan(_ fault: BusFault, of part: String, number: Int) { note("\(fault) of \(part)") }

    func busFaultsToCome() -> [Int: String] { [:] }

    func clearBusFaults() {}

    func reading(_ part: String, _ reading: String?) -> PartReading? { part == "screen" ? .picture(picture) : nil }

    var unnoticedPart: (part: String, reason: String)? { nil }
}

extension FakeBench: BoardStorage {
    func eraseNVS() {
        note("erase NVS")
        boardBonds = []
    }

    func bonds() -> [DeviceAddress] { boardBonds }

    func forgetBonds(with peer: DeviceAddress?) {
        boardBonds.removeAll { peer == nil || peer == $0 }
    }
}

extension FakeBench: CentralProvider {
    func makeCentral(address: DeviceAddress?) throws -> BenchCentral {
        if isUnplugged { throw FakeCentral.unplugged("a central") }
        let identity = address ?? DeviceAddress(0xC0EB_0000_0001 + UInt64(centrals.count), .random)
        let central = FakeCentral(self, number: centrals.count, identity: identity)
        centrals.append(central)
        return BenchCentral(backend: central, identity: identity)
    }
}

extension FakeBench: AirControl {
    private static let airAbilities: Set<BenchAbility> = [.airControl, .powerCut, .eavesdropping]

    nonisolated var airAbilities: Set<BenchAbility> { Self.airAbilities.subtracting(lacking) }

    func plan(_ fault: PDUFault, number: Int, at board: BoardID) {
        let channel = fault.point.kind.isLinkControl ? " of channel 0" : ""
        note(
            "fault \(fault.action) at \(fault.point.kind.opcodes.sorted()) \(fault.point.occurrence)"
                + channel + (fault.count == nil ? ", every" : "") + of(board))
        faults.insert(number)
    }

    func faultsToCome() -> Set<Int> { faults }

    /// Recorded only if there is something to clear: every case begins with a call.
    func clearFaults() {
        if !faults.isEmpty { note("faults cleared") }
        faults = []
    }

    func setAir(loss: Int?, pathLoss: Int?, at board: BoardID?) {
        note("air \(loss ?? -1) \(pathLoss ?? -1)\(board.map(of) ?? "")")
    }

    func cutPower(of board: BoardID, at point: PowerCut) {
        cut = point
        cutBoard = board
    }

    func setEavesdropping(_ isOn: Bool) {
        isEavesdropping = isOn
    }

    func overheardPasskey(near board: BoardID) -> UInt32? { isEavesdropping ? overheard : nil }

    /// What a call's note says of a board other than the first.
    private func of(_ board: BoardID) -> String { board == .first ? "" : " of board \(board.index)" }

    func overhear(_ passkey: UInt32) {
        overheard = passkey
    }
}
