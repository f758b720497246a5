internal import BLECentral
internal import BLEClients
import LivePage

/// The calculator's client and the lock's, each of which finds its peripheral and keeps a connection.
extension LivePhoneModel {
    func open(_ app: LiveApp, _ isOn: Bool) async throws {
        if isOn {
            try await search(false)
            try await disconnect()
            for other in apps where other != app { try await open(other, false) }
            apps.insert(app)
            // Of the peripheral that it finds, when it finds one.
            run { phone in
                switch app {
                case .calculator: await phone.calculator.connect()
                case .lock: await phone.lock.connect()
                }
            }
        } else {
            apps.remove(app)
            questions.end()
            run { phone in
                switch app {
                case .calculator: await phone.calculator.disconnect()
                case .lock: await phone.lock.disconnect()
                }
            }
        }
    }

    func press(_ key: String) async throws {
        guard let key = CalculatorModel.Key(key) else { throw Refusal("there is no such key: \(key)") }
        await calculator.press(key)
    }

    func setLock(_ isLocked: Bool) async throws {
        let command = isLocked ? LockCommand.lock : .unlock
        guard await lock.state.allows(command) else { throw Refusal("the lock cannot do that now") }
        await lock.perform(command)
    }
}

extension CalculatorModel.Key {
    /// A key as the page names it; `nil`: there is none.
    fileprivate init?(_ name: String) {
        switch name {
        case "+": self = .operation(.add)
        case "-": self = .operation(.subtract)
        case "×": self = .operation(.multiply)
        case "=": self = .equals
        case "back": self = .back
        case "clear": self = .clear
        default:
            guard name.utf8.count == 1, let digit = UInt8(name) else { return nil }
            self = .digit(digit)
        }
    }
}
