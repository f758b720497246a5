import ByteCodec
import ESPChips
import ESPProtocol
import Foundation
import LoaderTraces
import MonotonicTime
import Testing
import VirtualBoard

/// The genuine ROMs' recorded answers to wrong requests (`Tests/ESP/LoaderTraces`), and those of the virtual ROM.
@Suite struct WrongRequestJudgeTests {
    /// Steps of a trial, counted from 0, that the virtual board answers otherwise.
    private struct Exception {
        var models: [LoaderTrace.ChipModel] = LoaderTrace.ChipModel.allCases
        var subject: String
        var steps: ClosedRange<Int>
        var reason: String
    }

    private static let exceptions = [
        Exception(
            models: [.esp32], subject: "DEFL_END with wrong lengths", steps: 3...5,
            reason: "the emulator restarts slowly: a request is lost, the next one answered twice"),
        Exception(
            subject: "MEM_END without data", steps: 2...2,
            reason: "the text of an exception in code that is not executed"),
        Exception(
            subject: "a wrong escape in a frame", steps: 2...3,
            reason: "the ROM reads at the address with both bytes in it, and faults; the virtual one drops the frame"),
        Exception(
            subject: "WRITE_REG with a mask, with several words, and of no address", steps: 9...9,
            reason: "a word at an odd address changes its neighbour"),
        Exception(
            subject: "FLASH_BEGIN across the end of the flash", steps: 4...5,
            reason: "the emulator's flash cannot be read after an erase beyond its end"),
        Exception(
            subject: "DEFL_BEGIN across the end of the flash", steps: 4...5,
            reason: "the emulator's flash cannot be read after an erase beyond its end"),
        Exception(
            subject: "FLASH_BEGIN without SPI_ATTACH", steps: 1...4, reason: "the emulator's flash is always attached"),
        Exception(subject: "MD5 before SPI_ATTACH", steps: 2...3, reason: "the emulator's flash is always attached"),
        Exception(
            subject: "READ_FLASH_SLOW before SPI_ATTACH", steps: 2...3,
            reason: "the emulator's flash is always attached"),
    ]

    @Test(arguments: LoaderTrace.ChipModel.allCases) func `The virtual ROM is as wrong as the genuine one`(
        model: LoaderTrace.ChipModel
    ) throws {
        var (differences, used, count) = ([String](), Set<Int>(), 0)
        for trial in try WrongRequests(model).trials {
            let exceptions = Self.exceptions.enumerated().filter {
                $1.subject == trial.subject && $1.models.contains(model)
            }
            for (index, difference) in try WrongRequestJudge(model).differences(trial) {
                if let exception = exceptions.first(where: { $1.steps.contains(index) }) {
                    used.insert(exception.offset)
                } else {
                    differences.append("\(trial.subject), step \(index): \(difference)")
                }
            }
            count += trial.steps.count
        }
        #expect(count > 800)
        #expect(differences.isEmpty, "\(differences.count) differ\n\(differences.joined(separator: "\n"))")
        let unused = Self.exceptions.indices.filter { Self.exceptions[$0].models.contains(model) && !used.contains($0) }
        #expect(unused.isEmpty, "answered equally now: \(unused.map { Self.exceptions[$0].subject })")
    }
}

/// A virtual board in download mode, which gets the requests of one trial.
private final class WrongRequestJudge {
    private let machine: BoardMachine
    private var now = MonotonicInstant.zero
    /// The last word that READ_REG found in the ROM, which the virtual board does not have: theirs and ours.
    private var romWord: (theirs: UInt32, ours: UInt32) = (0, 0)

    init(_ model: LoaderTrace.ChipModel) throws {
        let identity = ChipIdentity(number: 0, flashSize: 4 << 20, chip: model == .esp32 ? .esp32 : .esp32c3)
        let flash = try NORFlash(path: nil, size: identity.flashSize, random: SeededRandom(seed: 1))
        machine = BoardMachine(flash: flash, identity: identity, key: nil, pace: .immediate)
        machine.setBootPressed(true, at: now)
        machine.powerOn(at: now)
        _ = sent(after: .seconds(1))
    }

    private func sent(after duration: Duration) -> [UInt8] {
        now = now.advanced(by: duration)
        machine.advance(to: now)
        return machine.drainActions().flatMap { action -> [UInt8] in
            if case .send(let bytes) = action { bytes } else { [] }
        }
    }

    /// The steps that are not answered equally. After a text of the ESP32's ROM nothing is compared any more: the emulator's
    /// then runs its BASIC interpreter, which the eFuses of real chips disable.
    func differences(_ trial: WrongRequests.Trial) throws -> [(Int, String)] {
        var result: [(Int, String)] = []
        for (index, step) in trial.steps.enumerated() {
            machine.receive(step.sent, hasModemLines: true, at: now)
            let ours = Self.replies(in: sent(after: .seconds(1)))
            noteROMWord(step, ours)
            let found = ours.map { Self.text($0, value: romWord.ours, as: romWord.theirs) }
            let expected = step.replies.map { Self.text($0) }
            if found != expected {
                result.append((index, "line \(step.line): \(expected), the virtual ROM sends \(found)"))
            }
            if expected.contains("flash read err, 631") { break }
        }
        return result
    }

    private func noteROMWord(_ step: WrongRequests.Step, _ ours: [WrongRequests.Reply]) {
        guard step.sent.count == 14, step.sent[2] == LoaderOpcode.readRegister.rawValue,
            step.sent[12] == 0x40, step.sent[11] == 0, let theirs = step.answers.first,
            case .answer(let answer)? = ours.first
        else { return }
        romWord = (theirs.value, answer.value)
    }

    private static func text(_ reply: WrongRequests.Reply, value: UInt32? = nil, as other: UInt32 = 0) -> String {
        switch reply {
        case .answer(let answer):
            let word = answer.value == value ? other : answer.value
            return "\(answer.opcode) \(String(word, radix: 16)) \(answer.length) \(Hexadecimal.string(answer.bytes))"
        // Registers, straps, and what follows.
        case .text(let text):
            var text = text
            for end in ["\\r\\nCore 0 register", ",boot:", "\\r\\nFalling back", "\\r\\nets_main.c"] {
                if let range = text.range(of: end) { text = String(text[..<range.lowerBound]) }
            }
            return text
        }
    }

    /// Splits bytes as the recorder did.
    private static func replies(in bytes: [UInt8]) -> [WrongRequests.Reply] {
        var (replies, rest) = ([WrongRequests.Reply](), [UInt8]())
        var bytes = bytes[...]
        while let byte = bytes.popFirst() {
            guard byte == SLIP.end, let end = bytes.firstIndex(of: SLIP.end) else {
                rest.append(byte)
                continue
            }
            let frame = [SLIP.end] + bytes[...end]
            bytes = bytes[(end + 1)...]
            var decoder = SLIPDecoder(limit: 1000)
            guard case .frame(let content)? = decoder.decode(frame).first else {
                replies.append(.text("c0c0"))
                continue
            }
            let value = content[4..<8].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let body = Array(content[8...])
            replies.append(
                .answer(
                    .init(
                        opcode: LoaderOpcode(rawValue: content[1]), value: value,
                        length: Int(content[2]) | Int(content[3]) << 8, bytes: body)))
        }
        if !rest.isEmpty {
            let names: [UInt8: String] = [0x0D: "\\r", 0x0A: "\\n"]
            replies.append(.text(rest.map { names[$0] ?? String(UnicodeScalar($0)) }.joined()))
        }
        return replies
    }
}
