import BenchExecutor
import MonotonicTime

/// The UARTs other than the console, and the devices wired to them.
extension VirtualBoard {
    /// The numbers of these UARTs.
    public static let uarts = 1...2

    /// Lets the far end of a UART send bytes at the UART's rate; the far end keeps them while the board is off.
    ///
    /// - Returns: whether they fit: at most 16 MiB may wait.
    public func send(_ bytes: [UInt8], uart: Int) -> Bool {
        guard Self.uarts.contains(uart) else { return false }
        defer { processPendingWork() }
        return farEnds[uart - 1].send(bytes, at: executor.now)
    }

    /// The number of bytes that the far end of a UART has not begun to send.
    func waiting(for uart: Int) -> Int { farEnds[uart - 1].queuedCount }

    /// The time for sending `count` bytes to a UART at its rate.
    func timeToSend(_ count: Int, to uart: Int) -> Duration { farEnds[uart - 1].time(for: count) }

    /// Sets whether the far end of a UART sends only while the board asserts RTS, and whether it asserts CTS.
    public func wire(uart: Int, watchesRTS: Bool? = nil, clearToSend: Bool? = nil) {
        guard Self.uarts.contains(uart) else { return }
        if let watchesRTS { farEnds[uart - 1].watchesRTS = watchesRTS }
        if let clearToSend, clearToSend != farEnds[uart - 1].isClearToSend {
            farEnds[uart - 1].setClearToSend(clearToSend, at: executor.now)
            application?.setClearToSend(clearToSend, uart: uart, now: executor.now)
        }
        processPendingWork()
    }

    /// Restores the initial state of all far ends: no bytes to send, no flow control.
    public func restoreFarEnds() {
        farEnds = farEnds.map { _ in FarEnd() }
    }

    var nextFarEndDeadline: MonotonicInstant? {
        farEnds.compactMap(\.nextDeadline).min()
    }

    /// Passes bytes both ways.
    ///
    /// - Returns: whether the sketch got some.
    func exchangeWithFarEnds(_ application: RunningApplication, _ now: MonotonicInstant) -> Bool {
        for (uart, output) in application.drainUARTOutputs() where Self.uarts.contains(uart) {
            switch output {
            case .open(let rate): farEnds[uart - 1].open(rate: rate, at: now)
            case .ready(let isReady): farEnds[uart - 1].setReady(isReady, at: now)
            case .watchesCTS(let watches): farEnds[uart - 1].setChipWatchesCTS(watches, at: now)
            case .bytes(let bytes, let start): farEnds[uart - 1].transmit(bytes, from: start)
            }
        }
        var isBusy = false
        for uart in Self.uarts {
            while let bytes = farEnds[uart - 1].received(at: now) { observer?(.uart(uart, bytes)) }
            while let bytes = farEnds[uart - 1].arrived(at: now) {
                application.receive(bytes, uart: uart, now: now)
                isBusy = true
            }
        }
        return isBusy
    }

    /// Bytes that arrive while no sketch runs are lost.
    func dropFromFarEnds(_ now: MonotonicInstant) {
        for index in farEnds.indices { while farEnds[index].arrived(at: now) != nil {} }
    }
}
