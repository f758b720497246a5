public import BLECentral
public import BLECore

/// A service that carries a serial line.
public enum BLESerialService: String, Sendable, CaseIterable {
    /// The service of the HM-10 module: one characteristic for both directions.
    case hm10
    /// The Nordic UART Service: a characteristic for each direction.
    case nordicUART

    /// The service.
    public var uuid: BLEUUID {
        switch self {
        case .hm10: BLEUUID(0xFFE0)
        case .nordicUART: BLEUUID(literal: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
        }
    }

    /// Characteristic that takes the bytes for the board.
    public var input: BLEUUID {
        switch self {
        case .hm10: BLEUUID(0xFFE1)
        case .nordicUART: BLEUUID(literal: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
        }
    }

    /// Characteristic that notifies the bytes of the board.
    public var output: BLEUUID {
        switch self {
        case .hm10: BLEUUID(0xFFE1)
        case .nordicUART: BLEUUID(literal: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
        }
    }

    /// The name shown to users.
    public var name: String {
        switch self {
        case .hm10: "HM-10"
        case .nordicUART: "Nordic UART"
        }
    }

    /// The factory name of an HM-10.
    public static let factoryName = "HMSoft"
}

extension Advertisement {
    /// True if a serial service is advertised, or the name of an HM-10.
    public var offersSerial: Bool {
        data.serviceUUIDs.contains { uuid in BLESerialService.allCases.contains { $0.uuid == uuid } }
            || data.localName == BLESerialService.factoryName
    }
}

/// The characteristics of a connected board's serial line.
struct BLESerialLine: Sendable {
    let service: BLESerialService
    let input: Characteristic
    let output: Characteristic
    /// A read that any board answers; `nil`: the stack hides such characteristics.
    let readable: (@Sendable () async throws(CentralError) -> Void)?
    /// The status of a board that counts the bytes it passes on.
    let status: Characteristic?
    /// The position of a board that numbers its bytes.
    let position: Characteristic?

    /// The serial service of a board; the HM-10's if the board has both.
    ///
    /// - Throws: `invalidState` if there is none, or it cannot be used.
    init(_ services: [Service]) throws(CentralError) {
        var fault: CentralError?
        for kind in BLESerialService.allCases {
            guard let service = services.first(where: { $0.uuid == kind.uuid }) else { continue }
            do throws(CentralError) {
                self = try Self(kind, service, services)
                return
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
        let wanted = BLESerialService.allCases.map { "\($0.uuid) (\($0.name))" }.joined(separator: " or ")
        let list = services.isEmpty ? "no services" : services.map { "\($0.uuid)" }.joined(separator: ", ")
        throw CentralError(.invalidState, "expected the service \(wanted), the peripheral has \(list)")
    }

    private init(
        _ kind: BLESerialService, _ service: Service, _ services: [Service]
    ) throws(CentralError) {
        self.service = kind
        input = try service.characteristic(kind.input)
        output = try service.characteristic(kind.output)
        guard !input.properties.isDisjoint(with: [.write, .writeWithoutResponse]) else {
            throw CentralError(.invalidState, "\(kind.name): expected \(kind.input) to take writes, it does not")
        }
        guard !output.properties.isDisjoint(with: [.notify, .indicate]) else {
            throw CentralError(.invalidState, "\(kind.name): expected \(kind.output) to notify, it does not")
        }
        // The answer confirms earlier writes. Reads the descriptor, since not every board answers a read of a
        // characteristic that is not readable.
        if let configuration = output.descriptors.first(where: { $0.uuid == BLEUUID(0x2902) }) {
            readable = { () async throws(CentralError) in _ = try await configuration.read() }
        } else if let value = ([output] + services.flatMap(\.characteristics)).first(where: {
            $0.properties.contains(.read)
        }) {
            readable = { () async throws(CentralError) in _ = try await value.read() }
        } else {
            readable = nil
        }
        // Both are in the HM-10's service, even if the other service carries the bytes.
        let extras = services.filter { $0.uuid == BLESerialService.hm10.uuid }.flatMap(\.characteristics)
        status = extras.first { $0.uuid == BLESerialStatus.uuid && $0.properties.contains(.read) }
        position = extras.first {
            $0.uuid == BLESerialPosition.uuid && $0.properties.isSuperset(of: [.read, .write])
        }
    }
}
