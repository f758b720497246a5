import BLECentral
import Bench
import Synchronization

/// The calculator's firmware in Swift, on a separate thread, in place of a real board's.
///
/// It answers requests on that thread, and posts its console's bytes from there.
final class ScriptedCalculator: Sendable {
    /// An attribute of its server.
    enum Attribute: UInt16 {
        case input = 1
        case output
        case outputConfiguration
    }

    /// An event of a link.
    enum LinkEvent: Sendable {
        case notification([UInt8])
        case end(reason: UInt8?)
    }

    typealias Answer = @Sendable (Result<[UInt8], CentralError>) -> Void

    private struct Link {
        var isSubscribed = false
        var result: UInt8 = 0
        let receive: @Sendable (LinkEvent) -> Void
    }

    private struct State {
        var isOn = false
        var links: [Int: Link] = [:]
        var lastLink = 0
        var scanners: [Int: @Sendable () -> Void] = [:]

        var isAdvertising: Bool { isOn && links.count < ScriptedCalculator.maximumLinks }
    }

    /// As many as NimBLE-Arduino accepts by default.
    private static let maximumLinks = 3

    private let console: EventPort<BoardEvent>
    private let thread = WorkerThread("firmware")
    private let state = Mutex(State())

    /// A calculator without power, whose console is posted to `console`.
    init(console: EventPort<BoardEvent>) {
        self.console = console
    }

    func stop() {
        thread.stop()
    }

    // MARK: The board

    func setPower(_ isOn: Bool) {
        thread.post {
            self.endAllLinks()
            self.state.withLock { $0.isOn = isOn }
            if isOn { self.boot() }
        }
    }

    func reset() {
        thread.post {
            self.endAllLinks()
            self.boot()
        }
    }

    private func boot() {
        print("Begin Setup BLE Service and Characteristics")
        print("BLE Service is advertising")
        advertise()
    }

    /// Its peers receive nothing more: a supervision time-out.
    private func endAllLinks(reason: UInt8? = 0x08) {
        let links = state.withLock { state in
            defer { state.links.removeAll() }
            return state.links.values.map(\.receive)
        }
        for receive in links { receive(.end(reason: reason)) }
    }

    /// The peers are gone, and their stack knows no reason.
    func loseAir() {
        thread.post {
            self.state.withLock { $0.scanners.removeAll() }
            self.endAllLinks(reason: nil)
            self.print("BLE Client Disconnected")
        }
    }

    /// A UART's bytes are received in chunks, independently of lines.
    private func print(_ line: String) {
        let bytes = Array((line + "\r\n").utf8)
        console.post(.console(Array(bytes[..<(bytes.count / 2)])))
        console.post(.console(Array(bytes[(bytes.count / 2)...])))
    }

    // MARK: The air

    /// Calls `heard` for each advertisement; `nil` stops it.
    func setScanner(_ number: Int, _ heard: (@Sendable () -> Void)?) {
        thread.post {
            let isAdvertising = self.state.withLock { state in
                state.scanners[number] = heard
                return state.isAdvertising
            }
            if isAdvertising { heard?() }
        }
    }

    private func advertise() {
        for heard in state.withLock({ $0.isAdvertising ? Array($0.scanners.values) : [] }) { heard() }
    }

    /// Creates a link if the board advertises; returns its number.
    func connect(_ receive: @escaping @Sendable (LinkEvent) -> Void, _ answer: @escaping @Sendable (Int?) -> Void) {
        thread.post {
            let link: Int? = self.state.withLock { state in
                guard state.isAdvertising else { return nil }
                state.lastLink += 1
                state.links[state.lastLink] = Link(receive: receive)
                return state.lastLink
            }
            if link != nil { self.print("BLE Client Connected") }
            answer(link)
        }
    }

    func disconnect(_ link: Int, _ answer: @escaping Answer) {
        thread.post {
            guard let ended = self.state.withLock({ $0.links.removeValue(forKey: link) }) else {
                return answer(.failure(Self.noLink))
            }
            self.print("BLE Client Disconnected")
            self.advertise()
            ended.receive(.end(reason: 0x16))
            answer(.success([]))
        }
    }

    private static let noLink = CentralError(.notConnected, "there is no such link")

    // MARK: The attributes

    func read(_ attribute: Attribute?, on link: Int, _ answer: @escaping Answer) {
        thread.post {
            guard let link = self.state.withLock({ $0.links[link] }) else { return answer(.failure(Self.noLink)) }
            switch attribute {
            case .output: answer(.success([link.result]))
            case .outputConfiguration: answer(.success([link.isSubscribed ? 1 : 0, 0]))
            case .input: answer(.failure(CentralError(.attError(0x02), "read not permitted")))
            case nil: answer(.failure(CentralError(.attError(0x01), "invalid handle")))
            }
        }
    }

    func write(_ value: [UInt8], to attribute: Attribute?, on link: Int, _ answer: @escaping Answer) {
        thread.post {
            guard self.state.withLock({ $0.links[link] != nil }) else { return answer(.failure(Self.noLink)) }
            switch attribute {
            case .input:
                answer(.success([]))
                self.handle(request: value, of: link)
            case .outputConfiguration:
                self.state.withLock { $0.links[link]?.isSubscribed = value.first == 1 }
                answer(.success([]))
            case .output: answer(.failure(CentralError(.attError(0x03), "write not permitted")))
            case nil: answer(.failure(CentralError(.attError(0x01), "invalid handle")))
            }
        }
    }

    private func handle(request: [UInt8], of link: Int) {
        guard request.count == 3 else { return print("Ignoring malformed request (\(request.count) bytes)") }
        let (a, b) = (request[0], request[1])
        let result: UInt8
        let verb: String
        switch request[2] {
        case 0: (verb, result) = ("Adding", a &+ b)
        case 1: (verb, result) = ("Subtracting", a &- b)
        case 2: (verb, result) = ("Multiplying", a &* b)
        default: return print("Ignoring unknown operation \(Self.hexadecimal(request[2]))")
        }
        print("\(verb):   \(Self.hexadecimal(a)) \(Self.hexadecimal(b))")
        print("Sending response:   \(Self.hexadecimal(result))")
        let subscriber = state.withLock { state in
            state.links[link]?.result = result
            return state.links[link].flatMap { $0.isSubscribed ? $0.receive : nil }
        }
        subscriber?(.notification([result]))
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(String(Int(byte) + 0x100, radix: 16).dropFirst())
    }
}
