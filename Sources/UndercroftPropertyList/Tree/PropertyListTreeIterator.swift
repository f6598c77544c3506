/// An iterator over the events of a walk over a property list.
public struct PropertyListTreeIterator: IteratorProtocol {
  /// A container whose end has not been reached.
  private struct Frame {
    let keys: PropertyListReferences?
    let values: PropertyListReferences
    let identity: Int
    var position = 0
    /// Whether the key at `position` has been visited, but not its value.
    var isAtValue = false
  }

  private let source: PropertyListSource
  private let limits: PropertyListLimits
  private var start: PropertyListReference?
  private var stack: [Frame] = []
  /// The containers that have been expanded.
  private var expanded = NumberSet()
  /// The containers in `stack`.
  private var open = NumberSet()
  private var nodeCount = 0
  private var textSize = 0
  private var isStopped = false

  init(_ tree: PropertyListTree) {
    source = tree.source
    limits = tree.limits
    start = tree.start
  }

  /// Returns the next event, or `nil` after the last event.
  public mutating func next() -> PropertyListEvent? {
    if let reference = start {
      start = nil
      return omission() ?? visitValue(at: reference)
    }
    guard let last = stack.indices.last else { return nil }
    guard !isStopped, stack[last].position < stack[last].values.count else {
      open.remove(stack[last].identity)
      stack.removeLast()
      return event(.end)
    }
    if let omission = omission() { return omission }
    let position = stack[last].position
    if let keys = stack[last].keys, !stack[last].isAtValue {
      stack[last].isAtValue = true
      return visitKey(at: keys[position])
    }
    stack[last].isAtValue = false
    stack[last].position = position + 1
    return visitValue(at: stack[last].values[position])
  }

  /// The path from the start of the walk to the value or key of the last event.
  ///
  /// A key that is not a string has its description as its component, and a key that is damaged
  /// or longer than 4096 code units a question mark. Such a path leads to no value. The complexity
  /// is linear in the depth.
  public var path: PropertyListPath {
    var components: [String] = []
    for frame in stack {
      let position = frame.isAtValue ? frame.position : frame.position - 1
      guard position >= 0, position < frame.values.count else { continue }
      if let keys = frame.keys {
        components.append(source.keyText(at: keys[position]) ?? "?")
      } else {
        components.append(String(position))
      }
    }
    return PropertyListPath(components)
  }

  // MARK: Events

  private func event(_ kind: PropertyListEvent.Kind) -> PropertyListEvent {
    PropertyListEvent(kind: kind, depth: stack.count)
  }

  /// Returns an event if a limit of the whole walk is reached, and counts a node otherwise.
  private mutating func omission() -> PropertyListEvent? {
    if nodeCount >= limits.nodeCount || textSize > limits.textSize {
      isStopped = true
      return event(.truncated(nodeCount >= limits.nodeCount ? .nodeCount : .textSize))
    }
    nodeCount += 1
    return nil
  }

  private mutating func visitKey(at reference: PropertyListReference) -> PropertyListEvent {
    do {
      let (key, decodedSize) = try source.key(at: reference)
      textSize += decodedSize
      return event(.key(key))
    } catch {
      textSize += source.decodedSize(of: reference)
      return event(.unreadable(error))
    }
  }

  private mutating func visitValue(at reference: PropertyListReference) -> PropertyListEvent {
    do {
      switch try source.item(at: reference) {
      case .scalar(let value, let archivedClass):
        countText(value)
        return event(.scalar(value, archivedClass))
      case .container(let container):
        textSize += container.decodedSize
        return visit(container)
      }
    } catch {
      textSize += source.decodedSize(of: reference)
      return event(.unreadable(error))
    }
  }

  private mutating func visit(_ container: PropertyListSource.Container) -> PropertyListEvent {
    guard !expanded.contains(container.identity) else {
      return event(
        .repeated(
          objectNumber: container.objectNumber, isCycle: open.contains(container.identity)))
    }
    guard stack.count < limits.depth else { return event(.truncated(.depth)) }
    expanded.insert(container.identity)
    open.insert(container.identity)
    let begin = event(
      .begin(
        PropertyListEvent.Container(
          kind: container.kind, count: container.values.count,
          archivedClass: container.archivedClass, objectNumber: container.objectNumber)))
    stack.append(
      Frame(keys: container.keys, values: container.values, identity: container.identity))
    return begin
  }

  private mutating func countText(_ value: PropertyListValue) {
    switch value {
    case .string(let text): textSize += text.utf8.count
    // The data of a binary property list is a slice, which costs nothing.
    case .data(let bytes) where source.document.format == .xml: textSize += bytes.count
    default: break
    }
  }
}
