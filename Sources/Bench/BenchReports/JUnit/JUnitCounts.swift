import BenchModel

/// The numbers of a `<testsuite>` or of all together.
///
/// They stand in the opening tag, but are known only at the end: the tag is written with room for them, as blanks
/// between attributes do not count in XML.
struct JUnitCounts: Sendable {
    /// How many bytes the attributes take at most: five names, and numbers with up to ten digits.
    static let width = 112

    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    var time = Duration.zero

    mutating func add(_ other: JUnitCounts) {
        tests += other.tests
        failures += other.failures
        errors += other.errors
        skipped += other.skipped
        time += other.time
    }

    mutating func add(_ status: JUnitStatus) {
        tests += 1
        switch status {
        case .passed: break
        case .failed(_, let isError): if isError { errors += 1 } else { failures += 1 }
        case .skipped: skipped += 1
        }
    }

    /// The attributes, filled up with blanks; `testsuites` has no `skipped` in Jenkins' schema.
    func attributes(hasSkipped: Bool) -> [UInt8] {
        var xml = XMLText()
        xml.attribute("tests", tests)
        xml.attribute("failures", failures)
        xml.attribute("errors", errors)
        if hasSkipped { xml.attribute("skipped", skipped) }
        xml.attribute("time", time.junit)
        return xml.bytes + Array(repeating: UInt8(ascii: " "), count: max(0, Self.width - xml.bytes.count))
    }
}

extension Duration {
    /// Seconds with three digits after the point, as Maven Surefire writes them.
    var junit: String {
        let milliseconds = max(0, Int64(self / .milliseconds(1)))
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction)"
    }
}
