import BLECentral
import BLECore
import BLEPackets
import BenchModel
import BenchExecutor

extension SuiteRunner {
    /// Takes what the board does.
    func receive(_ event: DeviceEvent) {
        switch event {
        case .console(let line):
            record("console", .console(line: line))
            if consoleHistory.count == Self.consoleHistoryLimit {
                consoleHistory.removeFirst(Self.consoleHistoryLimit / 2)
            }
            consoleHistory.append(line)
            log.append(.console(line), at: executor.now)
            lookAgain()
        case .panic(let message):
            record("board", .panic(message: message))
            die(StepFault(.panic, expected: "the firmware to run on", got: "a panic: \(message)"))
        case .watchdog(let message):
            record("board", .watchdog(message: message))
            die(StepFault(.watchdog, expected: "the firmware to run on", got: "a watchdog reset: \(message)"))
        case .servo(let pin, let isAttached, let angle):
            record("board", .servo(pin: pin, isAttached: isAttached, angle: angle))
            log.append(
                .servo(ServoPosition(pin: pin, isAttached: isAttached, angle: angle)), at: executor.now)
            lookAgain()
        case .powerCut:
            record("board", .power(isOn: false))
            cutCame()
            log.append(.powerCut, at: executor.now)
            lookAgain()
        case .fault(let message):
            die(StepFault(.benchFault, expected: "the bench to do its part", got: message))
        }
    }

    /// Takes what happens on a client's link.
    func receive(_ event: CentralEvent, for client: Int) {
        guard let session = sessions[client] else { return }
        switch event {
        case .advertisement(let advertisement):
            let data = advertisement.data
            record(
                session.name,
                .advertisement(
                    address: advertisement.peer.description, name: data.localName, services: data.serviceUUIDs,
                    rssi: advertisement.rssi))
            onAdvertisement?(advertisement)
        case .notification(let connection, let attribute, let value, let isIndication):
            guard connection == session.connection else { return }
            record(
                session.name,
                isIndication
                    ? .indication(attribute: attribute.rawValue, value: value)
                    : .notification(attribute: attribute.rawValue, value: value))
            log.append(
                .value(client: client, attribute: attribute, isIndication: isIndication, bytes: value),
                at: executor.now)
            lookAgain()
        case .mtuChanged(_, let mtu): record(session.name, .mtu(mtu))
        case .pairingInput(let connection, let input): answer(input, on: connection, for: client)
        case .securityChanged(let connection, let security):
            guard connection == session.connection else { return }
            record(
                session.name,
                .security(
                    isEncrypted: security.isEncrypted, isAuthenticated: security.isAuthenticated,
                    isBonded: security.isBonded, keySize: security.keySize))
        case .securityRequested: record(session.name, .securityRequest)
        case .disconnected(let connection, let reason):
            guard connection == session.connection else { return }
            let reason = reason ?? HCIErrorCode.unspecifiedError.rawValue
            record(session.name, .disconnected(reason: reason))
            sessions[client]?.connection = nil
            if !session.isDisconnecting {
                log.append(.disconnected(client: client, reason: reason), at: executor.now)
            }
            lookAgain()
        }
    }

    /// Lets the expectation that waits look at the log again.
    private func lookAgain() {
        guard let waiting, let outcome = log.outcome(of: waiting.matcher) else { return }
        self.waiting = nil
        waiting.wait.resume(outcome)
    }

    /// Fails what is in progress at once: nothing that it waits for will come.
    func die(_ fault: StepFault) {
        guard crash == nil else { return }
        crash = fault
        waiting?.wait.resume(nil)
        waiting = nil
        abortOperation?(fault)
    }
}
