internal import BLECore
internal import BLEPackets

/// Discovers all primary services, their characteristics and descriptors (Core 5.4, Vol 3 Part G 4.4.1, 4.6.1, 4.7.1).
///
/// Secondary and included services are not discovered. Every response must advance within the requested range, so
/// discovery always ends.
struct DiscoveryProcedure: GATTProcedure {
    private enum Phase {
        case services
        /// The characteristics of the service at this index.
        case characteristics(Int)
        /// The descriptors of the characteristic at the second index in the service at the first.
        case descriptors(Int, Int)
    }

    private var phase = Phase.services
    private var services: [DiscoveredService] = []
    /// The handle ranges of the services.
    private var ranges: [ClosedRange<UInt16>] = []
    /// The declarations of the characteristics of the service in this phase.
    private var declarations: [UInt16] = []
    /// The handles not requested yet in this phase.
    private var range: ClosedRange<UInt16> = 1...0xFFFF

    mutating func start(mtu: Int) -> GATTProcedureStep {
        request()
    }

    mutating func receive(_ response: ArraySlice<UInt8>, mtu: Int) throws -> GATTProcedureStep {
        let last: UInt16
        switch phase {
        case .services: last = try parseServices(response)
        case .characteristics(let service): last = try parseCharacteristics(response, of: service)
        case .descriptors(let service, let characteristic):
            last = try parseDescriptors(response, of: service, characteristic)
        }
        guard last < range.upperBound else { return endPhase() }
        range = last + 1...range.upperBound
        return request()
    }

    mutating func refused(_ error: ATTErrorResponse, mtu: Int) -> GATTProcedureStep {
        error.code == .attributeNotFound ? endPhase() : .failed(GATTClientError(error))
    }

    private func request() -> GATTProcedureStep {
        switch phase {
        case .services:
            .request(
                ATTReadByGroupTypeRequest(
                    startHandle: range.lowerBound, endHandle: range.upperBound, groupType: .primaryService
                ).bytes)
        case .characteristics:
            .request(
                ATTReadByTypeRequest(
                    startHandle: range.lowerBound, endHandle: range.upperBound, type: .characteristic
                ).bytes)
        case .descriptors:
            .request(
                ATTFindInformationRequest(startHandle: range.lowerBound, endHandle: range.upperBound).bytes)
        }
    }

    // MARK: Responses

    private mutating func parseServices(_ response: ArraySlice<UInt8>) throws -> UInt16 {
        let entries = try ATTReadByGroupTypeResponse(decoding: response).entries
        for entry in entries {
            let last = ranges.last?.upperBound ?? 0
            guard entry.handle > last, entry.groupEndHandle >= entry.handle else {
                throw outOfRange(ATTReadByGroupTypeResponse.name, entry.handle, after: last)
            }
            let uuid = try uuid(entry.value, ATTReadByGroupTypeResponse.name, entry.handle)
            ranges.append(entry.handle...entry.groupEndHandle)
            services.append(DiscoveredService(uuid: uuid, handles: ranges.last, characteristics: []))
        }
        return ranges.last?.upperBound ?? range.upperBound
    }

    private mutating func parseCharacteristics(_ response: ArraySlice<UInt8>, of service: Int) throws -> UInt16 {
        let name = ATTReadByTypeResponse.name
        var last = range.lowerBound - 1
        for entry in try ATTReadByTypeResponse(decoding: response).entries {
            guard entry.handle > last, entry.handle <= range.upperBound else {
                throw outOfRange(name, entry.handle, after: last)
            }
            let declaration = Array(entry.value)
            guard declaration.count > 3 else {
                throw GATTClientError.violation(
                    """
                    \(name): expected a characteristic declaration of 5 or 19 bytes, got \(declaration.count) \
                    (\(attributeText(entry.handle)))
                    """)
            }
            let value = UInt16(declaration[1]) | UInt16(declaration[2]) << 8
            guard value > entry.handle, value <= range.upperBound else {
                throw outOfRange(name, value, after: entry.handle)
            }
            // The next declaration must follow this value.
            last = value
            declarations.append(entry.handle)
            services[service].characteristics.append(
                DiscoveredCharacteristic(
                    uuid: try uuid(declaration[3...], name, entry.handle), value: AttributeID(rawValue: value),
                    handle: value, properties: CharacteristicProperties(rawValue: declaration[0]), descriptors: []))
        }
        return last
    }

    private mutating func parseDescriptors(
        _ response: ArraySlice<UInt8>, of service: Int, _ characteristic: Int
    ) throws -> UInt16 {
        var last = range.lowerBound - 1
        for entry in try ATTFindInformationResponse(decoding: response).entries {
            guard entry.handle > last, entry.handle <= range.upperBound else {
                throw outOfRange(ATTFindInformationResponse.name, entry.handle, after: last)
            }
            last = entry.handle
            services[service].characteristics[characteristic].descriptors.append(
                DiscoveredDescriptor(
                    uuid: entry.type, attribute: AttributeID(rawValue: entry.handle), handle: entry.handle))
        }
        return last
    }

    private func uuid(_ bytes: ArraySlice<UInt8>, _ name: StaticString, _ handle: UInt16) throws -> BLEUUID {
        guard bytes.count == 2 || bytes.count == 16, let uuid = BLEUUID(littleEndian: bytes) else {
            throw GATTClientError.violation(
                "\(name): expected a UUID of 2 or 16 bytes, got \(bytes.count) (\(attributeText(handle)))")
        }
        return uuid
    }

    private func outOfRange(_ name: StaticString, _ handle: UInt16, after last: UInt16) -> GATTClientError {
        .violation(
            """
            \(name): expected a handle after \(attributeText(last)) up to \(attributeText(range.upperBound)), \
            got \(attributeText(handle))
            """)
    }

    // MARK: Phases

    private mutating func endPhase() -> GATTProcedureStep {
        switch phase {
        case .services: characteristics(from: 0)
        case .characteristics(let service): descriptors(of: service, from: 0)
        case .descriptors(let service, let characteristic): descriptors(of: service, from: characteristic + 1)
        }
    }

    private mutating func characteristics(from first: Int) -> GATTProcedureStep {
        for index in services.indices.dropFirst(first) where ranges[index].count > 1 {
            phase = .characteristics(index)
            declarations = []
            range = ranges[index].lowerBound + 1...ranges[index].upperBound
            return request()
        }
        return .finished(.services(services))
    }

    private mutating func descriptors(of service: Int, from first: Int) -> GATTProcedureStep {
        let characteristics = services[service].characteristics
        for index in characteristics.indices.dropFirst(first) {
            let end = index + 1 < characteristics.count ? declarations[index + 1] - 1 : ranges[service].upperBound
            let value = characteristics[index].value.rawValue
            guard value < end else { continue }
            phase = .descriptors(service, index)
            range = value + 1...end
            return request()
        }
        return self.characteristics(from: service + 1)
    }
}

extension BLEUUID {
    fileprivate static let primaryService = BLEUUID(0x2800)
    fileprivate static let characteristic = BLEUUID(0x2803)
}
