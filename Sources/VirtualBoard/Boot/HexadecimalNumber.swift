/// `value` as `0x` and at least `digits` digits, as `printf` writes `0x%x` and `0x%08x`.
func hexadecimal(_ value: some UnsignedInteger & FixedWidthInteger, digits: Int = 1) -> String {
    let text = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, digits - text.count)) + text
}
