import BenchModel
import BLEAssignedNumbers
package import BLECentral
internal import BLECore
import CommandSupport

/// An attribute as users name it: a characteristic by UUID, the beginning of a 128-bit UUID, assigned name, or handle
/// (`0x0010`); before it its service and after it a descriptor, with slashes: `180F/2A19/2901`. Of two parts the second
/// may be the descriptor: `2A19/2901`.
package struct AttributeSelector: Hashable, Sendable, CustomStringConvertible {
    /// The selector as the user gave it.
    package let description: String
    private let handle: UInt16?
    private let service: Substring?
    private let characteristic: Substring
    private let descriptor: Substring?

    /// Reads an attribute's name.
    ///
    /// - Throws: ``CommandFailure``.
    package init(_ text: String) throws(CommandFailure) {
        description = text
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        handle = parts.count == 1 && text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : nil
        guard (1...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
            !text.hasPrefix("0x") || handle ?? 0 > 0
        else {
            throw CommandFailure(
                .usage,
                "expected a characteristic's UUID, name or handle, SERVICE/CHARACTERISTIC, CHARACTERISTIC/DESCRIPTOR or SERVICE/CHARACTERISTIC/DESCRIPTOR, got '\(text)'",
                code: "central.attribute")
        }
        service = parts.count > 1 ? parts[0] : nil
        characteristic = parts.count > 1 ? parts[1] : parts[0]
        descriptor = parts.count > 2 ? parts[2] : nil
    }

    /// The services that operating systems hide: Generic Access, Device Information, Battery; and their
    /// characteristics.
    private static let systemServices: Set<UInt16> = [0x1800, 0x180A, 0x180F]
    private static let systemCharacteristics: Set<UInt16> = Set(0x2A00...0x2A04).union(0x2A23...0x2A2A).union([
        0x2A19, 0x2A50, 0x2AA6, 0x2AC9,
    ])

    /// True if the selector names an attribute of a service that operating systems hide.
    package var isOfSystemService: Bool {
        func holds(_ text: Substring, _ named: [BLEUUID], _ set: Set<UInt16>) -> Bool {
            ([BLEUUID(text)].compactMap { $0 } + named).contains { $0.uint16.map(set.contains) ?? false }
        }
        if let service { return holds(service, AssignedNumbers.services(named: String(service)), Self.systemServices) }
        return holds(
            characteristic, AssignedNumbers.characteristics(named: String(characteristic)), Self.systemCharacteristics)
    }

    /// The selected attribute among `services`.
    ///
    /// - Throws: ``CommandFailure`` when no attribute matches, or more than one.
    package func find(in services: [DiscoveredService]) throws(CommandFailure) -> FoundAttribute {
        var found = handle.map { Self.attributes($0, services) } ?? named(services, service, characteristic, descriptor)
        // 2A19/2901: a characteristic and its descriptor.
        let isPair = service != nil && descriptor == nil
        if isPair, found.isEmpty { found = named(services, nil, service ?? "", characteristic) }
        if found.count == 1, let only = found.first { return only }
        guard let first = found.first else {
            throw CommandFailure(
                .peerRefused,
                "the peer has no \(descriptor == nil ? "characteristic" : "descriptor") '\(description)'\(suggestion(services))",
                code: "central.noAttribute")
        }
        let places = found.map { $0.handle.map(HandleText.text) ?? "" }.filter { !$0.isEmpty }
        let list = places.isEmpty ? "\(found.count) of them" : "at \(places.joined(separator: ", "))"
        throw CommandFailure(
            .usage, "expected one characteristic '\(description)', the peer has several: \(list)",
            code: first.handle == nil ? "central.severalAttributes" : "central.severalHandles")
    }

    private static func attributes(_ handle: UInt16, _ services: [DiscoveredService]) -> [FoundAttribute] {
        services.flatMap { service in
            service.characteristics.flatMap { characteristic in
                if characteristic.handle == handle { return [FoundAttribute(service, characteristic)] }
                return characteristic.descriptors.filter { $0.handle == handle }.map {
                    FoundAttribute(service, characteristic, $0)
                }
            }
        }
    }

    private func named(
        _ services: [DiscoveredService], _ service: Substring?, _ characteristic: Substring, _ descriptor: Substring?
    ) -> [FoundAttribute] {
        let inService = services.filter { candidate in
            service.map { Self.matches($0, candidate.uuid, AssignedNumbers.services(named: String($0))) } ?? true
        }
        let wanted = AssignedNumbers.characteristics(named: String(characteristic))
        let found = inService.flatMap { service in
            service.characteristics.filter { Self.matches(characteristic, $0.uuid, wanted) }.map {
                FoundAttribute(service, $0)
            }
        }
        guard let descriptor else { return found }
        let types = AssignedNumbers.descriptors(named: String(descriptor))
        return found.flatMap { place in
            place.characteristic.descriptors.filter { Self.matches(descriptor, $0.uuid, types) }.map {
                FoundAttribute(place.service, place.characteristic, $0)
            }
        }
    }

    /// True if `text` is the UUID or the beginning of its 128-bit form, or one of `named`.
    private static func matches(_ text: Substring, _ uuid: BLEUUID, _ named: [BLEUUID]) -> Bool {
        if let exact = BLEUUID(text), exact == uuid { return true }
        if named.contains(uuid) { return true }
        return uuid.uint16 == nil && text.utf8.count >= 4 && "\(uuid)".hasPrefix(text.uppercased())
    }

    /// A suggestion for a selector without a match.
    private func suggestion(_ services: [DiscoveredService]) -> String {
        let characteristics = services.flatMap(\.characteristics)
        let names = characteristics.flatMap { characteristic in
            ["\(characteristic.uuid)"] + [AssignedNumbers.characteristic(characteristic.uuid)].compactMap { $0 }
        }
        return Suggestion.text(for: String(characteristic), in: names)
    }
}

/// A characteristic, or one of its descriptors.
package struct FoundAttribute: Hashable, Sendable {
    package let service: DiscoveredService
    package let characteristic: DiscoveredCharacteristic
    package let descriptor: DiscoveredDescriptor?

    init(
        _ service: DiscoveredService, _ characteristic: DiscoveredCharacteristic,
        _ descriptor: DiscoveredDescriptor? = nil
    ) {
        self.service = service
        self.characteristic = characteristic
        self.descriptor = descriptor
    }

    /// The attribute to read or write.
    package var attribute: AttributeID { descriptor?.attribute ?? characteristic.value }
    /// The attribute's handle; `nil` if the stack hides it.
    package var handle: UInt16? { descriptor.map(\.handle) ?? characteristic.handle }

    /// The attribute's type.
    var uuid: BLEUUID { descriptor?.uuid ?? characteristic.uuid }
    /// The attribute's UUID and name.
    package var title: String {
        if let descriptor { return AttributeText.descriptor(descriptor.uuid) }
        return AttributeText.characteristic(characteristic.uuid)
    }
}

/// UUIDs with their names.
enum AttributeText {
    static func characteristic(_ uuid: BLEUUID) -> String {
        AssignedNumbers.characteristic(uuid).map { "\(uuid) \($0)" } ?? "\(uuid)"
    }

    static func descriptor(_ uuid: BLEUUID) -> String {
        AssignedNumbers.descriptor(uuid).map { "\(uuid) \($0)" } ?? "\(uuid)"
    }
}

/// Handles as text for people.
enum HandleText {
    /// `0x0010`
    static func text(_ handle: UInt16) -> String {
        let digits = String(handle, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
