import BenchExecutor
import BLECore
import BluetoothCommands
import CommandSupport
import EspbenchCommands
import LivePage
import ServeCommands
import Testing

/// What a pairing asks the users of the page and of `espbench lock`.
@Suite("Questions of a pairing", .timeLimit(.minutes(10))) struct PairingQuestionTests {
    /// The tests run on one thread of their own, whatever else waits for a turn: a question is asked when its task
    /// has had its turn.
    private let executor = BenchExecutor()

    /// Asks; the page shows it as `shown`.
    private func ask(
        _ input: PairingInput, _ questions: PairingQuestions, shown: PhoneState.Question
    ) async -> Task<PairingAnswer, Never> {
        let asking = Task(executorPreference: executor) { await questions.ask(input) }
        await Task.yield()
        #expect(questions.question == shown)
        return asking
    }

    @Test("compare numbers: the user accepts or refuses", arguments: [true, false])
    func comparison(_ isAccepted: Bool) throws {
        try executor.run {
            let questions = PairingQuestions(seed: 1)
            let asking = await ask(.compareNumbers(12_345), questions, shown: .compare("012345"))
            #expect(questions.answer(isAccepted: isAccepted, passkey: nil))
            #expect(await asking.value == .confirm(isAccepted))
            #expect(questions.question == nil)
            // Nothing is asked any more.
            #expect(!questions.answer(isAccepted: true, passkey: nil))
        }
    }

    @Test(
        "enter a passkey, or none",
        arguments: [
            (true, "012345", .passkey(12_345)), (false, "012345", .cancel), (false, nil, .cancel),
        ] as [(Bool, String?, PairingAnswer)])
    func entry(_ isAccepted: Bool, _ passkey: String?, _ answer: PairingAnswer) throws {
        try executor.run {
            let questions = PairingQuestions(seed: 1)
            let asking = await ask(.enterPasskey, questions, shown: .enterPasskey)
            #expect(questions.answer(isAccepted: isAccepted, passkey: passkey))
            #expect(await asking.value == answer)
            #expect(questions.question == nil)
        }
    }

    @Test("a passkey that is none leaves the question", arguments: [nil, "", "12x456", "-12345"])
    func noPasskey(_ text: String?) throws {
        try executor.run {
            let questions = PairingQuestions(seed: 1)
            let asking = await ask(.enterPasskey, questions, shown: .enterPasskey)
            #expect(!questions.answer(isAccepted: true, passkey: text))
            #expect(questions.question == .enterPasskey)
            questions.end()
            #expect(await asking.value == .cancel)
        }
    }

    @Test("a second one refuses the first")
    func second() throws {
        try executor.run {
            let questions = PairingQuestions(seed: 1)
            let first = await ask(.compareNumbers(1), questions, shown: .compare("000001"))
            let second = await ask(.compareNumbers(999_999), questions, shown: .compare("999999"))
            #expect(await first.value == .cancel)
            #expect(questions.answer(isAccepted: true, passkey: nil))
            #expect(await second.value == .confirm(true))
        }
    }

    @Test("the end of the pairing refuses it")
    func end() throws {
        try executor.run {
            let questions = PairingQuestions(seed: 1)
            let asking = await ask(.compareNumbers(1), questions, shown: .compare("000001"))
            questions.end()
            #expect(await asking.value == .cancel)
            #expect(questions.question == nil)
            #expect(!questions.answer(isAccepted: true, passkey: nil))
        }
    }

    @Test("a passkey of this side is shown until the end, and follows from the seed")
    func display() async {
        var passkeys: [PairingAnswer] = []
        for seed in [1, 1, 2] as [UInt64] {
            let questions = PairingQuestions(seed: seed)
            let answer = await questions.ask(.displayPasskey)
            guard case .passkey(let passkey) = answer, case .display(let digits)? = questions.question else {
                Issue.record("expected a passkey that is shown, got \(answer)")
                continue
            }
            #expect(digits.utf8.count == 6 && UInt32(digits) == passkey)
            passkeys.append(answer)
            questions.end()
            #expect(questions.question == nil)
        }
        #expect(passkeys.count == 3 && passkeys[0] == passkeys[1] && passkeys[0] != passkeys[2])
        // What the stack has chosen is shown, too.
        let questions = PairingQuestions(seed: 1)
        questions.show("000007")
        #expect(questions.question == .display("000007"))
    }

    @Test("what a page cannot answer is refused")
    func outOfBand() async {
        let questions = PairingQuestions(seed: 1)
        #expect(await questions.ask(.outOfBand) == .cancel)
        #expect(questions.question == nil)
    }

    @Test("the keys of 'lock' are for passkeys alone")
    func lockKeyboard() async {
        let captured = CapturedOutput()
        let keyboard = LockKeyboard(
            123_456, Environment(variables: [:], workingFolder: "/"), captured.output())
        for input in [.compareNumbers(1), .displayPasskey, .outOfBand] as [PairingInput] {
            #expect(await keyboard.answer(input) == .cancel)
        }
        #expect(await keyboard.answer(.enterPasskey) == .passkey(123_456))
        #expect(captured.notes.isEmpty)
    }
}
