internal import BLECentral
internal import BLECore
internal import BLEDescriptions
import Bench
import LivePage

/// The services of the peer, and their values.
extension LivePhoneModel {
    func view(_ service: Service) -> PhoneState.Service {
        PhoneState.Service(
            uuid: "\(service.uuid)", name: names.service(service.uuid),
            characteristics: service.characteristics.map { characteristic in
                PhoneState.Characteristic(
                    id: "\(characteristic.discovered.value.rawValue)", uuid: "\(characteristic.uuid)",
                    name: names.characteristic(characteristic.uuid),
                    properties: CharacteristicProperties.named.filter {
                        characteristic.properties.contains($0.property)
                    }.map(\.name))
            })
    }

    private func characteristic(_ id: String) throws(Refusal) -> (Characteristic, BLEUUID) {
        _ = try connected()
        for service in services {
            for characteristic in service.characteristics where "\(characteristic.discovered.value.rawValue)" == id {
                return (characteristic, service.uuid)
            }
        }
        throw Refusal("the peer has no characteristic \(id)")
    }

    private func change(_ id: String, _ body: (inout PhoneState.Characteristic) -> Void) {
        for service in state.services.indices {
            for index in state.services[service].characteristics.indices
            where state.services[service].characteristics[index].id == id {
                body(&state.services[service].characteristics[index])
            }
        }
    }

    private func show(_ value: [UInt8], of id: String, _ characteristic: BLEUUID, _ service: BLEUUID) {
        let text =
            interpreter.text(value, of: characteristic, in: service) ?? ShownValue.text(value).map { "\"\($0)\"" }
        change(id) {
            $0.value = value.hexText
            $0.text = text
            $0.count += 1
        }
    }

    func read(_ id: String) async throws {
        let (characteristic, service) = try characteristic(id)
        run { phone in
            let value = try await characteristic.read()
            phone.show(value, of: id, characteristic.uuid, service)
            phone.tell("Read \(value.count) byte\(value.count == 1 ? "" : "s").")
        }
    }

    func write(_ value: [UInt8], to id: String, hasResponse: Bool) async throws {
        let (characteristic, _) = try characteristic(id)
        run { phone in
            try await characteristic.write(value, hasResponse ? .withResponse : .withoutResponse)
            phone.tell("Wrote \(value.count) byte\(value.count == 1 ? "" : "s").")
        }
    }

    func subscribe(_ id: String, _ isOn: Bool) async throws {
        let (characteristic, service) = try characteristic(id)
        guard isOn else {
            subscriptions.removeValue(forKey: id)?.cancel()
            change(id) { $0.isSubscribed = false }
            return
        }
        guard subscriptions[id] == nil else { return }
        run { phone in
            let values = try await characteristic.values()
            phone.change(id) { $0.isSubscribed = true }
            phone.tell("Subscribed.")
            phone.subscriptions[id] = Task(executorPreference: phone.central.executor) {
                do {
                    for try await value in values { await phone.show(value, of: id, characteristic.uuid, service) }
                } catch {
                    // The connection is over; the phone's state says so.
                }
            }
        }
    }
}

extension [UInt8] {
    /// Pairs of hexadecimal digits with spaces between them.
    fileprivate var hexText: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }
}
