import BenchExecutor
import ESPChips
import ESPProtocol
import MonotonicTime
import SerialPort
import Testing
import VirtualBoard

/// A line whose bytes take their time.
@Suite struct PacedLineTests {
    /// Connects to a board in download mode, and returns how long `requests` take in virtual time.
    private func time(_ requests: [LoaderRequest], pace: LoaderPace) throws -> [Duration] {
        let executor = BenchExecutor()
        return try executor.run {
            let board = try TestBoard(on: executor, chip: .esp32c3, pace: pace)
            let port = try await board.powerOn().open()
            for (dtr, rts, pause) in [(false, true, 100), (true, false, 50), (false, false, 100)] {
                try await port.setModemLines(ModemLines(dtr: dtr, rts: rts))
                try await port.pause(for: .milliseconds(pause))
            }
            try await port.discardInput()
            var times: [Duration] = []
            for request in requests {
                let begin = executor.now
                try await port.write(request.frame)
                var decoder = SLIPDecoder(limit: 10_000)
                var answered = false
                while !answered {
                    let bytes = try await port.read(upTo: 1000, within: .seconds(3))
                    try #require(!bytes.isEmpty)
                    answered = decoder.decode(bytes).contains { if case .frame = $0 { true } else { false } }
                }
                times.append(begin.duration(to: executor.now))
            }
            return times
        }
    }

    @Test func bytesTakeTenBitsAtTheRateOfTheChip() throws {
        let data = MemoryData(DataBlock(sequence: 0, payload: [UInt8](repeating: 1, count: 1000)[...]))
        let requests = [
            LoaderRequest(MemoryBegin(size: 2000, blockCount: 2, blockSize: 1000, address: 0x4009_0000)),
            LoaderRequest(data), LoaderRequest(ChangeBaudRate(newRate: 921_600)), LoaderRequest(data),
        ]
        let times = try time(requests, pace: .line)
        // A request of 1026 bytes (header, block header, delimiters), and an answer of 14.
        let bits = (requests[1].frame.count + 14) * 10
        #expect(abs(times[1] - .seconds(1) * bits / 115_200) < .microseconds(100), "\(times)")
        #expect(abs(times[3] - .seconds(1) * bits / 921_600) < .microseconds(100), "\(times)")
        // The answer to CHANGE_BAUDRATE, with an empty frame, is still sent at the old rate.
        let change = (requests[2].frame.count + 16) * 10
        #expect(abs(times[2] - .seconds(1) * change / 115_200) < .microseconds(100), "\(times)")
        #expect(try time(requests, pace: .flash) == [.zero, .zero, .zero, .zero])
    }

    @Test func eraseAndDigestTakeTimeUnlessTheLoaderIsImmediate() throws {
        let requests = [
            LoaderRequest(AttachFlash(dialect: .rom)),
            LoaderRequest(
                FlashBegin(
                    FlashWriteRegion(
                        eraseSize: 65_536, blockCount: 64, blockSize: 1024, offset: 0x10000, isEncrypted: false))),
            LoaderRequest(FlashMD5(address: 0x10000, size: 65_536)),
        ]
        #expect(try time(requests, pace: .immediate) == [.zero, .zero, .zero])
        let times = try time(requests, pace: .flash)
        #expect(times[1] == .milliseconds(150), "\(times)")
        #expect(times[2] > .zero, "\(times)")
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
