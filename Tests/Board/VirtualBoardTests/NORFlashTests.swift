import Foundation
import MonotonicTime
import Synchronization
import Testing
import VirtualBoard

private func instant(_ microseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: microseconds * 1_000) }

@Suite struct NORFlashTests {
    private func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appending(path: "espbench-flash-\(UUID().uuidString)").path
    }

    private func makeFlash(seed: UInt64 = 1, path: String? = nil) throws -> NORFlash {
        try NORFlash(path: path, size: 1 << 20, random: SeededRandom(seed: seed))
    }

    @Test func programmingOnlyClearsBitsAndTakesTime() throws {
        let flash = try makeFlash()
        let end = try flash.program([0xF0, 0x0F], at: 255, now: instant(0))
        #expect(end == instant(800), "two pages")
        try flash.advance(to: instant(399))
        #expect(try flash.read(at: 255, count: 2) == [0xFF, 0xFF])
        try flash.advance(to: instant(400))
        #expect(try flash.read(at: 255, count: 2) == [0xF0, 0xFF])
        try flash.advance(to: end)
        #expect(flash.nextDeadline == nil)
        try flash.program([0x3C], at: 255, now: end)
        try flash.advance(to: end.advanced(by: .seconds(1)))
        #expect(try flash.read(at: 255, count: 2) == [0x30, 0x0F])
    }

    @Test func erasingSetsWholeSectorsAndUsesBlocksWherePossible() throws {
        let flash = try makeFlash()
        try flash.program([UInt8](repeating: 0, count: 100_000)[...], at: 60_000, now: instant(0))
        try flash.advance(to: instant(1_000_000_000))
        let end = try flash.erase(at: 61_440, count: 4096 + 65_536, now: instant(1_000_000_000))
        #expect(end == instant(1_000_000_000).advanced(by: .milliseconds(195)))
        try flash.advance(to: end)
        #expect(try flash.read(at: 61_439, count: 2) == [0x00, 0xFF])
        #expect(try flash.read(at: 131_071, count: 2) == [0xFF, 0x00])
    }

    @Test func operationsBeyondTheChipAreRefused() throws {
        let flash = try makeFlash()
        for (offset, count) in [(1 << 20, 1), (-1, 1), (0, Int.max), ((1 << 20) - 1, 2), (Int.max, 1)] {
            #expect(throws: FlashError.self) { try flash.read(at: offset, count: count) }
        }
        #expect(throws: FlashError.self) { try flash.erase(at: 100, count: 4096, now: instant(0)) }
        #expect(throws: FlashError.self) { try flash.program([1, 2], at: (1 << 20) - 1, now: instant(0)) }
    }

    @Test func aPowerLossLeavesAnIncompleteOperationDeterminedByTheSeed() throws {
        func run(_ seed: UInt64) throws -> [UInt8] {
            let flash = try makeFlash(seed: seed)
            try flash.program([UInt8](repeating: 0, count: 8192)[...], at: 0, now: instant(0))
            // In the middle of the 11th page.
            try flash.losePower(at: instant(10 * 400 + 200))
            try flash.advance(to: instant(1_000_000))
            try flash.program([UInt8](repeating: 0, count: 4096)[...], at: 8192, now: instant(1_000_000))
            try flash.advance(to: instant(2_000_000))
            try flash.erase(at: 8192, count: 4096, now: instant(2_000_000))
            try flash.losePower(at: instant(2_020_000))
            return try flash.read(at: 0, count: 12_288)
        }
        let bytes = try run(7)
        #expect(bytes[..<2560].allSatisfy { $0 == 0 })
        #expect(bytes[2816..<8192].allSatisfy { $0 == 0xFF })
        let sector = bytes[8192...]
        #expect(sector.contains { $0 != 0 } && sector.contains { $0 != 0xFF })
        #expect(try run(7) == bytes)
        #expect(try run(8) != bytes)
    }

    @Test func theFileIsPrivateLockedAndPersistent() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let flash = try makeFlash(path: path)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let error = #expect(throws: FlashError.self) { try makeFlash(path: path) }
            #expect(error?.code == .busy)
            #expect(error?.description == "\(path): the flash file is in use by another espbench process")
            try flash.program([1, 2, 3], at: 4096, now: instant(0))
            try flash.erase(at: 8192, count: 65_536, now: instant(0))
            try flash.losePower(at: instant(20_000))
        }
        let again = try makeFlash(path: path)
        #expect(try again.read(at: 4095, count: 5) == [0xFF, 1, 2, 3, 0xFF])
        let wrong = #expect(throws: FlashError.self) {
            try NORFlash(path: path, size: 2 << 20, random: SeededRandom(seed: 1))
        }
        #expect(wrong?.code == .busy)
    }

    /// Signal handlers and memory management change `errno` at any time, also when no call has failed.
    @Test func anotherErrnoIsNoFaultOfTheFile() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let flash = try makeFlash(path: path)
        let former = signal(SIGURG) { _ in errno = EIO }
        // The threads of Dispatch mask signals.
        var mask = sigset_t()
        var formerMask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGURG)
        pthread_sigmask(SIG_UNBLOCK, &mask, &formerMask)
        let reader = pthread_self()
        let isOver = Atomic(false)
        let sent = Atomic(0)
        let hasEnded = DispatchSemaphore(value: 0)
        Thread {
            while !isOver.load(ordering: .relaxed) {
                pthread_kill(reader, SIGURG)
                sent.add(1, ordering: .relaxed)
            }
            hasEnded.signal()
        }.start()
        defer {
            isOver.store(true, ordering: .relaxed)
            hasEnded.wait()
            pthread_sigmask(SIG_SETMASK, &formerMask, nil)
            signal(SIGURG, former)
        }
        while sent.load(ordering: .relaxed) < 10_000 {
            #expect(try flash.read(at: 0, count: flash.size).count == flash.size)
        }
    }

    @Test func aFileThatCannotBeReadIsAFault() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let flash = try makeFlash(path: path)
        #expect(flash.fault == nil)
        truncate(path, 4096)
        let error = #expect(throws: FlashError.self) { try flash.read(at: 4000, count: 200) }
        #expect(error?.code == .wrongSize)
        #expect(flash.fault?.description == error?.description)
    }

    @Test func aFileOfAnotherSizeIsRefused() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        let error = #expect(throws: FlashError.self) { try makeFlash(path: path) }
        #expect(error?.description == "\(path): expected a flash file of 1048576 bytes, got 3")
    }
}
