/// A queue from which any element can be removed by its identifier; every call takes amortized
/// constant time.
package struct CancellableQueue<ID: Hashable, Element> {
  private var elements: [ID: Element] = [:]
  /// The identifiers in the order of their arrival, those of removed elements included.
  private var order: [ID] = []
  /// The index in `order` before which every element was removed.
  private var head = 0

  /// Creates an empty queue.
  package init() {}

  /// The number of elements.
  package var count: Int { elements.count }

  /// The number of identifiers that the queue stores, those of removed elements included.
  package var storedCount: Int { order.count }

  /// Adds an element at the end; no other call of ``append(_:id:)`` may use the same identifier.
  package mutating func append(_ element: Element, id: ID) {
    elements[id] = element
    order.append(id)
  }

  /// Removes and returns the element with an identifier, or returns `nil` if the queue does not
  /// contain it.
  package mutating func remove(_ id: ID) -> Element? {
    guard let element = elements.removeValue(forKey: id) else { return nil }
    shrink()
    return element
  }

  /// Removes and returns the element that has been in the queue for the longest time, or returns
  /// `nil` if the queue is empty.
  package mutating func popFirst() -> Element? {
    while head < order.count {
      let id = order[head]
      head += 1
      guard let element = elements.removeValue(forKey: id) else { continue }
      shrink()
      return element
    }
    return nil
  }

  /// Drops the identifiers of removed elements once they are the larger part, so that each
  /// identifier is moved once on average.
  private mutating func shrink() {
    guard order.count > 32, order.count > 2 * elements.count else { return }
    order = order[head...].filter { elements[$0] != nil }
    head = 0
  }
}
