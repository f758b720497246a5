package import BLECore

/// What a sketch shows of itself on a bench: the material of a first suite.
package struct SketchProfile: Hashable, Sendable {
    /// A service.
    package struct Service: Hashable, Sendable {
        package var uuid: BLEUUID
        package var characteristics: [Characteristic]

        package init(uuid: BLEUUID, characteristics: [Characteristic]) {
            self.uuid = uuid
            self.characteristics = characteristics
        }
    }

    /// A characteristic, and what came of using it.
    package struct Characteristic: Hashable, Sendable {
        package var uuid: BLEUUID
        package var properties: CharacteristicProperties
        /// What reading it gave; `nil` when it was not read.
        package var reading: Outcome?
        /// What subscribing to it gave; `nil` when it has no notifications and indications.
        package var subscription: Outcome?
        /// Whether a value came by itself after the subscription.
        package var sendsValues = false

        package init(uuid: BLEUUID, properties: CharacteristicProperties) {
            self.uuid = uuid
            self.properties = properties
        }
    }

    /// How an operation ended.
    package enum Outcome: Hashable, Sendable {
        /// With a value, empty for a subscription; `nil` when it differs from run to run.
        case value([UInt8]?)
        /// With an ATT error.
        case attError(UInt8)
        /// In another way.
        case failed
    }

    /// The sketch's name.
    package var sketch: String
    /// The local name that it advertises.
    package var localName: String?
    /// The services that it advertises.
    package var advertised: [BLEUUID] = []
    /// Whether it advertises.
    package var advertises = false
    /// Its services without those of every host; `nil` when no connection was possible.
    package var services: [Service]?
    /// The first line that the sketch writes to the console.
    package var firstLine: String?

    package init(sketch: String) {
        self.sketch = sketch
    }

    /// What is the same in this run and in `other`.
    package func common(with other: SketchProfile) -> SketchProfile {
        var profile = self
        if firstLine != other.firstLine { profile.firstLine = nil }
        if localName != other.localName { profile.localName = nil }
        profile.advertised = advertised.filter(other.advertised.contains)
        profile.advertises = advertises && other.advertises
        guard let theirs = other.services else {
            profile.services = nil
            return profile
        }
        profile.services = services.map { services in
            services.compactMap { service in
                guard let match = theirs.first(where: { $0.uuid == service.uuid }),
                    match.characteristics.map(\.uuid) == service.characteristics.map(\.uuid)
                else { return nil }
                return Service(
                    uuid: service.uuid,
                    characteristics: zip(service.characteristics, match.characteristics).map { $0.common(with: $1) })
            }
        }
        return profile
    }
}

extension SketchProfile.Characteristic {
    fileprivate func common(with other: Self) -> Self {
        var characteristic = self
        characteristic.sendsValues = sendsValues && other.sendsValues
        if reading != other.reading {
            if case .value = reading, case .value = other.reading {
                characteristic.reading = .value(nil)
            } else {
                characteristic.reading = .failed
            }
        }
        if subscription != other.subscription { characteristic.subscription = .failed }
        return characteristic
    }
}
