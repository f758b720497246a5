import Bench

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

    /// The kind of bench of this name; messages also list `others`, the benches of the project.
    static func kind(_ name: String, others: [String] = [], _ environment: Environment) throws -> BenchKind {
        let registry = try registry(environment)
        do throws(UnknownBench) {
            return try registry.kind(name)
        } catch {
            var error = error
            error.known += others.filter { !error.known.contains($0) }
            throw CommandFailure(.nothingRan, "\(error)", code: "bench.unknown")
        }
    }
}
