/// A queue from which any element can be removed by its identifier; every call takes amortized
/// constant time.
package struct CancellableQueue<ID: Hashable, Element> {
  private var elements: [ID: Element] = [:]
  /// The identifiers in the order of their arrival, including identifiers of removed elements.
  private var order: [ID] = []
  /// The index in `order` of the first identifier whose element may still be in the queue.
  private var head = 0

  /// Creates an empty queue.
  package init() {}

  /// The number of elements in the queue.
  package var count: Int { elements.count }

  /// The number of identifiers that the queue stores, including identifiers of removed elements.
  package var storedCount: Int { order.count }

  /// Adds an element at the end; no other call of ``append(_:id:)`` may use the same identifier.
  package mutating func append(_ element: Element, id: ID) {
    elements[id] = element
    order.append(id)
  }

  /// Removes and returns the element with the identifier `id`, or returns `nil` if the queue does
  /// not contain this element.
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

  /// Drops the identifiers of removed elements from `order` if `order` has more than 32 identifiers
  /// and more than half of these identifiers belong to removed elements.
  ///
  /// With this threshold, a call copies fewer identifiers than it drops, so the amortized cost of
  /// each removal is constant.
  private mutating func shrink() {
    guard order.count > 32, order.count > 2 * elements.count else { return }
    order = order[head...].filter { elements[$0] != nil }
    head = 0
  }
}
