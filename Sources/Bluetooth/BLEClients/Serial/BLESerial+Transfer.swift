import BLECentral
import BLECore
import BenchExecutor
import MonotonicTime

/// The bytes of one connection.
extension BLESerial {
    /// After which time without news the status of a board that counts is read.
    private static let statusTime = Duration.seconds(1)

    func setUp(_ peripheral: Peripheral) async throws(CentralError) {
        await endTransfer()
        let line = try BLESerialLine(try await peripheral.services())
        let values = try await line.output.values()
        let chunk = try await prepareToSend(line)
        count.connections += 1
        let name = await central.knownPeers[peripheral.id]?.name
        tell(.opened(peripheral.id, name: name, line.service, chunk: chunk))
        transfer = Task(executorPreference: central.executor) { await self.transfer(values, line) }
    }

    /// Exchanges the MTU, and learns how much the board takes; returns the longest chunk.
    private func prepareToSend(_ line: BLESerialLine) async throws(CentralError) -> Int {
        let peripheral = line.input.peripheral
        if central.abilities.contains(.mtuExchange) {
            // A board may refuse: then it stays as it is.
            try await Self.allowingRefusal { () async throws(CentralError) in
                _ = try await peripheral.exchangeMTU(Self.mtu)
            }
        }
        var status: BLESerialStatus?
        if let characteristic = line.status {
            status = BLESerialStatus(try await characteristic.read())
            if let status { tellLosses(status) }
        }
        let properties = line.input.properties
        return sender.begin(
            mtu: try await peripheral.mtu,
            BLESerialSender.Writes(
                commands: properties.contains(.writeWithoutResponse), requests: properties.contains(.write)), status)
    }

    /// Transfers bytes until the connection ends.
    private func transfer(_ values: AsyncThrowingStream<[UInt8], any Error>, _ line: BLESerialLine) async {
        let executor = central.executor
        let sending = Task(executorPreference: executor) { await self.transmit(line) }
        let counting = Task(executorPreference: executor) { await self.followStatus(line) }
        do {
            for try await value in values { receive(value) }
        } catch {
            // The reconnector tells of it.
        }
        sending.cancel()
        counting.cancel()
        await sending.value
        await counting.value
        let lost = sender.end()
        guard lost > 0 else { return }
        count.unconfirmed += lost
        tell(.unconfirmed(lost))
        sent.release()
    }

    func endTransfer() async {
        transfer?.cancel()
        await transfer?.value
        transfer = nil
    }

    /// Sends what waits, until the connection ends, or something else fails: then this ends it.
    private func transmit(_ line: BLESerialLine) async {
        do throws(CentralError) {
            while !Task.isCancelled { try await transmitNext(line) }
        } catch {
            fail(error)
        }
    }

    private func transmitNext(_ line: BLESerialLine) async throws(CentralError) {
        switch sender.next(central.executor.now) {
        case .command(let bytes):
            do throws(CentralError) {
                try await line.input.write(bytes, .withoutResponse)
            } catch {
                sender.takeBack(bytes)
                throw error
            }
            room.release()
        case .request(let bytes):
            try await line.input.write(bytes, .withResponse)
            confirmed(sender.confirm(central.executor.now))
        case .confirm:
            // A refusal is an answer, too.
            try await Self.allowingRefusal { () async throws(CentralError) in _ = try await line.output.read() }
            confirmed(sender.confirm(central.executor.now))
        case .awaitStatus: try await awaitStatus(line)
        case .wait(let time): try? await BenchClock(central.executor).sleep(until: time)
        case .idle: for await _ in work.join() {}
        }
    }

    private func confirmed(_ bytes: Int) {
        count.sent += bytes
        room.release()
        if sender.queued == 0, sender.unconfirmed == 0 { sent.release() }
    }

    // MARK: A board that counts

    /// Waits until the board has passed something on, or there is more to send; reads how far it is when it does not tell.
    private func awaitStatus(_ line: BLESerialLine) async throws(CentralError) {
        let executor = central.executor
        isStatusLate = false
        let alarm = executor.schedule(at: executor.now.advanced(by: Self.statusTime)) { [weak self] in
            self?.assumeIsolated { serial in
                serial.isStatusLate = true
                serial.work.release()
            }
        }
        for await _ in work.join() {}
        if !isStatusLate { executor.cancel(alarm) }
        guard isStatusLate, let status = line.status else { return }
        receive(status: try await status.read())
    }

    private func followStatus(_ line: BLESerialLine) async {
        guard let status = line.status else { return }
        do {
            for try await value in try await status.values() { receive(status: value) }
        } catch {
            // Without its notifications it is read.
        }
    }

    private func receive(status value: [UInt8]) {
        guard let status = BLESerialStatus(value) else { return }
        tellLosses(status)
        confirmed(sender.confirm(status))
        work.release()
    }

    /// Tells what the board has lost since it was last heard of.
    private func tellLosses(_ status: BLESerialStatus) {
        defer { lastStatus = status }
        guard let lastStatus else { return }
        let fromClient = BLESerialStatus.growth(status.lostFromClient, since: lastStatus.lostFromClient)
        let fromUART = BLESerialStatus.growth(status.lostFromUART, since: lastStatus.lostFromUART)
        if fromClient + fromUART > 0 { tell(.boardLost(fromClient: fromClient, fromUART: fromUART)) }
    }

    // MARK: Ends

    private static func allowingRefusal(_ body: () async throws(CentralError) -> Void) async throws(CentralError) {
        do throws(CentralError) {
            try await body()
        } catch {
            guard case .attError = error.code else { throw error }
        }
    }
}
