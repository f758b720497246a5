extension SketchCompiler {
    /// Compiles what is missing of the host core, and its precompiled headers. If another build compiles them already,
    /// this one waits for it.
    ///
    /// - Returns: the folder of the precompiled headers; `nil` when the compiler has none.
    func hostCore() async throws(FirmwareBuildError) -> String? {
        let folder = folders.core(toolchain.fingerprint)
        let headers = folder + "/headers" + nimble.suffix
        try FileTree.makeFolder(headers)
        FileTree.touch(folder)
        let missing = try missingTasks(headers).count
        if missing > 0 {
            let lock = try await FileLock(folder + "/lock") {
                progress?(BuildProgress(.otherBuild, completed: 0, of: missing))
            }
            defer { lock.release() }
            // Those that no other build has compiled meanwhile.
            try await runAll(try missingTasks(headers))
        }
        return toolchain.isGCC ? headers : nil
    }

    /// The compilations that are missing; writes the text of headers to be compiled to the folder `headers`.
    private func missingTasks(
        _ headers: String
    ) throws(FirmwareBuildError) -> [(arguments: [String], output: String)] {
        var tasks: [(arguments: [String], output: String)] = []
        for (source, object) in zip(toolchain.files.sources(nimble), coreObjects) where !seals.isGenuine(object) {
            let flags = toolchain.flags.core(source, hasSystemCalls: toolchain.files.isPlatform(source))
            let folders = toolchain.files.includeFolders(core: source).flatMap { ["-I", $0] }
            tasks.append((flags + folders + ["-w", "-c", source], object))
        }
        if toolchain.isGCC {
            for header in PrecompiledHeader.allCases where header.isOffered(toolchain, nimble) {
                // Under the name by which it is included: read when the compiled one does not suit, and when a file
                // includes it again.
                let source = "\(headers)/\(header.include)"
                if (try? FileTree.text(of: source)) == header.text, seals.isGenuine(source + ".gch") { continue }
                try FileTree.write(header.text, to: source)
                tasks.append((headerArguments + [source], source + ".gch"))
            }
        }
        return tasks
    }

    var coreObjects: [String] {
        let folder = folders.core(toolchain.fingerprint)
        return toolchain.files.sources(nimble).map { source in
            let name = source.dropFirst(toolchain.hostCore.count + 1).replacing("/", with: "-")
            return "\(folder)/\(name).o"
        }
    }

    private var headerArguments: [String] {
        toolchain.flags.header + ["-w"] + toolchain.files.includeFolders(nimble).flatMap { ["-I", $0] }
    }

    private func runAll(_ tasks: [(arguments: [String], output: String)]) async throws(FirmwareBuildError) {
        guard !tasks.isEmpty else { return }
        progress?(BuildProgress(.hostCore, completed: 0, of: tasks.count))
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var completed = 0
                for (number, task) in tasks.enumerated() {
                    if number >= Self.parallel, try await group.next() != nil {
                        completed += 1
                        progress?(BuildProgress(.hostCore, completed: completed, of: tasks.count))
                    }
                    group.addTask { try await run(task.arguments, task.output) }
                }
                while try await group.next() != nil {
                    completed += 1
                    progress?(BuildProgress(.hostCore, completed: completed, of: tasks.count))
                }
            }
        } catch let error as FirmwareBuildError {
            throw error
        } catch {
            throw FirmwareBuildError(.compilationFailed, "the compilation was cancelled: \(error)")
        }
    }

    private func run(_ arguments: [String], _ output: String) async throws(FirmwareBuildError) {
        let temporary = FileTree.temporaryPath(for: output)
        defer { FileTree.remove(temporary) }
        let outcome = try await toolchain.compiler.run(arguments + ["-o", temporary])
        guard outcome.isSuccess else {
            throw FirmwareBuildError(
                .compilationFailed, "\(toolchain.compiler.path) could not compile the host core",
                compilerOutput: outcome.standardError)
        }
        try FileTree.move(temporary, to: output)
        try seals.seal(output)
    }
}
