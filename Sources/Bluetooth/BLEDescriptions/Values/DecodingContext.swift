/// What was read of a service, which decoding further values of it needs: coefficients of a calibration, a range.
public struct DecodingContext: Sendable {
    /// By the place of the value in its service.
    private var numbers: [Number?] = []

    /// A context in which nothing was read.
    public init() {}

    /// Keeps a value that was read or written.
    public mutating func note(_ reading: DescribedReading) {
        let first = reading.characteristic.firstSlot
        let end = first + reading.contents.count
        if numbers.count < end { numbers += Array(repeating: nil, count: end - numbers.count) }
        for (index, content) in reading.contents.enumerated() { numbers[first + index] = content.flatMap(Number.init) }
    }

    func number(_ slot: Int) -> Number? { numbers.indices.contains(slot) ? numbers[slot] : nil }
}
