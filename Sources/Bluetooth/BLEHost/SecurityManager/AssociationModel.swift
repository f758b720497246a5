internal import BLECore
package import BLEPackets

/// The association model of a pairing (Core 5.4, Vol 3 Part H 2.3.5.1).
package enum AssociationModel: Hashable, Sendable {
    /// Just Works: no MITM protection.
    case justWorks
    /// Passkey Entry.
    case passkeyEntry
    /// Numeric Comparison; LE Secure Connections only.
    case numericComparison
    /// Out of Band.
    case outOfBand
}

/// The association model, and one side's user interaction.
package struct Association: Hashable, Sendable {
    /// The user's interaction on one side.
    package enum Part: Hashable, Sendable {
        case nothing
        case display
        case enter
        case compare
        case outOfBand
    }

    /// The model.
    package var model: AssociationModel
    /// This device's part.
    package var part: Part

    /// Selects the model from both sides' features (Tables 2.6 to 2.8). Reserved IO capabilities are treated as
    /// NoInputNoOutput.
    package init(
        request: SMPPairingFeatures, response: SMPPairingFeatures, isInitiator: Bool, isSecureConnections: Bool
    ) {
        let flags = (request.outOfBandFlag == 1, response.outOfBandFlag == 1)
        let usesOutOfBand = isSecureConnections ? flags.0 || flags.1 : flags.0 && flags.1
        let wantsProtection = request.requirements.union(response.requirements).contains(.mitm)
        if usesOutOfBand {
            self.init(.outOfBand, .outOfBand)
        } else if wantsProtection {
            self.init(
                request.ioCapability, response.ioCapability, isInitiator: isInitiator,
                isSecureConnections: isSecureConnections)
        } else {
            self.init(.justWorks, .nothing)
        }
    }

    private init(_ model: AssociationModel, _ part: Part) {
        self.model = model
        self.part = part
    }

    /// Table 2.8.
    private init(
        _ initiator: IOCapability, _ responder: IOCapability, isInitiator: Bool, isSecureConnections: Bool
    ) {
        let canCompare: Set<IOCapability> = [.displayYesNo, .keyboardDisplay]
        let hasKeyboard: Set<IOCapability> = [.keyboardOnly, .keyboardDisplay]
        let canTakePart: Set<IOCapability> = [.displayOnly, .displayYesNo, .keyboardOnly, .keyboardDisplay]
        func passkey(_ initiatorPart: Part, _ responderPart: Part) -> (AssociationModel, Part) {
            (.passkeyEntry, isInitiator ? initiatorPart : responderPart)
        }
        (model, part) =
            if !canTakePart.contains(initiator) || !canTakePart.contains(responder) {
                (.justWorks, .nothing)
            } else if isSecureConnections, canCompare.contains(initiator), canCompare.contains(responder) {
                (.numericComparison, .compare)
            } else if initiator == .keyboardOnly {
                passkey(.enter, responder == .keyboardOnly ? .enter : .display)
            } else if hasKeyboard.contains(responder) {
                passkey(.display, .enter)
            } else if hasKeyboard.contains(initiator) {
                passkey(.enter, .display)
            } else {
                (.justWorks, .nothing)
            }
    }
}
