import BLECentral
import BLECore

extension Conformance {
    static let notificationCases = [
        Case("two notifications before a write's answer are handled before the write returns", sharesLink: true) {
            suite in
            try await suite.connected { link in
                let output = try link.attribute(ConformancePeer.output)
                try await suite.central.setSubscription(.notifications, of: output, on: link.connection)
                try await suite.write(ConformancePeer.Trigger.notify(2), link)
                let values = suite.recorder.values(of: output, on: link.connection)
                try suite.expect(values == [[0], [1]], "the notifications 0 and 1, got \(values)")
            }
        },
        Case("a burst of notifications is delivered whole and in order", sharesLink: true) { suite in
            try await suite.connected { link in
                let output = try link.attribute(ConformancePeer.output)
                try await suite.central.setSubscription(.notifications, of: output, on: link.connection)
                for _ in 0..<5 { try await suite.write(ConformancePeer.Trigger.notify(8), link) }
                let expected = (0..<5).flatMap { _ in (0..<8).map { [UInt8($0)] } }
                let values = suite.recorder.values(of: output, on: link.connection)
                try suite.expect(values == expected, "5 times the notifications 0...7, got \(values)")
            }
        },
        Case("reading a characteristic that notifies reports no notification", sharesLink: true) { suite in
            try await suite.connected { link in
                let output = try link.attribute(ConformancePeer.output)
                try await suite.central.setSubscription(.notifications, of: output, on: link.connection)
                _ = try await suite.central.read(output, on: link.connection)
                _ = try await suite.central.read(output, on: link.connection)
                let values = suite.recorder.values(of: output, on: link.connection)
                try suite.expect(values.isEmpty, "no notification, got \(values)")
            }
        },
        Case("an indication is delivered and confirmed", sharesLink: true) { suite in
            try await suite.connected { link in
                let indicated = try link.attribute(ConformancePeer.indicated)
                try await suite.central.setSubscription(.indications, of: indicated, on: link.connection)
                // The second is sent only after the first was confirmed.
                for value in [UInt8(5), 6] {
                    try await suite.write(ConformancePeer.Trigger.indicate(value), link)
                    try await suite.expect("the indication \(value)") { event in
                        event == .notification(link.connection, indicated, value: [value], isIndication: true)
                    }
                }
            }
        },
        Case("after the end of a subscription nothing is delivered", sharesLink: true) { suite in
            try await suite.connected { link in
                let output = try link.attribute(ConformancePeer.output)
                let value = try link.attribute(ConformancePeer.value)
                try await suite.central.setSubscription(.notifications, of: output, on: link.connection)
                try await suite.write(ConformancePeer.Trigger.notify(1), link)
                try await suite.central.setSubscription(.none, of: output, on: link.connection)
                try await suite.write(ConformancePeer.Trigger.notify(3), link)
                _ = try await suite.central.read(value, on: link.connection)
                let values = suite.recorder.values(of: output, on: link.connection)
                try suite.expect(values == [[0]], "the first notification only, got \(values)")
            }
        },
    ]
}
