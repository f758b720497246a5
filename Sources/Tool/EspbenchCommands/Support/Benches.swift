import Bench

#if canImport(BenchVirtual)
    import BenchVirtual
#endif

/// The benches of the program.
enum Benches {
    /// Those that this machine can have.
    ///
    /// - Throws: ``CommandFailure`` when the key of the virtual bench cannot be read or made.
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
}
