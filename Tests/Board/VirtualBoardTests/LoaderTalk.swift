import ByteCodec
import ESPChips
import ESPProtocol
import MonotonicTime
import Testing
import VirtualBoard

/// A loader driven in virtual time.
final class Talk {
    let flash: NORFlash
    let loader: SerialLoader
    let isStub: Bool
    private(set) var now = MonotonicInstant.zero

    /// A ROM loader, or a stub, on a chip with 1 MB of flash; `configure` changes its identity.
    init(
        stub: Bool, attached: Bool = true, chip: Chip = .esp32, configure: (inout ChipIdentity) -> Void = { _ in }
    ) throws {
        isStub = stub
        var identity = ChipIdentity(number: 0xAABB_CCDD, flashSize: 1 << 20, chip: chip)
        configure(&identity)
        flash = try NORFlash(path: nil, size: 1 << 20, random: SeededRandom(seed: 1))
        loader = SerialLoader(flash: flash, identity: identity)
        if stub {
            load(LoadedPrograms.stub)
            #expect(frames().last == Array("OHAI".utf8))
            #expect(loader.drainEvents() == [.stubStarted])
        } else if attached {
            send(AttachFlash(dialect: .rom))
            _ = frames()
        }
    }

    /// Loads `program` as one segment, and starts it.
    func load(_ program: [UInt8], at address: UInt32 = 0x4009_0000) {
        send(MemoryBegin(size: UInt32(program.count), blockCount: 1, blockSize: 0x1800, address: address))
        send(MemoryData(DataBlock(sequence: 0, payload: program[...])))
        send(MemoryEnd(entryPoint: address))
    }

    func send<Command: LoaderCommand>(_ command: Command) {
        sendRaw(LoaderRequest(command).frame)
    }

    func sendRaw(_ bytes: [UInt8]) {
        loader.receive(bytes, at: now)
    }

    func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        loader.advance(to: now)
    }

    /// The contents of the frames sent since the last call.
    func frames() -> [[UInt8]] {
        var decoder = SLIPDecoder(limit: 10_000)
        return decoder.decode(loader.drainOutput()).compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    func outcome<Command: LoaderCommand>(_ command: Command, wait: Duration = .zero) throws -> Result<
        Command.Reply, LoaderErrorCode
    > {
        send(command)
        pass(wait)
        let frame = try #require(frames().first)
        var reader = ByteReader(frame, subject: "response")
        return try LoaderResponse(from: &reader).outcome(of: Command.self, dialect: isStub ? .stub : .rom)
    }
}

extension Result where Failure == LoaderErrorCode {
    var refusal: LoaderErrorCode? {
        if case .failure(let code) = self { code } else { nil }
    }
}
