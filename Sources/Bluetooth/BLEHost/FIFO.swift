/// A first-in, first-out queue that reuses its storage, without an allocation per element.
struct FIFO<Element> {
    private var elements: [Element] = []
    private var head = 0

    var count: Int { elements.count - head }

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Inserts an element at the front.
    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        head += 1
        if head == elements.count {
            removeAll()
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeSubrange(..<head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        head = 0
    }
}
