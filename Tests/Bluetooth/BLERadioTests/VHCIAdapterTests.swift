import BLECore
import BLEPackets
import BenchExecutor
import Foundation
import Synchronization
import Testing

import BLERadio
import BLERadioServing

/// Adapters whose driver is the other end of a pseudo-terminal; `Scripts/test-vm-bluetooth` has the kernel's.
@Suite(.timeLimit(.minutes(10))) struct VHCIAdapterTests {
    /// A pseudo-terminal in place of the driver.
    private final class Driver: Sendable {
        let descriptor: Int32
        /// Kept open, so that the settings stay.
        private let terminal: Int32
        let path: String

        init() throws {
            var ends: (controller: Int32, terminal: Int32) = (-1, -1)
            var name = [CChar](repeating: 0, count: 1024)
            var settings = termios()
            cfmakeraw(&settings)
            try #require(openpty(&ends.controller, &ends.terminal, &name, &settings, nil) == 0)
            descriptor = ends.controller
            terminal = ends.terminal
            path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        func write(_ bytes: [UInt8]) {
            _ = Glibc.write(descriptor, bytes, bytes.count)
        }

        func read(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                var buffer = [UInt8](repeating: 0, count: count - bytes.count)
                let received = Glibc.read(descriptor, &buffer, buffer.count)
                guard received > 0 else { break }
                bytes += buffer.prefix(received)
            }
            return bytes
        }

        func close() {
            _ = Glibc.close(terminal)
            _ = Glibc.close(descriptor)
        }
    }

    private func failure(_ path: String) -> VHCIError? {
        do throws(VHCIError) {
            _ = try VHCIAdapter(path: path)
            return nil
        } catch {
            return error
        }
    }

    @Test func theDriversAnswerHasTheIndex() throws {
        let driver = try Driver()
        defer { driver.close() }
        driver.write([0xFF, 0, 0x05, 0x01])
        #expect(try VHCIAdapter(path: driver.path).name == "hci261")
        #expect(driver.read(2) == [0xFF, 0])
    }

    @Test func aWrongAnswerIsAnError() throws {
        let driver = try Driver()
        defer { driver.close() }
        driver.write([0xFF, 0, 0x05])
        let error = try #require(failure(driver.path))
        #expect(error.code == .refused)
        #expect(error.description == "\(driver.path): expected ff 00 and an index in 4 bytes, got 3 bytes")
    }

    @Test func aFileThatIsNoDriverIsAnError() throws {
        let missing = try #require(failure("/nowhere/vhci"))
        #expect(missing.code == .noDevice)
        let empty = try #require(failure("/dev/null"))
        #expect(empty.code == .system)
        #expect(empty.description == "/dev/null: reading failed: it has ended")
        #expect(try #require(failure("/dev")).code == .system)
    }

    /// The kernel resets the controller, and its commands and the answers pass; the end of the driver ends the adapter.
    @Test func packetsPassUntilTheDriverIsGone() async throws {
        let driver = try Driver()
        driver.write([0xFF, 0, 0, 0])
        let lost = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<String?, any Error>) in
            let thread = Thread {
                let executor = BenchExecutor(pace: .real)
                continuation.resume(
                    with: Result {
                        let adapter = try VHCIAdapter(path: driver.path)
                        let host = Thread {
                            _ = driver.read(2)
                            driver.write([1, 0x03, 0x0C, 0])
                            let complete: [UInt8] = [4, 0x0E, 4, 1, 0x03, 0x0C, 0]
                            #expect(driver.read(complete.count) == complete)
                            driver.close()
                        }
                        host.start()
                        return try executor.run {
                            let radio = Radio(executor, seed: 1)
                            return await adapter.run(await radio.attach(address: AirBench.address(1)))
                        }
                    })
            }
            thread.start()
        }
        #expect(lost?.hasPrefix("reading from the kernel failed: ") == true)
    }

    @Test func aStoppedAdapterIsNotLost() throws {
        let driver = try Driver()
        defer { driver.close() }
        driver.write([0xFF, 0, 0, 0])
        let adapter = try VHCIAdapter(path: driver.path)
        let executor = BenchExecutor(pace: .real)
        let lost = try executor.run {
            let radio = Radio(executor, seed: 1)
            let port = await radio.attach(address: AirBench.address(1))
            adapter.stop()
            return await adapter.run(port)
        }
        #expect(lost == nil)
    }
}
