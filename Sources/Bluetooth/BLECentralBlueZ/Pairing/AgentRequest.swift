package import BLECore
package import DBus

/// A call of BlueZ to the agent of this central (BlueZ's doc/agent-api.txt).
package enum AgentRequest: Hashable {
    /// A question for the user about the pairing with a device.
    case input(device: String, PairingInput)
    /// BlueZ has chosen the passkey that the user of the device enters.
    case displayed(device: String, passkey: UInt32)
    /// A question whether the device may pair without confirmation, or use a service: allowed if this central connected
    /// to it.
    case authorization(device: String)
    /// A request that occurs with BR/EDR only.
    case unsupported
    /// The pairing has ended before it was answered.
    case cancelled
    /// BlueZ has released the agent.
    case released

    /// `nil` if the call is not a method of an agent, or has other arguments.
    package init?(_ call: DBusMessage) {
        guard call.interface == BlueZ.agent else { return nil }
        let device = call.body.first?.text
        switch (call.member, device) {
        case ("RequestPasskey", let device?): self = .input(device: device, .enterPasskey)
        case ("RequestConfirmation", let device?):
            guard call.body.count == 2, case .uint32(let number) = call.body[1] else { return nil }
            self = .input(device: device, .compareNumbers(number))
        case ("DisplayPasskey", let device?):
            guard call.body.count >= 2, case .uint32(let number) = call.body[1] else { return nil }
            self = .displayed(device: device, passkey: number)
        case ("RequestAuthorization", let device?), ("AuthorizeService", let device?):
            self = .authorization(device: device)
        case ("RequestPinCode", _), ("DisplayPinCode", _): self = .unsupported
        case ("Cancel", _): self = .cancelled
        case ("Release", _): self = .released
        default: return nil
        }
    }

    /// The results with which `input` is answered; an error's name for a refusal; `nil` if the answer does not fit.
    package static func reply(_ answer: PairingAnswer, to input: PairingInput) -> Result<[DBusValue], AgentRefusal>? {
        switch (input, answer) {
        case (.enterPasskey, .passkey(let passkey)): passkey <= 999_999 ? .success([.uint32(passkey)]) : nil
        case (.compareNumbers, .confirm(true)): .success([])
        case (.compareNumbers, .confirm(false)): .failure(AgentRefusal(name: BlueZ.Fault.rejected))
        case (_, .cancel): .failure(AgentRefusal(name: BlueZ.Fault.canceled))
        default: nil
        }
    }
}

/// A refusal of an agent.
package struct AgentRefusal: Error, Hashable {
    /// The name of the error with which the agent answers.
    package var name: String

    package init(name: String) { self.name = name }
}

extension IOCapability {
    /// BlueZ's name of the IO capability of an agent; `nil` if there is none.
    package var agentWord: String? {
        switch self {
        case .displayOnly: "DisplayOnly"
        case .displayYesNo: "DisplayYesNo"
        case .keyboardOnly: "KeyboardOnly"
        case .noInputNoOutput: "NoInputNoOutput"
        case .keyboardDisplay: "KeyboardDisplay"
        default: nil
        }
    }
}
