import ESPProtocol

extension Flasher {
    /// Calls `body`, which may be repeated, until all answers that it received were those to its own requests.
    ///
    /// - Throws: ``FlasherError`` of `body`, or with code `noisyLine` when answers come twice each time.
    func confirmed<Result>(
        _ context: @autoclosure () -> String, _ body: () async throws(FlasherError) -> Result
    ) async throws(FlasherError) -> Result {
        let stopwatch = Stopwatch(connection.clock)
        for attempt in 0..<Self.confirmedAttempts
        where attempt < Self.leastAttempts || stopwatch.elapsed < Self.confirmationTime {
            let strays = connection.ledger.strayCount
            do throws(FlasherError) {
                let result = try await body()
                if try await connection.mark(context()) == strays { return result }
            } catch {
                // An answer to another request may be the cause.
                guard error.code != .port, !connection.isGivenUp else { throw error }
                if connection.ledger.strayCount > strays { continue }
                guard !error.isTransient, let count = try? await connection.mark(context()), count > strays else {
                    throw error
                }
            }
        }
        throw FlasherError(
            .noisyLine,
            "\(context()): answers come more than once, \(connection.ledger.strayCount) so far; "
                + "is another program using the port?")
    }

    private static let confirmedAttempts = 6
    /// The attempts at what takes long by itself, as the erase of a whole flash.
    private static let leastAttempts = 3
    /// After so much time no further attempt begins.
    private static let confirmationTime = Duration.seconds(20)
}
