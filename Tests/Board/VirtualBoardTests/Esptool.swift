import Dispatch
import ESPChips
import Foundation
import SerialNetwork
import SerialPOSIX
import SerialPort
import BenchExecutor
import VirtualBoard

/// PyPI's esptool as a child process, to validate the loader.
enum Esptool {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized
    private static let python = root.appending(path: ".venv/bin/python").path

    /// Whether `Scripts/test` has installed it.
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    struct Outcome: Sendable {
        var status: Int32
        var output: String
    }

    /// Runs `esptool ARGUMENTS`.
    static func run(_ arguments: [String], module: String = "esptool") async throws -> Outcome {
        try await python(["-m", module] + arguments)
    }

    /// Runs `python ARGUMENTS`.
    static func python(_ arguments: [String]) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        let pipe = Pipe()
                        process.executableURL = URL(filePath: python)
                        process.arguments = arguments
                        process.standardOutput = pipe
                        process.standardError = pipe
                        try process.run()
                        let output = pipe.fileHandleForReading.readDataToEndOfFile()
                        process.waitUntilExit()
                        return Outcome(
                            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
                    })
            }
        }
    }
}

/// Runs `body` in real time against a board that is served over TCP.
func withServedBoard<Value: Sendable>(
    _ transport: SerialServer.Transport,
    timing: FlashTiming = FlashTiming(
        sectorErase: .microseconds(200), blockErase: .milliseconds(1), pageProgram: .microseconds(5)),
    chip: Chip = .esp32, resetsItself: Bool = true,
    _ body: @escaping @Sendable (TestBoard, PortAddress) async throws -> Value
) async throws -> Value {
    try await onBenchExecutor(pace: .real) { executor in
        let board = try TestBoard(on: executor, timing: timing, chip: chip)
        let line = await board.powerOn()
        let server = try SerialServer(transport, port: 0) { _ in }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await server.run {
                    try await line.open(hasModemLines: transport == .rfc2217, resetsItself: resetsItself)
                }
                return nil
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(board, server.address))
            } catch {
                result = .failure(error)
            }
            server.stop()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

/// Runs `body` in real time against a board that is served as a pseudo-terminal.
func withBoardOnTerminal<Value: Sendable>(
    _ body: @escaping @Sendable (TestBoard, String) async throws -> Value
) async throws -> Value {
    try await onBenchExecutor(pace: .real) { executor in
        let timing = FlashTiming(
            sectorErase: .microseconds(200), blockErase: .milliseconds(1), pageProgram: .microseconds(5))
        let board = try TestBoard(on: executor, timing: timing)
        let line = await board.powerOn()
        let server = try PTYServer { _ in }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                await server.run { try await line.open(hasModemLines: false) }
                return nil
            }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(board, server.path))
            } catch {
                result = .failure(error)
            }
            server.stop()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

/// Runs `body` on an executor with a thread of its own.
func onBenchExecutor<Value: Sendable>(
    pace: BenchExecutor.Pace, _ body: @escaping @Sendable (BenchExecutor) async throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread {
            let executor = BenchExecutor(pace: pace)
            continuation.resume(with: Result { try executor.run { try await body(executor) } })
        }
        thread.start()
    }
}
