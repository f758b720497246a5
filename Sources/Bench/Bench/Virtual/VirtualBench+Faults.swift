public import BLECore
import BLEHost
public import BLEPackets
import BLERadio
import MonotonicTime
import BenchExecutor
import VirtualBoard

/// What is done to the board and the air on purpose.
extension VirtualBench {
    /// A cut of the power that is to come.
    enum PlannedCut {
        case console(@Sendable (String) -> Bool)
        case storageWrite(remaining: Int)
        case pdu(PDUPoint)

        var isPDU: Bool {
            if case .pdu = self { true } else { false }
        }
    }

    /// Makes the board and the air as they were.
    public func restore() async throws {
        cut = nil
        if eavesdropper != nil { eavesdropper = PasskeyEavesdropper() }
        await observeRadio()
        await board.releaseAllButtons()
        try await board.eraseNVS()
        await clearFaults()
    }

    /// Cuts the supply when something happens.
    public func cutPower(at point: PowerCut) async {
        cut =
            switch point {
            case .console(let isWanted): .console(isWanted)
            case .storageWrite(let count): .storageWrite(remaining: count)
            case .pdu(let pdu): .pdu(pdu)
            }
        await observeRadio()
    }

    /// Erases what the firmware keeps.
    public func eraseNVS() async throws {
        try await board.eraseNVS()
    }

    /// With whom the board has bonds.
    public func bonds() async -> [DeviceAddress] {
        await board.bonds
    }

    /// Deletes bonds of the board.
    public func forgetBonds(with peer: DeviceAddress?) async {
        await board.forgetBonds(with: peer)
    }

    // MARK: The air

    /// Plants a fault on the links of the board.
    public func plant(_ fault: PDUFault, number: Int) async {
        let controller = await board.controller
        faults[number] = await radio.add(fault, at: controller)
    }

    /// Which faults have not come.
    public func faultsToCome() async -> Set<Int> {
        var numbers: Set<Int> = []
        for (number, fault) in faults where await radio.hits(of: fault) == 0 { numbers.insert(number) }
        return numbers
    }

    /// Lets the air carry as before.
    public func clearFaults() async {
        for fault in faults.values { await radio.remove(fault) }
        faults.removeAll()
        path = RadioPath()
        applyPath()
    }

    /// Sets how well the air carries.
    public func setAir(loss: Int?, pathLoss: Int?) async {
        if let loss { path.lossRate = Double(loss) / 100 }
        if let pathLoss { path.pathLoss = pathLoss }
        applyPath()
    }

    /// Lets every central hear the board over the path.
    func applyPath() {
        guard let controller = board.assumeIsolated({ $0.controller }) else { return }
        let path = path
        for central in centrals {
            radio.assumeIsolated { $0.setPath(path, between: controller, and: central) }
        }
    }

    // MARK: Eavesdropping

    /// Whether somebody near the board listens to its pairings.
    public func setEavesdropping(_ isOn: Bool) async {
        eavesdropper = isOn ? PasskeyEavesdropper() : nil
        await observeRadio()
    }

    /// The passkey that was overheard last.
    public func overheardPasskey() -> UInt32? {
        eavesdropper?.passkey
    }

    /// Lets the eavesdropper hear a packet of the board.
    func overhear(_ seen: Radio.Observation) {
        guard eavesdropper != nil, !centrals.contains(seen.controller) else { return }
        eavesdropper?.observe(seen.packet, isFromHost: seen.isFromHost, now: seen.time)
    }

    // MARK: The cut of the power

    /// Counts the PDUs that the hosts receive.
    func lookForCut(_ seen: Radio.Observation) {
        guard case .pdu(var point) = cut, !seen.isFromHost, seen.packet.startsFrame,
            point.kind.matches(firstPacket: seen.packet.bytes)
        else { return }
        let sender: HCIRole = centrals.contains(seen.controller) ? .peripheral : .central
        guard point.sender ?? sender == sender else { return }
        point.occurrence -= 1
        cut = .pdu(point)
        if point.occurrence == 0 { cutPower() }
    }

    /// The firmware changes its storage, and the chip is done at `end`.
    func storageWritten(until end: MonotonicInstant) {
        guard case .storageWrite(let remaining) = cut else { return }
        cut = .storageWrite(remaining: remaining - 1)
        guard remaining == 1 else { return }
        cut = nil
        let half = executor.now.duration(to: end) / 2
        executor.schedule(at: executor.now.advanced(by: half)) { self.assumeIsolated { $0.cutPower() } }
    }
}
