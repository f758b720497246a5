import BLEClients
import Testing

/// What a calculator's user sees.
@Suite struct CalculatorModelTests {
    /// A connected calculator after these keys: digits, `+`, `-`, `x`, `=`, `<` for back, `c` for clear.
    private func pressed(_ keys: String) -> (model: CalculatorModel, requests: [[UInt8]]) {
        var model = CalculatorModel()
        model.setLink(.connected)
        var requests: [[UInt8]] = []
        for key in keys {
            let pressed: CalculatorModel.Key =
                switch key {
                case "+": .operation(.add)
                case "-": .operation(.subtract)
                case "x": .operation(.multiply)
                case "=": .equals
                case "<": .back
                case "c": .clear
                default: .digit(UInt8(key.wholeNumberValue ?? 99))
                }
            if let request = model.press(pressed) { requests.append(request.bytes) }
        }
        return (model, requests)
    }

    private func answered(_ keys: String, _ value: [UInt8]) -> String {
        var model = pressed(keys).model
        model.receive(value)
        return model.display
    }

    @Test func theReferenceTraceIsShown() {
        #expect(pressed("9x6=").requests == [[9, 6, 2]])
        #expect(answered("9x6=", [0x36]) == "9 × 6 = 54")
        #expect(answered("5+3=", [8]) == "5 + 3 = 8")
        #expect(answered("9-2=", [7]) == "9 - 2 = 7")
    }

    @Test func whatIsEnteredIsShown() {
        #expect(pressed("").model.display == "")
        #expect(pressed("9").model.display == "9 ? ? = ?")
        #expect(pressed("9x").model.display == "9 × ? = ?")
        #expect(pressed("9x6").model.display == "9 × 6 = ?")
        #expect(pressed("9x6<").model.display == "9 × ? = ?")
        #expect(pressed("9x6<<").model.display == "9 ? ? = ?")
        #expect(pressed("19x6<<<").model.display == "1 ? ? = ?")
        #expect(pressed("9x6c").model.display == "")
        // The last operation counts.
        #expect(pressed("9x-+6").model.display == "9 + 6 = ?")
    }

    @Test func zeroIsAnOperand() {
        #expect(pressed("0+0=").requests == [[0, 0, 0]])
        #expect(answered("0+0=", [0]) == "0 + 0 = 0")
        #expect(pressed("7x0=").requests == [[7, 0, 2]])
    }

    @Test func aResultBeyondEightBitsIsTheTrueOne() {
        #expect(answered("2-9=", [249]) == "2 - 9 = -7 (249 in the calculator's 8 bits)")
        #expect(answered("200+100=", [44]) == "200 + 100 = 300 (44 in the calculator's 8 bits)")
        #expect(answered("255x255=", [1]) == "255 × 255 = 65025 (1 in the calculator's 8 bits)")
    }

    @Test func aWrongAnswerIsShownAsOne() {
        #expect(answered("9x6=", [55]) == "9 × 6 = 54, but the calculator answered 55")
        #expect(answered("9x6=", []) == "9 × 6 = ? expected 1 byte, got 0")
        #expect(answered("9x6=", [54, 0]) == "9 × 6 = ? expected 1 byte, got 2")
    }

    @Test func operandsAreAByte() {
        #expect(pressed("256+1=").requests == [[25, 1, 0]])
        #expect(pressed("999+300=").requests == [[99, 30, 0]])
        #expect(pressed("=+=x").requests.isEmpty)
        #expect(pressed("5=").requests.isEmpty)
        #expect(pressed("5+=").requests.isEmpty)
    }

    @Test func anAnswerHasTheOperandsThatWereSent() {
        // Keys while it is awaited change nothing, nor is it asked twice.
        let (model, requests) = pressed("9x6=12=c")
        #expect(requests == [[9, 6, 2]])
        #expect(model.status == "Calculating...")
        var answered = model
        answered.receive([54])
        #expect(answered.display == "9 × 6 = 54")
        // Then a new calculation begins with nothing entered.
        #expect(answered.a == nil && answered.b == nil && answered.operation == nil)
        _ = answered.press(.digit(3))
        #expect(answered.display == "3 ? ? = ?")
        // What nobody waits for is ignored.
        answered.receive([99])
        #expect(answered.display == "3 ? ? = ?")
    }

    @Test func theEndOfTheConnectionForgetsWhatWasEntered() {
        var model = pressed("9x").model
        model.setLink(.disconnected)
        #expect(model.display == "" && model.status == "Disconnected" && !model.isKeypadShown)
        #expect(model.press(.digit(1)) == nil && model.a == nil)
        var pending = pressed("9x6=").model
        pending.setLink(.disconnected)
        #expect(pending.display == "9 × 6 = ? the connection ended")
        pending.setLink(.connected)
        #expect(pending.display == "" && pending.status == "Connected." && pending.isKeypadShown)
        // Too late.
        pending.receive([54])
        #expect(pending.display == "")
    }

    @Test func theConnectionIsToldInTheAppsWords() {
        var model = CalculatorModel()
        #expect(model.status == "Disconnected")
        model.setLink(.searching)
        #expect(model.status == "Searching...")
        model.setLink(.notFound)
        #expect(model.status == "No calculator found")
        model.setLink(.connecting(try: 1))
        #expect(model.status == "Connecting...")
        model.setLink(.connecting(try: 3))
        #expect(model.status == "Connecting... (try 3)")
        model.setLink(.failed("it is away"))
        #expect(model.status == "Connection error: it is away")
        model.setLink(.unavailable("it is switched off"))
        #expect(model.status == "Bluetooth is not available: it is switched off")
    }
}
