import BLECore
import BLEHost
import BLEPackets
import Testing

/// Core 5.4, Vol 3 Part H 2.3.5.1, Tables 2.6, 2.7 and 2.8.
@Suite struct AssociationTests {
    /// Table 2.8, written out: J just works, N numeric comparison, D the initiator displays and the responder enters,
    /// E the initiator enters and the responder displays, B both enter; "J/N" in LE legacy pairing the former.
    /// Rows are responders, columns initiators: DisplayOnly, DisplayYesNo, KeyboardOnly, NoInputNoOutput,
    /// KeyboardDisplay.
    private static let table = [
        ["J", "J", "E", "J", "E"],
        ["J", "J/N", "E", "J", "E/N"],
        ["D", "D", "B", "J", "D"],
        ["J", "J", "J", "J", "J"],
        ["D", "D/N", "E", "J", "D/N"],
    ]

    @Test(arguments: [false, true]) func table28(isSecureConnections: Bool) {
        for (responder, row) in Self.table.enumerated() {
            for (initiator, cell) in row.enumerated() {
                let parts = cell.split(separator: "/")
                let letter = isSecureConnections ? parts[parts.count - 1] : parts[0]
                let (model, initiatorPart, responderPart) = Self.meaning(of: letter)
                let request = features(IOCapability(rawValue: UInt8(initiator)))
                let response = features(IOCapability(rawValue: UInt8(responder)))
                for (isInitiator, part) in [(true, initiatorPart), (false, responderPart)] {
                    let association = Association(
                        request: request, response: response, isInitiator: isInitiator,
                        isSecureConnections: isSecureConnections)
                    #expect(association.model == model, "initiator \(initiator), responder \(responder)")
                    #expect(association.part == part, "initiator \(initiator), responder \(responder)")
                }
            }
        }
    }

    private static func meaning(of letter: Substring) -> (AssociationModel, Association.Part, Association.Part) {
        switch letter {
        case "N": (.numericComparison, .compare, .compare)
        case "D": (.passkeyEntry, .display, .enter)
        case "E": (.passkeyEntry, .enter, .display)
        case "B": (.passkeyEntry, .enter, .enter)
        default: (.justWorks, .nothing, .nothing)
        }
    }

    @Test func withoutMITMRequestItIsJustWorks() {
        #expect(model(features(.keyboardOnly, []), features(.displayOnly, []), true) == .justWorks)
        #expect(model(features(.keyboardOnly, [.mitm]), features(.displayOnly, []), true) == .passkeyEntry)
        #expect(model(features(.keyboardOnly, []), features(.displayOnly, [.mitm]), false) == .passkeyEntry)
    }

    @Test func reservedCapabilitiesAreTreatedAsNone() {
        for reserved: UInt8 in [5, 0x80, 0xFF] {
            let capability = IOCapability(rawValue: reserved)
            #expect(model(features(capability), features(.keyboardDisplay), true) == .justWorks)
            #expect(model(features(.keyboardDisplay), features(capability), false) == .justWorks)
        }
    }

    /// One side's data is enough in LE Secure Connections, legacy pairing needs both.
    @Test func outOfBandDataHasPriority() {
        for (initiator, responder) in [(1, 0), (0, 1), (1, 1), (0, 0), (2, 1)] as [(UInt8, UInt8)] {
            let request = features(.noInputNoOutput, [], initiator)
            let response = features(.noInputNoOutput, [], responder)
            let both = initiator == 1 && responder == 1
            #expect(model(request, response, true) == (initiator == 1 || responder == 1 ? .outOfBand : .justWorks))
            #expect(model(request, response, false) == (both ? .outOfBand : .justWorks))
        }
    }

    private func model(_ request: SMPPairingFeatures, _ response: SMPPairingFeatures, _ isSecureConnections: Bool)
        -> AssociationModel
    {
        Association(
            request: request, response: response, isInitiator: true, isSecureConnections: isSecureConnections
        ).model
    }

    private func features(
        _ ioCapability: IOCapability, _ requirements: SMPAuthenticationRequirements = [.mitm],
        _ outOfBandFlag: UInt8 = 0
    ) -> SMPPairingFeatures {
        SMPPairingFeatures(
            ioCapability: ioCapability, outOfBandFlag: outOfBandFlag, requirements: requirements, maximumKeySize: 16,
            initiatorKeys: [], responderKeys: [])
    }
}
