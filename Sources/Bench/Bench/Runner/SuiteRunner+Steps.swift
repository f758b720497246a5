import BLECentral
import BenchModel
import MonotonicTime

extension SuiteRunner {
    /// Carries out one step.
    func perform(_ step: Step) async throws(StepFault) {
        switch step.action {
        case .write(let write): try await self.write(write, at: step.position)
        case .expect(let expectation, let timeout): try await expect(expectation, within: timeout, at: step.position)
        case .read(let read): try await self.read(read, at: step.position)
        case .subscribe(let subscribe): try await self.subscribe(subscribe, at: step.position)
        case .power(let action): try await power(action)
        case .cutPower(let point): try await cutPower(at: point, step)
        case .reset: try await reset()
        case .reboot(let erasesNVS): try await reboot(erasesNVS: erasesNVS)
        case .button(let button): try await self.button(button)
        case .pair(let pair): try await self.pair(pair, at: step.position)
        case .encrypt(let encrypt): try await self.encrypt(encrypt, at: step.position)
        case .forget(let forget): try await self.forget(forget)
        case .fault(let fault): try await plant(fault, step)
        case .radio(let radio): try await setAir(radio, at: step.position)
        case .attribute(let attribute): try await exchange(attribute, at: step.position)
        case .scan(let scan): try await self.scan(scan)
        case .connect(let connect): try await self.connect(connect)
        case .disconnect(let client): try await disconnect(client.index)
        case .mtu(let mtu): try await exchangeMTU(mtu, at: step.position)
        case .discover(let discover): try self.discover(discover)
        case .advance(let duration): await advance(by: duration)
        case .console(let template): try await type(template, at: step.position)
        // Carried out where its steps can fail: run(_:).
        case .repeated: break
        }
    }

    private func type(_ template: TextTemplate, at position: SourcePosition) async throws(StepFault) {
        let line = try text(template, at: position)
        record("console", .input(line: line))
        do {
            try await device.type(Array(line.utf8) + [UInt8(ascii: "\n")])
        } catch {
            throw StepFault(.benchFault, expected: "the console to take a line", got: "\(error)")
        }
    }

    // MARK: Values

    /// A text with the parameters' values put in.
    func text(_ template: TextTemplate, at position: SourcePosition) throws(StepFault) -> String {
        do throws(ExpressionError) {
            return try template.rendered(&context)
        } catch {
            throw StepFault(.benchFault, expected: "a text", got: error.message, position: position)
        }
    }

    /// A value's bytes for the current parameters.
    func bytes(_ template: ValueTemplate) throws(StepFault) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(EvaluationError) {
            try template.evaluate(&context, into: &bytes)
        } catch {
            throw StepFault(error)
        }
        return bytes
    }

    /// The octet that `expression` computes.
    func octet(_ expression: Expression, at position: SourcePosition) throws(StepFault) -> UInt8 {
        let value = try integer(expression, at: position)
        guard let octet = UInt8(exactly: value) else {
            throw StepFault(.benchFault, expected: "a code 0...255", got: "\(value)", position: position)
        }
        return octet
    }

    /// The number that `expression` computes.
    func integer(_ expression: Expression, at position: SourcePosition) throws(StepFault) -> Int64 {
        do throws(EvaluationError) {
            return try expression.evaluate(&context, at: position)
        } catch {
            throw StepFault(error)
        }
    }
}
