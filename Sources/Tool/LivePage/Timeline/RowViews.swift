import Synchronization

/// The views of the filters that were asked for last: a page asks for the same ones again and again.
package final class RowViews: Sendable {
    /// At most so many are kept.
    private static let capacity = 16

    private let store: TimelineStore
    /// The one used last stands last.
    private let views = Mutex<[(filter: RowFilter, view: RowView)]>([])

    package init(_ store: TimelineStore) {
        self.store = store
    }

    /// The view of a filter.
    package subscript(filter: RowFilter) -> RowView {
        views.withLock { views in
            let former = views.firstIndex { $0.filter == filter }.map { views.remove(at: $0) }
            let entry = former ?? (filter, RowView(filter, of: store))
            if views.count >= Self.capacity { views.removeFirst() }
            views.append(entry)
            return entry.view
        }
    }
}
