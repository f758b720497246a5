import BLEHost
import BLEPackets
import BLERadio
import Bench
import BenchExecutor
import BenchModel
import MonotonicTime

extension VirtualAir: AirControl {
    /// The air can do everything.
    nonisolated var airAbilities: Set<BenchAbility> { [.airControl, .powerCut, .eavesdropping] }

    /// Cuts the supply when something happens.
    func cutPower(at point: PowerCut) async {
        cut = point
        await observeRadio()
    }

    // MARK: The air

    /// Plans a fault on the links of the board.
    func plan(_ fault: PDUFault, number: Int) async {
        let controller = await board?.controller
        faults[number] = await radio.add(fault, at: controller)
    }

    /// Which faults have not come.
    func faultsToCome() async -> Set<Int> {
        var numbers: Set<Int> = []
        for (number, fault) in faults where await radio.hits(of: fault) == 0 { numbers.insert(number) }
        return numbers
    }

    /// Lets the air carry as before.
    func clearFaults() async {
        for fault in faults.values { await radio.remove(fault) }
        faults.removeAll()
        path = RadioPath()
        applyPath()
    }

    /// Sets how well the air carries.
    func setAir(loss: Int?, pathLoss: Int?) async {
        if let loss { path.lossRate = Double(loss) / 100 }
        if let pathLoss { path.pathLoss = pathLoss }
        applyPath()
    }

    /// Lets every central hear the board over the path.
    func applyPath() {
        guard let controller = board?.assumeIsolated({ $0.controller }) else { return }
        let path = path
        for central in centrals {
            radio.assumeIsolated { $0.setPath(path, between: controller, and: central) }
        }
    }

    // MARK: Eavesdropping

    /// Whether an eavesdropper near the board receives its pairings.
    func setEavesdropping(_ isOn: Bool) async {
        eavesdropper = isOn ? PasskeyEavesdropper() : nil
        await observeRadio()
    }

    /// The passkey that was overheard last.
    func overheardPasskey() -> UInt32? {
        eavesdropper?.passkey
    }

    /// Lets the eavesdropper hear a packet of the board.
    func overhear(_ seen: Radio.Observation) {
        guard eavesdropper != nil, !centrals.contains(seen.controller) else { return }
        eavesdropper?.observe(seen.packet, isFromHost: seen.isFromHost, now: seen.time)
    }

    // MARK: The cut of the power

    /// Cuts the power as soon as everything of this instant has happened.
    private func cutPowerNow() {
        cut = nil
        executor.post {
            self.assumeIsolated { air in
                try? air.board?.assumeIsolated { try $0.cutPower() }
                air.post(PowerSwitched(isOn: false))
            }
        }
    }

    /// Counts the PDUs that the hosts receive.
    func checkPowerCut(_ seen: Radio.Observation) {
        guard case .pdu(var point) = cut, !seen.isFromHost, seen.packet.startsFrame,
            point.kind.matches(firstPacket: seen.packet.bytes)
        else { return }
        let sender: HCIRole = centrals.contains(seen.controller) ? .peripheral : .central
        guard point.sender ?? sender == sender else { return }
        point.occurrence -= 1
        cut = .pdu(point)
        if point.occurrence == 0 { cutPowerNow() }
    }

    /// The firmware changes its storage, and the chip is done at `end`.
    func storageWritten(until end: MonotonicInstant) {
        guard case .storageWrite(let remaining) = cut else { return }
        cut = .storageWrite(remaining - 1)
        guard remaining == 1 else { return }
        cut = nil
        let half = executor.now.duration(to: end) / 2
        executor.schedule(at: executor.now.advanced(by: half)) { self.assumeIsolated { $0.cutPowerNow() } }
    }
}

extension PowerCut {
    var isPDU: Bool {
        if case .pdu = self { true } else { false }
    }
}
