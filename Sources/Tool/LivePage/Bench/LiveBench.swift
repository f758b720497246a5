import FlyingFox
import Foundation

/// What a page shows and controls: the parts of a bench that there are.
public struct LiveBench: Sendable {
    /// The boards.
    public var boards: [any LiveBoard]
    /// The air.
    public var air: (any LiveAir)?
    /// The phone.
    public var phone: (any LivePhone)?
    /// The time.
    public var clock: (any LiveClock)?

    /// A bench of these parts.
    public init(
        boards: [any LiveBoard] = [], air: (any LiveAir)? = nil, phone: (any LivePhone)? = nil,
        clock: (any LiveClock)? = nil
    ) {
        self.boards = boards
        self.air = air
        self.phone = phone
        self.clock = clock
    }

    /// Performs a command.
    ///
    /// - Throws: what the part throws; ``RequestFault`` when there is no such part.
    package func perform(_ command: LiveCommand) async throws {
        switch command {
        case .board(let number, let command):
            let board = try part(boards.indices.contains(number) ? boards[number] : nil)
            switch command {
            case .power(let isOn): try await board.setPower(isOn)
            case .reset: try await board.reset()
            case .button(let pin, let isPressed): try await board.setButton(pin: pin, isPressed: isPressed)
            case .type(let line): try await board.type(line)
            }
        case .listen(let isOn): try await part(air).listen(isOn)
        case .search(let isOn): try await part(phone).search(isOn)
        case .connect(let peer): try await part(phone).connect(to: peer)
        case .disconnect: try await part(phone).disconnect()
        case .read(let characteristic): try await part(phone).read(characteristic)
        case .write(let characteristic, let value, let hasResponse):
            try await part(phone).write(value, to: characteristic, hasResponse: hasResponse)
        case .subscribe(let characteristic, let isOn): try await part(phone).subscribe(characteristic, isOn)
        case .pair: try await part(phone).pair()
        case .answer(let isAccepted, let passkey):
            try await part(phone).answer(isAccepted: isAccepted, passkey: passkey)
        case .forget: try await part(phone).forget()
        case .open(let app, let isOn): try await part(phone).open(app, isOn)
        case .press(let key): try await part(phone).press(key)
        case .lock(let isLocked): try await part(phone).setLock(isLocked)
        case .speed(let speed): try await part(clock).setSpeed(speed)
        case .step(let duration): try await part(clock).step(by: duration)
        case .stepToNextEvent: try await part(clock).stepToNextEvent()
        }
    }

    private func part<Part>(_ part: Part?) throws(RequestFault) -> Part {
        guard let part else { throw RequestFault(.conflict, "this bench has no such part") }
        return part
    }
}

extension LiveRoutes {
    /// Adds the commands of a page. The answer is 204, or why it could not be done.
    public mutating func addCommands(_ bench: LiveBench) {
        add(.POST, "/command") { request in
            do {
                let command = try LiveCommand(try await request.bodyData)
                try await bench.perform(command)
                return HTTPResponse(statusCode: .noContent)
            } catch let fault as RequestFault {
                return fault.response
            } catch {
                // The command was understood; the bench says why it did not succeed.
                return RequestFault(.conflict, "\(error)").response
            }
        }
    }
}
