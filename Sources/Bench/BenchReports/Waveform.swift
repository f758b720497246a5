import ByteCodec
public import BenchModel
import MonotonicTime

/// The signals of a timeline as a Value Change Dump (IEEE 1364, 18), which GTKWave and PulseView show: levels of pins, PWM
/// signals, analog values, readings of parts, SDA and SCL of I²C buses, and the bytes of UARTs and buses as strings.
///
/// A unit of time is a nanosecond. Each board is a scope.
public struct Waveform {
    private enum Form: String {
        case wire
        case real
        case string
    }

    private struct Signal: Hashable {
        var scope: String
        var name: String
    }

    private struct Variable {
        var signal: Signal
        var form: Form
    }

    private var variables: [Variable] = []
    private var numbers: [Signal: Int] = [:]
    private var changes: [UInt8] = []
    private var lastTime: MonotonicInstant?
    /// The levels of buses that are still to come, by their times.
    private var pending: ArraySlice<Pending> = []

    private struct Pending {
        var time: MonotonicInstant
        var number: Int
        var isHigh: Bool
    }

    /// No signals yet.
    public init() {}

    /// Adds the change of a signal that an event reports, if it reports one; events come in the order of their timeline.
    public mutating func append(_ event: BenchEvent) {
        switch event.payload {
        case let pin as PinChanged:
            set("pin\(pin.pin)", .wire, pin.isDriven ? pin.isHigh ? "1" : "0" : "z", event)
        case let pwm as PWMChanged:
            set("pin\(pwm.pin)_duty", .real, "r\(pwm.signal?.dutyPercent ?? 0) ", event)
            set("pin\(pwm.pin)_frequency", .real, "r\(pwm.signal?.hertz ?? 0) ", event)
        case let read as AnalogRead: set("pin\(read.pin)_millivolts", .real, "r\(read.millivolts) ", event)
        case let written as AnalogWritten: set("pin\(written.pin)_dac", .real, "r\(written.value ?? 0) ", event)
        case let part as PartChanged:
            let name = "\(part.part).\(part.reading)"
            if let number = part.number {
                set(name, .real, "r\(number) ", event)
            } else {
                set(name, .string, Self.string(part.value), event)
            }
        case let button as ButtonChanged: set("button\(button.pin)", .wire, button.isPressed ? "1" : "0", event)
        case let servo as ServoMoved: set("pin\(servo.pin)_angle", .real, "r\(servo.angle ?? 0) ", event)
        case let transfer as I2CTransferred:
            set("i2c", .string, Self.string(transfer.text), event)
            append(transfer, of: event)
        case is SPITransferred: set("spi", .string, Self.string(event.payload.text), event)
        case let uart as UARTBytesReceived: set("uart\(uart.port)_tx", .string, Self.string(uart.bytes), event)
        case let uart as UARTBytesSent: set("uart\(uart.port)_rx", .string, Self.string(uart.bytes), event)
        case let line as ConsoleLineReceived: set("console", .string, Self.string(line.text), event)
        default: break
        }
    }

    private mutating func append(_ transfer: I2CTransferred, of event: BenchEvent) {
        guard let signal = transfer.signal, let waveform = BusWaveform(transfer) else { return }
        let data = number(of: "pin\(signal.data)_sda", .wire, event)
        let clock = number(of: "pin\(signal.clock)_scl", .wire, event)
        pending += waveform.changes.map {
            Pending(
                time: event.time.advanced(by: .nanoseconds($0.time)), number: $0.isClock ? clock : data,
                isHigh: $0.isHigh)
        }
        // Two buses may be in use at once.
        pending.sort { $0.time < $1.time }
    }

    /// Writes the levels of buses up to a time.
    private mutating func flush(to time: MonotonicInstant?) {
        while let first = pending.first, time.map({ first.time <= $0 }) ?? true {
            write(first.isHigh ? "1" : "0", of: first.number, at: first.time)
            pending.removeFirst()
        }
    }

    private mutating func number(of name: String, _ form: Form, _ event: BenchEvent) -> Int {
        // The console has the board's scope.
        let signal = Signal(scope: event.source == "console" ? "board" : event.source, name: name)
        if let number = numbers[signal] { return number }
        variables.append(Variable(signal: signal, form: form))
        numbers[signal] = variables.count - 1
        return variables.count - 1
    }

    private mutating func set(_ name: String, _ form: Form, _ value: String, _ event: BenchEvent) {
        let number = number(of: name, form, event)
        flush(to: event.time)
        write(form == .string ? value + " " : value, of: number, at: event.time)
    }

    private mutating func write(_ value: String, of number: Int, at time: MonotonicInstant) {
        if time != lastTime { changes += Array("#\(time.nanoseconds)\n".utf8) }
        lastTime = time
        changes += Array("\(value)\(Self.identifier(number))\n".utf8)
    }

    /// The file.
    public var file: [UInt8] {
        var waveform = self
        waveform.flush(to: nil)
        // A decoder sees the last edge only before a later time.
        if let last = waveform.lastTime {
            waveform.changes += Array("#\(last.advanced(by: .milliseconds(1)).nanoseconds)\n".utf8)
        }
        return waveform.text
    }

    private var text: [UInt8] {
        var head = "$comment espbench $end\n$timescale 1 ns $end\n"
        for scope in Set(variables.map(\.signal.scope)).sorted() {
            head += "$scope module \(Self.word(scope)) $end\n"
            for (number, variable) in variables.enumerated() where variable.signal.scope == scope {
                let size = variable.form == .real ? 64 : 1
                head += "$var \(variable.form.rawValue) \(size) \(Self.identifier(number)) "
                head += "\(Self.word(variable.signal.name)) $end\n"
            }
            head += "$upscope $end\n"
        }
        return Array((head + "$enddefinitions $end\n").utf8) + changes
    }

    /// The short name of a variable: printable characters without the space.
    private static func identifier(_ number: Int) -> String {
        var (text, rest) = ("", number)
        repeat {
            text.unicodeScalars.append(Unicode.Scalar(UInt8(33 + rest % 94)))
            rest = rest / 94 - 1
        } while rest >= 0
        return text
    }

    /// A name without spaces.
    private static func word(_ text: String) -> String {
        String(text.map { $0.isWhitespace ? "_" : $0 })
    }

    /// A string value: it ends at a space, so that spaces and control characters are escaped as in C.
    private static func string(_ text: String) -> String { string(Array(text.utf8)) }

    private static func string(_ bytes: [UInt8]) -> String {
        "s"
            + bytes.map { byte in
                byte > 32 && byte < 127 && byte != UInt8(ascii: "\\")
                    ? String(Unicode.Scalar(byte)) : "\\x" + Hexadecimal.string([byte], separator: "")
            }.joined()
    }
}
