import MonotonicTime
import Testing

@Suite struct FIFOTests {
    @Test func elementsLeaveInTheOrderInWhichTheyCame() {
        var queue = FIFO<Int>()
        var model: [Int] = []
        var random = SeededRandom(seed: 1)
        for number in 0..<5000 {
            // It grows to some hundred elements, and empties again.
            switch random.next() % 8 {
            case 0..<(number / 1000 % 2 == 0 ? 5 : 2):
                queue.append(number)
                model.append(number)
            case 7:
                queue.prepend(number)
                model.insert(number, at: 0)
            default: #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.count == model.count)
            #expect(queue.first == model.first)
            #expect(queue.isEmpty == model.isEmpty)
        }
        queue.removeAll()
        #expect(queue.popFirst() == nil)
    }

    @Test func aRemovedElementIsReleased() {
        final class Element {}
        var queue = FIFO<Element>()
        weak var first: Element?
        do {
            let element = Element()
            first = element
            queue.append(element)
            queue.append(Element())
        }
        #expect(first != nil)
        _ = queue.popFirst()
        #expect(first == nil)
    }
}

@Suite struct StableHashTests {
    /// The test vectors of FNV-1a's authors.
    @Test(arguments: [
        ("", 0xCBF2_9CE4_8422_2325 as UInt64), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ])
    func theHashIsFNV1a(text: String, hash: UInt64) {
        #expect(stableHash(text.utf8) == hash)
    }
}
