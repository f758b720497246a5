import Bench
import BenchProject

#if canImport(BenchVirtual)
    import BenchVirtual
#endif

/// The kinds of bench that the program supports.
enum Benches {
    /// The kinds available on this machine.
    ///
    /// - Throws: ``CommandFailure`` when the key of the virtual bench cannot be read or created.
    static func registry(_ environment: Environment) throws -> BenchRegistry {
        var registry = BenchRegistry()
        #if canImport(BenchVirtual)
            registry.add(VirtualBench.kind(key: try Project.sealingKey(environment)))
        #endif
        return registry
    }

    /// The kind of bench of this name.
    static func kind(_ name: String, _ environment: Environment) throws -> BenchKind {
        let registry = try registry(environment)
        do throws(UnknownBench) {
            return try registry.kind(name)
        } catch {
            throw CommandFailure(.nothingRan, "\(error)", code: "bench.unknown")
        }
    }

    /// The kind of the bench that `options` name, which is a kind itself or a bench of the project's `file`.
    static func kind(_ options: BenchOptions, of file: String?, _ environment: Environment) throws -> BenchKind {
        let registry = try registry(environment)
        do throws(UnknownBench) {
            return try registry.kind(options.bench)
        } catch {
            var error = error
            let name = options.givenBench ?? "default"
            guard options.projectBenches[name] != nil else {
                error.known += options.projectBenches.keys.sorted().filter { !error.known.contains($0) }
                throw CommandFailure(.nothingRan, "\(error)", code: "bench.unknown")
            }
            let known = (error.known + [HardwareEntry.kind]).joined(separator: ", ")
            throw CommandFailure(
                .nothingRan,
                "\(file ?? "espbench.yaml"): the bench '\(name)' is of the kind '\(options.bench)', expected one of: "
                    + known, code: "bench.unknown")
        }
    }
}
