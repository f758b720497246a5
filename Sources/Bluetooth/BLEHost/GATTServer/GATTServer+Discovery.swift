internal import BLEPackets
internal import ByteCodec

/// Find Information, Find By Type Value, Read By Type, Read By Group Type.
extension GATTServer {
    /// The maximum value lengths of these requests: the sizes of NimBLE's stack buffers.
    private static let findByTypeValueLimit = 16
    private static let readByTypeLimit = 19

    private func isRange(
        _ start: UInt16, _ end: UInt16, _ opcode: ATTOpcode, _ connection: GATTServerConnection
    ) -> Bool {
        guard start == 0 || start > end else { return true }
        refuse(opcode, start, .invalidHandle, connection)
        return false
    }

    /// The indices of the attributes with handles from `start` to `end`, or to the end of the database.
    private func indices(_ start: UInt16, _ end: UInt16) -> Range<Int> {
        let lower = min(Int(start) - 1, attributes.count)
        return lower..<max(lower, min(Int(end), attributes.count))
    }

    func handleFindInformation(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTFindInformationRequest.self, body, connection),
            isRange(request.startHandle, request.endHandle, .findInformationRequest, connection)
        else { return }
        let range = indices(request.startHandle, request.endHandle)
        guard let first = range.first else {
            return refuse(.findInformationRequest, request.startHandle, .attributeNotFound, connection)
        }
        let width = attributes[first].type.bytes.count
        var writer = ByteWriter(capacity: connection.mtu)
        writer.uint8(ATTOpcode.findInformationResponse.rawValue)
        writer.uint8(width == 2 ? 1 : 2)
        for index in range {
            let type = attributes[index].type.bytes
            guard type.count == width, writer.count + 2 + width <= connection.mtu else { break }
            writer.uint16(UInt16(index + 1))
            writer.append(type)
        }
        send(writer.bytes, to: connection)
    }

    func handleFindByTypeValue(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard let request = decode(ATTFindByTypeValueRequest.self, body, connection),
            isRange(request.startHandle, request.endHandle, .findByTypeValueRequest, connection)
        else { return }
        guard freeBuffers > 0 else {
            return refuse(.findByTypeValueRequest, request.startHandle, .insufficientResources, connection)
        }
        let type = AttributeType.uuid16(request.type)
        var entries: [ATTFindByTypeValueResponse.Entry] = []
        search: for index in indices(request.startHandle, request.endHandle) where attributes[index].type == type {
            switch readShort(index, limit: Self.findByTypeValueLimit, connection) {
            case .refused(let code):
                return refuse(.findByTypeValueRequest, request.startHandle, code, connection)
            case .value(let value):
                // NimBLE compares only as many bytes as the attribute has, so a longer requested value also matches.
                guard isStrict ? request.value.elementsEqual(value) : request.value.starts(with: value) else {
                    continue
                }
                guard 1 + 4 * (entries.count + 1) <= connection.mtu else { break search }
                let end = UInt16(groupEnd(index) + 1)
                entries.append(.init(handle: UInt16(index + 1), groupEndHandle: end))
            }
        }
        guard !entries.isEmpty else {
            return refuse(.findByTypeValueRequest, request.startHandle, .attributeNotFound, connection)
        }
        send(ATTFindByTypeValueResponse(entries: entries).bytes, to: connection)
    }

    /// The index of the last attribute of the group that the attribute at `index` begins; it may be beyond the
    /// requested range. An attribute that is not a declaration is its own group.
    private func groupEnd(_ index: Int) -> Int {
        let type = attributes[index].type
        guard type.isService || type == .characteristic else { return index }
        let next = attributes[(index + 1)...].firstIndex {
            $0.type.isService || (type == .characteristic && $0.type == .characteristic)
        }
        return (next ?? attributes.count) - 1
    }

    func handleReadByType(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard body.count >= 4, let type = AttributeType(littleEndian: body.dropFirst(4)) else {
            return refuseMalformed(.readByTypeRequest, connection)
        }
        let (start, end) = range(body)
        guard isRange(start, end, .readByTypeRequest, connection) else { return }
        var writer = ByteWriter(capacity: connection.mtu)
        writer.uint8(ATTOpcode.readByTypeResponse.rawValue)
        writer.uint8(0)
        var length = 0
        for index in indices(start, end) where attributes[index].type == type {
            switch readShort(index, limit: Self.readByTypeLimit, connection) {
            case .refused(let code):
                // Values found so far are sent even if a later attribute fails.
                if writer.count > 2 { return sendReadByType(writer, length, connection) }
                return refuse(.readByTypeRequest, UInt16(index + 1), code, connection)
            case .value(let value):
                // An empty value does not determine the length of the following values.
                if length == 0 { length = value.count }
                guard value.count == length, writer.count + 2 + length <= connection.mtu else {
                    return sendReadByType(writer, length, connection)
                }
                writer.uint16(UInt16(index + 1))
                writer.append(value)
            }
        }
        guard writer.count > 2 else {
            return refuse(.readByTypeRequest, start, .attributeNotFound, connection)
        }
        sendReadByType(writer, length, connection)
    }

    private func sendReadByType(_ writer: ByteWriter, _ length: Int, _ connection: GATTServerConnection) {
        var pdu = writer.bytes
        pdu[1] = UInt8(2 + length)
        send(pdu, to: connection)
    }

    func handleReadByGroupType(_ body: ArraySlice<UInt8>, _ connection: GATTServerConnection) {
        guard body.count >= 4, let type = AttributeType(littleEndian: body.dropFirst(4)) else {
            return refuseMalformed(.readByGroupTypeRequest, connection)
        }
        let (start, end) = range(body)
        guard isRange(start, end, .readByGroupTypeRequest, connection) else { return }
        guard type.isService else {
            return refuse(.readByGroupTypeRequest, start, .unsupportedGroupType, connection)
        }
        var entries: [ATTReadByGroupTypeResponse.Entry] = []
        var size = 2
        let range = indices(start, end)
        for index in range where attributes[index].type == type {
            let value = attributes[index].value[...]
            size += 4 + value.count
            guard value.count == entries.first?.value.count ?? value.count, size <= connection.mtu else { break }
            // The end of a group is limited to the requested range; if the range includes the last attribute, the last
            // group ends at 0xFFFF.
            let groupEnd = groupEnd(index)
            let isLast = groupEnd == attributes.count - 1 && range.upperBound == attributes.count
            let endHandle = isLast ? 0xFFFF : UInt16(min(groupEnd, range.upperBound - 1) + 1)
            entries.append(.init(handle: UInt16(index + 1), groupEndHandle: endHandle, value: value))
        }
        guard !entries.isEmpty else {
            return refuse(.readByGroupTypeRequest, start, .attributeNotFound, connection)
        }
        send(ATTReadByGroupTypeResponse(entries: entries).bytes, to: connection)
    }

    /// The first two fields of a request; NimBLE checks them only after the length of the type.
    private func range(_ body: ArraySlice<UInt8>) -> (start: UInt16, end: UInt16) {
        let bytes = Array(body.prefix(4))
        return (UInt16(bytes[0]) | UInt16(bytes[1]) << 8, UInt16(bytes[2]) | UInt16(bytes[3]) << 8)
    }

    private enum ShortRead {
        case value([UInt8])
        case refused(ATTErrorCode)
    }

    /// Reads a value that must fit into `limit` bytes.
    private func readShort(_ index: Int, limit: Int, _ connection: GATTServerConnection) -> ShortRead {
        if let code = accessError(attributes[index], .read, connection) { return .refused(code) }
        let value = currentValue(index, connection)
        return value.count > limit ? .refused(.unlikelyError) : .value(value)
    }
}
