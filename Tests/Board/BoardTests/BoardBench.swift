import BLECentral
import BLECentralHCI
import BLECore
import BLERadio
import ESPImage
import FirmwareBuild
import Foundation
import MonotonicTime
import BenchExecutor
import Synchronization
import Testing
import VirtualBoard

/// Virtual boards and centrals on one radio, in virtual time.
struct BoardBench: Sendable {
    static let flashSize = 4 << 20

    let executor = BenchExecutor()
    let radio: Radio
    private let key: HostProgramKey
    private let seed: UInt64
    private let folder: TestFolder

    init(seed: UInt64 = 1) async throws {
        self.seed = seed
        key = try await SketchBuilds.shared.key()
        radio = Radio(executor, seed: seed)
        folder = try TestFolder()
    }

    /// A board without power, its flash written with `layout` (`nil`: erased).
    func board(_ layout: FlashLayout?, number: UInt32 = 1) async throws -> (VirtualBoard, BoardLog) {
        let path = "\(folder.path)/flash-\(number)"
        let image = layout?.merged() ?? []
        let erased = [UInt8](repeating: 0xFF, count: Self.flashSize - image.count)
        try Data(image + erased).write(to: URL(filePath: path))
        let configuration = VirtualBoard.Configuration(
            name: "board \(number)", flashPath: path, number: number, key: key, seed: seed)
        let board = try VirtualBoard(configuration, on: radio, executor)
        let log = BoardLog(executor)
        await board.setObserver { log.append($0) }
        return (board, log)
    }

    /// The NVS partition in a board's flash.
    func nvs(of number: UInt32 = 1) throws -> MemoryFlash {
        let flash = try Data(contentsOf: URL(filePath: "\(folder.path)/flash-\(number)"))
        return MemoryFlash(bytes: Array(flash[0x9000..<0xE000]))
    }

    /// A started central.
    func central(_ number: UInt64 = 1) async throws -> (HCICentral, CentralLog) {
        let port = await radio.attach(address: DeviceAddress(0x0200_0000_0000 + number, .public))
        let address = DeviceAddress(0xC000_0000_0000 + number, .random)
        let central = HCICentral(executor: executor, transport: port, address: address)
        let log = CentralLog(executor)
        central.events.setHandler(on: central.executor) { log.append($0) }
        try await central.powerOn()
        return (central, log)
    }

    func sleep(_ duration: Duration) async throws {
        try await BenchClock(executor).sleep(for: duration)
    }

    /// Waits up to 60 s of virtual time until `condition` holds.
    func wait(for what: String, _ condition: () -> Bool) async throws {
        for _ in 0..<6000 {
            if condition() { return }
            try await sleep(.milliseconds(10))
        }
        Issue.record("waited 60 s of virtual time for \(what)")
    }
}

/// The events of a board, in order, with their times.
final class BoardLog: Sendable {
    private let executor: BenchExecutor
    private let entries = Mutex<[(time: MonotonicInstant, event: VirtualBoardEvent)]>([])
    private let printed = Mutex<[UInt8]>([])

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func append(_ event: VirtualBoardEvent) {
        let now = executor.now
        entries.withLock { $0.append((now, event)) }
        if case .console(let bytes) = event { printed.withLock { $0 += bytes } }
    }

    /// The events without their times.
    var events: [VirtualBoardEvent] { entries.withLock { $0.map(\.event) } }

    /// One line for each event, with its time in nanoseconds.
    var lines: [String] { entries.withLock { $0.map { "\($0.time.nanoseconds) \($0.event)" } } }

    /// The whole console output.
    var console: String { printed.withLock { String(decoding: $0, as: UTF8.self) } }

    /// The ends of the sketch.
    var ends: [ApplicationEnd] {
        events.compactMap { event in
            if case .crashed(let end) = event { end } else { nil }
        }
    }

    /// The number of application starts.
    var starts: Int { events.count { $0 == .chip(.applicationStarted) } }
}

/// The events of a central, in order, with their times.
final class CentralLog: Sendable {
    private let executor: BenchExecutor
    private let entries = Mutex<[(time: MonotonicInstant, event: CentralEvent)]>([])

    init(_ executor: BenchExecutor) {
        self.executor = executor
    }

    func append(_ event: CentralEvent) {
        let now = executor.now
        entries.withLock { $0.append((now, event)) }
    }

    var events: [CentralEvent] { entries.withLock { $0.map(\.event) } }

    var lines: [String] { entries.withLock { $0.map { "\($0.time.nanoseconds) \($0.event)" } } }
}

/// NOR flash in memory, of the size of arduino-esp32's NVS partition.
struct MemoryFlash: NVSFlash {
    var bytes = [UInt8](repeating: 0xFF, count: 0x5000)
    var size: Int { bytes.count }

    func read(at offset: Int, count: Int) -> [UInt8] { Array(bytes[offset..<offset + count]) }

    mutating func program(_ data: [UInt8], at offset: Int) {
        for (index, byte) in data.enumerated() { bytes[offset + index] &= byte }
    }

    mutating func eraseSector(at offset: Int) {
        bytes.replaceSubrange(offset..<offset + 4096, with: repeatElement(0xFF, count: 4096))
    }
}
