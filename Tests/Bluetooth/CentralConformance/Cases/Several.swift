import BLECentral
import BLECore

extension Conformance {
    static let severalCases = [
        Case("three peers at once, each with its own events") { suite in
            var links: [Link] = []
            do {
                for index in ConformancePeer.addresses.indices {
                    let link = try await suite.connect(index)
                    links.append(link)
                    try await suite.central.setSubscription(
                        .notifications, of: link.attribute(ConformancePeer.output), on: link.connection)
                }
                for (index, link) in links.enumerated() {
                    try await suite.write(ConformancePeer.Trigger.notify(UInt8(index + 1)), link)
                }
                for (index, link) in links.enumerated() {
                    let values = suite.recorder.values(
                        of: try link.attribute(ConformancePeer.output), on: link.connection)
                    let expected = (0...index).map { [UInt8($0)] }
                    try suite.expect(values == expected, "\(expected) of peer \(index + 1), got \(values)")
                }
            } catch {
                for link in links { try? await suite.central.disconnect(link.connection) }
                throw error
            }
            for link in links { try await suite.central.disconnect(link.connection) }
            for link in links { try await suite.expectDisconnection(of: link) }
        }
    ]
}
