/// The largest items of a sequence, in memory for a fixed number of items.
struct LargestItems {
  private let limit: Int
  private var items: [SizedItem] = []

  init(limit: Int) { self.limit = limit }

  mutating func add(_ item: SizedItem) {
    guard limit > 0, items.count < limit || item.byteCount > (items.last?.byteCount ?? 0) else {
      return
    }
    let index = items.firstIndex { $0.byteCount < item.byteCount } ?? items.count
    items.insert(item, at: index)
    if items.count > limit { items.removeLast() }
  }

  /// The items, the largest one first; items of the same size are in the order of their addition.
  var sorted: [SizedItem] { items }
}
