import CFirmwareChannel
import ESPImage
import MonotonicTime

/// A sketch's calls to the non-volatile storage (`CFC_NVS_…`), answered with ESP-IDF's codes.
struct StorageCalls {
    /// The result of a call.
    struct Answer {
        var status: Int32 = 0
        var bytes: [UInt8] = []
    }

    let storage: BoardStorage
    /// The open namespaces; the sketch refers to them by index.
    private var namespaces: [NVSNamespace] = []

    init(_ storage: BoardStorage) {
        self.storage = storage
    }

    /// Performs a call of the sketch; `nil` when the message is not a storage call.
    mutating func answer(_ message: FirmwareMessage, now: MonotonicInstant) -> Answer? {
        guard (CFC_NVS_OPEN...CFC_NVS_FREE_ENTRIES).contains(message.type) else { return nil }
        do throws(NVSError) {
            return Answer(bytes: try perform(message, now))
        } catch {
            return Answer(status: error.code.rawValue)
        }
    }

    private mutating func perform(_ message: FirmwareMessage, _ now: MonotonicInstant) throws(NVSError) -> [UInt8] {
        switch message.type {
        case CFC_NVS_OPEN: return try open(message, now)
        case CFC_NVS_ERASE_ALL:
            let number = message.fields(cfc_number.self)?.value
            if number == CFC_WHOLE_PARTITION { return try erasePartition(now) }
            let namespace = try namespace(number.map { UInt32(bitPattern: $0) })
            try storage.use(now: now) { (nvs) throws(NVSError) in try nvs.eraseAll(in: namespace) }
            return []
        case CFC_NVS_FREE_ENTRIES:
            return Self.bytes(try storage.use(now: now) { (nvs) throws(NVSError) in nvs.statistics.freeEntries })
        default:
            guard let item = message.fields(cfc_nvs_item.self) else { throw Self.invalidHandle }
            return try perform(message, item, try namespace(item.name_space), now)
        }
    }

    private func perform(
        _ message: FirmwareMessage, _ item: cfc_nvs_item, _ namespace: NVSNamespace, _ now: MonotonicInstant
    ) throws(NVSError) -> [UInt8] {
        let key = withUnsafeBytes(of: item.key) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let type = NVSType(rawValue: UInt8(truncatingIfNeeded: item.type))
        switch message.type {
        case CFC_NVS_SET:
            guard let value = NVSValue(message.tail(after: cfc_nvs_item.self), type: type) else {
                throw NVSError(.valueTooLong, "\(key): these bytes are no value of that type")
            }
            try storage.use(now: now) { (nvs) throws(NVSError) in try nvs.set(key, to: value, in: namespace) }
            return []
        case CFC_NVS_GET:
            let value = try storage.use(now: now) { (nvs) throws(NVSError) in
                try nvs.value(of: key, type: type, in: namespace)
            }
            return Self.bytes(value.bytes.count) + value.bytes
        default:
            try storage.use(now: now) { (nvs) throws(NVSError) in try nvs.erase(key, in: namespace) }
            return []
        }
    }

    private mutating func open(_ message: FirmwareMessage, _ now: MonotonicInstant) throws(NVSError) -> [UInt8] {
        guard let fields = message.fields(cfc_nvs_open.self) else { throw Self.invalidHandle }
        let name = String(decoding: message.tail(after: cfc_nvs_open.self), as: UTF8.self)
        let namespace = try storage.use(now: now) { (nvs) throws(NVSError) in
            try nvs.openNamespace(name, readOnly: fields.may_write == 0)
        }
        let place = namespaces.firstIndex(of: namespace) ?? namespaces.count
        if place == namespaces.count { namespaces.append(namespace) }
        return Self.bytes(place)
    }

    private mutating func erasePartition(_ now: MonotonicInstant) throws(NVSError) -> [UInt8] {
        namespaces = []
        do throws(FlashError) {
            try storage.erase(now: now)
        } catch {
            throw NVSError(NVSError.Code(rawValue: -1), "\(error)")  // ESP_FAIL
        }
        return []
    }

    private func namespace(_ number: UInt32?) throws(NVSError) -> NVSNamespace {
        guard let number, number < namespaces.count else { throw Self.invalidHandle }
        return namespaces[Int(number)]
    }

    /// `ESP_ERR_NVS_INVALID_HANDLE`
    private static let invalidHandle = NVSError(NVSError.Code(rawValue: 0x1107), "the namespace was not opened")

    private static func bytes(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: Int32(truncatingIfNeeded: number)) { Array($0) }
    }
}
