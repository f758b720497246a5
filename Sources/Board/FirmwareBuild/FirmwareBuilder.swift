import Crypto
import ESPChips
public import ESPImage

#if canImport(CFirmwareChannel)
    import CFirmwareChannel

    /// The layout of the channel that the host core is compiled for.
    private let channelLayoutVersion = CFC_LAYOUT_VERSION
#else
    /// Without a virtual board no host program can be run.
    private let channelLayoutVersion: UInt32 = 0
#endif

/// A built sketch: the program, and the flash image that contains it.
public struct BuiltFirmware: Sendable {
    /// The sketch.
    public var sketch: Sketch
    /// The program, and the compiler's warnings.
    public var compiled: CompiledSketch
    /// Bootloader, partition table and application, with their flash offsets.
    public var layout: FlashLayout
    /// The file of each region: `bootloader.bin`, `partitions.bin` and the sketch's `NAME.ino.bin`, named as
    /// arduino-cli does; absolute paths, in the order of the layout.
    public var files: [String]
    /// The NimBLE in it, with version and kind: `NimBLE-Arduino 2.5.1 (built-in)`, or `(library)`.
    public var nimble: String { compiled.nimble }
    /// True if that NimBLE is the user's library.
    public let usesNimBLELibrary: Bool
    /// True if the program checks itself with AddressSanitizer and UndefinedBehaviorSanitizer.
    public let isSanitized: Bool
}

/// Builds sketches for the virtual ESP32.
public struct FirmwareBuilder: Sendable {
    /// The ESP-IDF version that images name: that of arduino-esp32 3.x.
    private static let idfVersion = "v5.5"

    private let toolchain: HostToolchain
    private let key: HostProgramKey
    private let cache: String

    /// A builder with the machine's compiler.
    ///
    /// - Parameters:
    ///   - key: the key that seals images (``SealingKey``).
    ///   - cache: the folder of cached builds; created if it does not exist.
    public init(toolchain: HostToolchain, key: HostProgramKey, cache: String) {
        self.toolchain = toolchain
        self.key = key
        self.cache = cache
    }

    /// Builds `sketch`, or reuses an earlier build of the same sources, and writes the regions of its flash image.
    ///
    /// The image contains no time of the build, so equal sources give equal images.
    ///
    /// - Parameters:
    ///   - libraries: where the libraries are that the sketch includes.
    ///   - options: which NimBLE it is built with.
    ///   - progress: called before and after each file that is compiled, from any thread; not called when an earlier
    ///     build is reused.
    /// - Throws: ``FirmwareBuildError``.
    public func build(
        _ sketch: Sketch, libraries: LibraryFolders = .none, options: BuildOptions = BuildOptions(),
        progress: (@Sendable (BuildProgress) -> Void)? = nil
    ) async throws(FirmwareBuildError) -> BuiltFirmware {
        if let fault = sketch.fault { throw FirmwareBuildError(.invalidPlatformIO, fault) }
        let project = try SketchProject(folder: sketch.folder)
        var all = libraries
        all.project.insert(contentsOf: sketch.libraryFolders, at: 0)
        var index = try LibraryIndex(
            all, named: project.folders, platformIO: sketch.libraryFolders, refusals: toolchain.files.refusals)
        index.use(try NimBLESearch(options: options, index: index).nimble())
        try project.check(index)
        let folders = BuildFolders(cache: cache)
        let seals = try CacheSeals(cache: cache, key: key)
        let lease = CacheLease(folders)
        var compiler = SketchCompiler(toolchain, sketch, index, folders, seals, progress)
        compiler.remarks = project.remarks(index)
        let compiled: CompiledSketch
        do throws(FirmwareBuildError) {
            compiled = try await compiler.compile()
        } catch {
            // A setting that is not used may be the reason.
            let remarks = (compiler.remarks + sketch.remarks).map { $0 + "\n" }.joined()
            throw FirmwareBuildError(error.code, error.detail, compilerOutput: error.compilerOutput + remarks)
        }
        let built = try finish(
            sketch, compiled, index.nimble, seals, in: folders.folder(of: sketch, variant: compiler.variant))
        lease.end(mayPrune: !compiled.isCached)
        return built
    }

    /// Makes the flash image of `compiled` and writes its regions to `folder`.
    private func finish(
        _ sketch: Sketch, _ compiled: CompiledSketch, _ nimble: NimBLE, _ seals: CacheSeals, in folder: String
    ) throws(FirmwareBuildError) -> BuiltFirmware {
        guard let program = seals.contents(of: compiled.program) else {
            throw FirmwareBuildError(
                .fileSystem, "\(compiled.program) was changed since it was linked: what writes in the cache of builds?")
        }
        let layout: FlashLayout
        do throws(ImageError) {
            layout = try self.layout(of: sketch, program)
        } catch {
            throw FirmwareBuildError(.imageTooLarge, "the image of \(sketch.name) cannot be made: \(error)")
        }
        let names = ["bootloader.bin", "partitions.bin", "\(sketch.name).ino.bin"]
        var files: [String] = []
        for (region, name) in zip(layout.regions, names) {
            let path = "\(folder)/\(name)"
            try FileTree.write(region.bytes, to: path)
            files.append(path)
        }
        return BuiltFirmware(
            sketch: sketch, compiled: compiled, layout: layout, files: files,
            usesNimBLELibrary: nimble.library != nil, isSanitized: toolchain.isSanitized)
    }

    private func layout(of sketch: Sketch, _ program: [UInt8]) throws(ImageError) -> FlashLayout {
        let chip = Chip.esp32
        let description = AppDescription(
            version: "1", projectName: sketch.name, time: "", date: "", idfVersion: Self.idfVersion,
            elfHash: Array(SHA256.hash(data: program)))
        let host = HostProgram(
            abi: toolchain.model.abi + (toolchain.isSanitized ? HostProgram.sanitizedSuffix : ""),
            layoutVersion: channelLayoutVersion, program: program[...])
        var image = ImageBuilder(for: chip)
        image.addMapped(description.bytes[...])
        image.addMapped(host.seal(key: key, description: description)[...])
        let bootloader = try VirtualBootloader.image(
            for: chip, description: BootloaderDescription(version: 1, idfVersion: Self.idfVersion, dateTime: ""))
        return try FlashLayout(
            chip: chip, bootloader: bootloader, table: toolchain.isSanitized ? .hugeApp : .arduino4MB,
            app: try image.build(), flashSize: 4 << 20)
    }
}
