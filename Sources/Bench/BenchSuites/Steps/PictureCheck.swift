import Bench
import BenchModel
import BoardParts
import PNG
import SourceText

/// `expect: {screen: warm.png}`: the picture of a display equals a file beside the suite.
struct PictureCheck {
    let run: StepRun
    let part: String
    let reading: String
    let board: BoardID
    /// The file, relative to the suite's folder.
    let path: String

    /// The fault of a path: pictures are beside the suite or in folders there.
    static func fault(ofPath path: String) -> String? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        let isBeside = names.allSatisfy { !$0.isEmpty && $0 != ".." && $0 != "." } && !path.hasPrefix("~")
        guard path.hasSuffix(".png"), path.count > 4, isBeside, !path.contains("\\") else {
            return "expected a PNG file beside the suite or in a folder there, such as warm.png, got '\(path)'"
        }
        return nil
    }

    /// Waits for the picture, which must then not change for `time`. A run that updates pictures takes the one that the
    /// display shows at the end of `timeout`.
    func expect(for time: Duration, within timeout: Duration) async throws(BenchFailure) {
        guard let files = run.pictures else { throw fault("a run that has files", "none: no picture can be compared") }
        if let fault = Self.fault(ofPath: path) { throw self.fault("a picture", fault) }
        let wanted: PNGImage
        do throws(BenchFailure) {
            wanted = try picture(in: files, of: try await shown())
        } catch  where files.isUpdating {
            await run.session.advance(by: timeout)
            return try await update(files)
        }
        do throws(BenchFailure) {
            let digest = PartPicture(width: wanted.width, height: wanted.height, pixels: wanted.pixels).digest
            try await run.session.expect(
                .picture(part: part, reading: reading, digest: digest, name: path), for: time, within: timeout,
                of: board)
        } catch {
            let shown = try await shown()
            guard error.cause == .timedOut || error.cause == .assertion, shown != wanted else { throw error }
            // A picture that was shown, but not for the whole time, is the right one.
            if files.isUpdating, error.cause == .timedOut { return try await update(files) }
            throw explained(error, wanted, shown, files)
        }
    }

    /// The picture at this moment.
    private func shown() async throws(BenchFailure) -> PNGImage {
        guard case .picture(let picture)? = await run.session.reading(part, reading, of: board) else {
            throw BenchFailure(.benchFault, expected: "a picture of \(part).\(reading)", got: "none")
        }
        return PNGImage(width: picture.width, height: picture.height, pixels: picture.pixels)
    }

    /// The picture in the file, of the size of the shown one.
    private func picture(in files: any PictureFiles, of shown: PNGImage) throws(BenchFailure) -> PNGImage {
        do {
            guard let bytes = try files.read(path, beside: run.suite.file) else {
                throw fault(
                    "the picture \(path)",
                    "no such file beside \(run.suite.file): 'espbench test --update' writes it, as the display shows it"
                )
            }
            let picture = try PNGImage(file: bytes)
            guard (picture.width, picture.height) == (shown.width, shown.height) else {
                throw fault(
                    "a picture of \(shown.size), the size of \(part).\(reading)", "\(path) of \(picture.size)")
            }
            return picture
        } catch let error as BenchFailure {
            throw error
        } catch {
            throw fault("the picture \(path)", "\(error)")
        }
    }

    private func fault(_ expected: String, _ got: String) -> BenchFailure {
        BenchFailure(.suite, expected: expected, got: got, position: run.step.position)
    }

    /// Writes the shown picture, unless the firmware has crashed.
    private func update(_ files: any PictureFiles) async throws(BenchFailure) {
        if let crash = await run.session.failure { throw crash }
        let picture = try await shown()
        do {
            try files.update(path, beside: run.suite.file, to: picture.file)
        } catch {
            throw fault("to update the picture \(path)", "\(error)")
        }
    }

    // MARK: Differences

    /// The failure with the differing pixels, and the files of the pictures.
    private func explained(
        _ failure: BenchFailure, _ wanted: PNGImage, _ shown: PNGImage, _ files: any PictureFiles
    ) -> BenchFailure {
        let different = wanted.pixels.indices.filter { wanted.pixels[$0] != shown.pixels[$0] }
        var failure = failure
        if let first = different.first {
            failure.got +=
                "; \(different.count) of \(wanted.pixels.count) pixels differ from \(path), the first at "
                + "(\(first % wanted.width), \(first / wanted.width))"
        }
        let difference = Self.difference(wanted, shown)
        do {
            let paths = try files.keep(
                [("wanted", wanted.file), ("got", shown.file), ("diff", difference.file)], of: failureName)
            failure.got += ": \(paths.joined(separator: ", "))"
        } catch {
            failure.got += "; the pictures could not be written: \(error)"
        }
        return failure
    }

    /// The shown picture at a quarter of its brightness, with the differing pixels in red.
    static func difference(_ wanted: PNGImage, _ shown: PNGImage) -> PNGImage {
        let pixels = zip(wanted.pixels, shown.pixels).map { $0 == $1 ? $1 >> 2 & 0x3F3F3F : 0xFF0000 }
        return PNGImage(width: shown.width, height: shown.height, pixels: pixels)
    }

    /// A name for files of this failure: the suite's, the line, the parameters and the picture's.
    private var failureName: String {
        let suite = run.suite.file.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? "suite"
        let parameters = run.context.parameters.map { "-\($0)" }.joined()
        let picture = path.dropLast(4).map { $0 == "/" ? "-" : $0 }
        return "\(suite)-\(run.step.position.line)\(parameters)-\(String(picture))"
    }
}
