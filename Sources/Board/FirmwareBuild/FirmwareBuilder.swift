import Crypto
import ESPChips
public import ESPImage

#if canImport(CFirmwareChannel)
    import CFirmwareChannel

    /// The layout of the channel that the host core is compiled for.
    private let channelLayoutVersion = CFC_LAYOUT_VERSION
#else
    /// Without a virtual board, nothing runs a host program.
    private let channelLayoutVersion: UInt32 = 0
#endif

/// A sketch, built: the program, and the flash image that carries it.
public struct BuiltFirmware: Sendable {
    /// The sketch.
    public var sketch: Sketch
    /// The program, and what the compiler said.
    public var compiled: CompiledSketch
    /// Bootloader area, partition table and application, as they go into flash.
    public var layout: FlashLayout
    /// Where each piece was written: `bootloader.bin`, `partitions.bin` and the sketch's `NAME.ino.bin`, as arduino-cli
    /// calls them; absolute paths, in the order of the layout.
    public var files: [String]
}

/// Builds sketches for the virtual ESP32.
public struct FirmwareBuilder: Sendable {
    /// The version of ESP-IDF under arduino-esp32 3.x that images name.
    private static let idfVersion = "v5.5"

    private let toolchain: HostToolchain
    private let key: HostProgramKey
    private let cache: String

    /// A builder with the machine's compiler.
    ///
    /// - Parameters:
    ///   - key: what images are sealed with (``SealingKey``).
    ///   - cache: the folder that keeps builds; made when it is not there.
    public init(toolchain: HostToolchain, key: HostProgramKey, cache: String) {
        self.toolchain = toolchain
        self.key = key
        self.cache = cache
    }

    /// Builds `sketch`, or takes an earlier build of the same sources, and writes the pieces of its flash image.
    ///
    /// The image says nothing of when it was built, so equal sources make equal images.
    ///
    /// - Throws: ``FirmwareBuildError``.
    public func build(_ sketch: Sketch) async throws(FirmwareBuildError) -> BuiltFirmware {
        try SketchProject.check(path: sketch.folder + "/sketch.yaml")
        let compiled = try await toolchain.compile(sketch, cache: cache)
        let program = try FileTree.contents(of: compiled.program)
        let layout: FlashLayout
        do throws(ImageError) {
            layout = try self.layout(of: sketch, program)
        } catch {
            throw FirmwareBuildError(.imageTooLarge, "the image of \(sketch.name) cannot be made: \(error)")
        }
        let names = ["bootloader.bin", "partitions.bin", "\(sketch.name).ino.bin"]
        var files: [String] = []
        for (region, name) in zip(layout.regions, names) {
            let path = "\(cache)/\(sketch.name)/\(name)"
            try FileTree.makeFolder("\(cache)/\(sketch.name)")
            try FileTree.write(region.bytes, to: path)
            files.append(path)
        }
        return BuiltFirmware(sketch: sketch, compiled: compiled, layout: layout, files: files)
    }

    private func layout(of sketch: Sketch, _ program: [UInt8]) throws(ImageError) -> FlashLayout {
        let chip = Chip.esp32
        let description = AppDescription(
            version: "1", projectName: sketch.name, time: "", date: "", idfVersion: Self.idfVersion,
            elfHash: Array(SHA256.hash(data: program)))
        let host = HostProgram(
            abi: HostProgram.nativeABI, layoutVersion: channelLayoutVersion, program: program[...])
        var image = ImageBuilder(for: chip)
        image.addMapped(description.bytes[...])
        image.addMapped(host.seal(key: key, description: description)[...])
        let bootloader = try VirtualBootloader.image(
            for: chip, description: BootloaderDescription(version: 1, idfVersion: Self.idfVersion, dateTime: ""))
        return try FlashLayout(
            chip: chip, bootloader: bootloader, table: .arduino4MB, app: try image.build(), flashSize: 4 << 20)
    }
}
