internal import BLEPackets
public import MonotonicTime

/// The GATT client of one connection: a pure state machine over one ATT bearer (Core 5.4, Vol 3 Part F 3.3, Part G 4).
///
/// Operations are queued and performed one after another. The owner passes received PDUs to ``receive(_:now:)``, calls
/// ``advance(to:)`` at ``nextDeadline``, and after each call sends every ``nextOutput()`` and handles every
/// ``nextEvent()``.
public struct GATTClient {
    /// The ATT MTU before any exchange, in bytes (Core 5.4, Vol 3 Part G 5.2.1).
    public static let defaultMTU = 23
    /// The time-out of a response (Core 5.4, Vol 3 Part F 3.3.3).
    public static let transactionTimeout = Duration.seconds(30)

    /// The ATT MTU in effect, in bytes.
    public private(set) var mtu = GATTClient.defaultMTU

    /// This client's receive MTU, in bytes: the answer to a server's Exchange MTU Request.
    private let receiveMTU: UInt16
    private var operations = FIFO<(id: GATTOperation, procedure: any GATTProcedure)>()
    private var current: Transaction?
    private var closed: GATTClientError?
    private var lastOperation: UInt64 = 0
    private var output = FIFO<[UInt8]>()
    private var events = FIFO<GATTClientEvent>()

    private struct Transaction {
        let id: GATTOperation
        var procedure: any GATTProcedure
        let request: ATTOpcode
        let deadline: MonotonicInstant

        mutating func step(after pdu: ArraySlice<UInt8>, _ opcode: ATTOpcode, mtu: Int) throws -> GATTProcedureStep {
            guard opcode == .errorResponse else {
                guard opcode.rawValue == request.rawValue + 1 else {
                    throw GATTClientError.violation("\(request): expected its response, got \(opcode)")
                }
                return try procedure.receive(pdu, mtu: mtu)
            }
            let error = try ATTErrorResponse(decoding: pdu)
            guard error.request == request else {
                throw GATTClientError.violation("\(opcode): expected one for \(request), got one for \(error.request)")
            }
            return procedure.refused(error, mtu: mtu)
        }
    }

    /// A client at the default MTU; `receiveMTU` is the answer to a server's Exchange MTU Request.
    public init(receiveMTU: UInt16 = 517) {
        self.receiveMTU = receiveMTU
    }

    // MARK: Operations

    /// True if no operation runs or is queued.
    public var isIdle: Bool { current == nil && operations.isEmpty }

    /// Why the bearer was closed; `nil` while it is open.
    public var closeReason: GATTClientError? { closed }

    /// Offers `mtu` to the server; ends with ``GATTResult/mtu(_:)``.
    public mutating func exchangeMTU(_ mtu: UInt16, now: MonotonicInstant) -> GATTOperation {
        begin(ExchangeMTUProcedure(offered: mtu), now)
    }

    /// Discovers every primary service; ends with ``GATTResult/services(_:)``.
    public mutating func discoverServices(now: MonotonicInstant) -> GATTOperation {
        begin(DiscoveryProcedure(), now)
    }

    /// Reads the whole value of an attribute; ends with ``GATTResult/value(_:)``.
    public mutating func read(_ handle: UInt16, now: MonotonicInstant) -> GATTOperation {
        begin(ReadProcedure(handle: handle), now)
    }

    /// Writes an attribute with a response, using Prepare and Execute Write if the length or `isReliable` requires it;
    /// ends with ``GATTResult/done``.
    public mutating func write(
        _ value: ArraySlice<UInt8>, to handle: UInt16, isReliable: Bool = false, now: MonotonicInstant
    ) -> GATTOperation {
        begin(WriteProcedure(handle: handle, value: value, isReliable: isReliable), now)
    }

    /// Writes an attribute without a response, after the queued operations; ends with ``GATTResult/done``.
    public mutating func writeCommand(
        _ value: ArraySlice<UInt8>, to handle: UInt16, now: MonotonicInstant
    ) -> GATTOperation {
        begin(WriteCommandProcedure(handle: handle, value: value), now)
    }

    private mutating func begin(_ procedure: any GATTProcedure, _ now: MonotonicInstant) -> GATTOperation {
        lastOperation += 1
        let id = GATTOperation(rawValue: lastOperation)
        if let closed {
            finish(id, .failure(GATTClientError(closed.code == .timedOut ? .bearerClosed : closed.code, closed.detail)))
        } else {
            operations.append((id, procedure))
            startNext(now)
        }
        return id
    }

    private mutating func startNext(_ now: MonotonicInstant) {
        while current == nil, closed == nil, var next = operations.popFirst() {
            let step = next.procedure.start(mtu: mtu)
            perform(step, of: next.id, next.procedure, now)
        }
    }

    private mutating func perform(
        _ step: GATTProcedureStep, of id: GATTOperation, _ procedure: any GATTProcedure, _ now: MonotonicInstant
    ) {
        current = nil
        switch step {
        case .request(let pdu):
            output.append(pdu)
            current = Transaction(
                id: id, procedure: procedure, request: ATTOpcode(rawValue: pdu[0]),
                deadline: now.advanced(by: Self.transactionTimeout))
        case .command(let pdu):
            output.append(pdu)
            finish(id, .success(.done))
        case .finished(let result):
            if case .mtu(let mtu) = result { change(mtu: mtu) }
            finish(id, .success(result))
        case .failed(let error):
            finish(id, .failure(error))
        }
    }

    private mutating func finish(_ id: GATTOperation, _ result: Result<GATTResult, GATTClientError>) {
        events.append(.completed(id, result))
    }

    private mutating func change(mtu newMTU: Int) {
        guard newMTU != mtu else { return }
        mtu = newMTU
        events.append(.mtuChanged(newMTU))
    }

    // MARK: Time

    /// When ``advance(to:)`` must be called next.
    public var nextDeadline: MonotonicInstant? { current?.deadline }

    /// Closes the bearer if a response is overdue.
    public mutating func advance(to now: MonotonicInstant) {
        guard let current, current.deadline <= now else { return }
        close(GATTClientError(.timedOut, "\(current.request): expected a response within 30 s, got none"))
    }

    // MARK: Closing

    /// Ends all operations with `error`; later operations also end with it.
    public mutating func close(_ error: GATTClientError) {
        guard closed == nil else { return }
        closed = error
        if let current { finish(current.id, .failure(error)) }
        current = nil
        let code = error.code == .timedOut ? .bearerClosed : error.code
        while let next = operations.popFirst() {
            finish(next.id, .failure(GATTClientError(code, error.detail)))
        }
    }

    // MARK: PDUs

    /// Receives a PDU from the server.
    public mutating func receive(_ pdu: ArraySlice<UInt8>, now: MonotonicInstant) {
        guard closed == nil else { return }
        guard let first = pdu.first else {
            return close(.violation("ATT: expected a PDU of at least 1 byte, got 0"))
        }
        do {
            try handle(pdu, ATTOpcode(rawValue: first), now)
        } catch let error as GATTClientError {
            close(error)
        } catch {
            close(.violation("\(error)"))
        }
    }

    private mutating func handle(_ pdu: ArraySlice<UInt8>, _ opcode: ATTOpcode, _ now: MonotonicInstant) throws {
        switch opcode {
        case .handleValueNotification:
            let notification = try ATTHandleValueNotification(decoding: pdu)
            events.append(
                .notification(handle: notification.handle, value: notification.value, isIndication: false))
        case .handleValueIndication:
            let indication = try ATTHandleValueIndication(decoding: pdu)
            output.append(ATTHandleValueConfirmation().bytes)
            events.append(.notification(handle: indication.handle, value: indication.value, isIndication: true))
        case .exchangeMTURequest:
            let request = try ATTExchangeMTURequest(decoding: pdu)
            output.append(ATTExchangeMTUResponse(serverReceiveMTU: receiveMTU).bytes)
            change(mtu: max(Self.defaultMTU, Int(min(receiveMTU, request.clientReceiveMTU))))
        case .handleValueConfirmation:
            break
        case _ where opcode.isCommand || opcode == .multipleHandleValueNotification:
            // Unknown commands and notifications are ignored.
            break
        case _ where ATTOpcode.responses.contains(opcode):
            try handleResponse(pdu, opcode, now)
        default:
            // This bearer has no server, so every request is refused.
            output.append(ATTErrorResponse(request: opcode, handle: 0, code: .requestNotSupported).bytes)
        }
    }

    private mutating func handleResponse(_ pdu: ArraySlice<UInt8>, _ opcode: ATTOpcode, _ now: MonotonicInstant) throws
    {
        guard var transaction = current else {
            throw GATTClientError.violation("\(opcode): expected no response, for no request is open")
        }
        // The procedure is moved out, so that its arrays are uniquely referenced.
        current = nil
        let step: GATTProcedureStep
        do {
            step = try transaction.step(after: pdu, opcode, mtu: mtu)
        } catch {
            current = transaction
            throw error
        }
        perform(step, of: transaction.id, transaction.procedure, now)
        startNext(now)
    }

    // MARK: Output

    /// The next PDU to send, until `nil`.
    public mutating func nextOutput() -> [UInt8]? { output.popFirst() }

    /// The next event, until `nil`.
    public mutating func nextEvent() -> GATTClientEvent? { events.popFirst() }
}
