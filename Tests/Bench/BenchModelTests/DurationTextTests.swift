import BenchModel
import Testing

@Suite("Times as people write them")
struct DurationTextTests {
    @Test(
        "have a unit and any fraction",
        arguments: [
            ("500 ms", 500_000_000), ("1.5 s", 1_500_000_000), ("2min", 120_000_000_000), ("0.25 us", 250),
            ("0.0000001 us", 0), ("0.999999999 min", 59_999_999_940), ("0.999999999 s", 999_999_999),
            ("0.0001 us", 0), ("76861433 min", 4_611_685_980_000_000_000), ("76861434 min", nil),
            ("9223372036854775808 s", nil), (".5 s", nil), ("1. s", nil), ("1.5.5 s", nil), ("5", nil), ("-1 s", nil),
            ("1 S", nil), ("1 s ", nil), ("", nil),
        ] as [(String, Int64?)])
    func read(text: String, nanoseconds: Int64?) {
        #expect(Duration(text: text) == nanoseconds.map { .nanoseconds($0) })
    }
}
