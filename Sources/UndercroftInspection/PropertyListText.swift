package import UndercroftFoundation
package import UndercroftPropertyList

/// A formatter of property lists and keyed archives as indented text.
///
/// A keyed archive is shown as the graph of its objects, without creating instances of their
/// classes. A container to which several references lead is shown once.
package struct PropertyListText {
  /// The text of a property list, and what its limits omit.
  package struct Tree {
    package let text: String
    /// The number of containers whose elements are omitted because they are nested too deeply.
    package let omittedContainerCount: Int
    /// Whether all values after some value are omitted.
    package let isCut: Bool

    /// Whether the text contains all values.
    var isComplete: Bool { omittedContainerCount == 0 && !isCut }
  }

  private static let defaultDepth = 64
  /// The maximum number of levels of the text that is only examined, which is that of Foundation.
  private static let maximumDepth = 512

  private let isIndented: Bool
  private var text = ""
  private var omittedContainerCount = 0
  private var isCut = false
  /// Whether the current containers already have an element.
  private var hasElements: [Bool] = []
  private var closings: [String] = []
  private var followsKey = false

  private init(isIndented: Bool) { self.isIndented = isIndented }

  /// Returns whether the bytes begin like a property list.
  package static func isOne(_ bytes: Data) -> Bool { PropertyListDocument.isPropertyList(bytes) }

  /// Returns a property list as text, or `nil` if it cannot be read.
  static func readable(_ bytes: Data) -> String? { readableTree(of: bytes)?.text }

  /// Returns a property list as text with at most 64 levels, or `nil` if it cannot be read.
  static func readableTree(of bytes: Data) -> Tree? {
    try? tree(of: bytes, at: nil, limits(for: bytes, textSize: 8 << 20))
  }

  /// Returns a property list as text with at most 512 levels, or `nil` if it cannot be read.
  ///
  /// The text is for searching. It is not indented, because the spaces before deeply nested values
  /// could be a thousand times as large as the list.
  static func deepTree(of bytes: Data) -> Tree? {
    try? tree(
      of: bytes, at: nil, limits(for: bytes, depth: maximumDepth, textSize: 8 << 20),
      isIndented: false)
  }

  /// Returns the limits of a walk over the property list of a file.
  ///
  /// Each reference occupies at least one byte. The values exceed the limit of their number only in
  /// a file in which containers share the bytes of their references, as no program writes them.
  /// The limits of the text are exceeded if many references lead to the same long strings.
  private static func limits(
    for bytes: Data, depth: Int = defaultDepth, textSize: Int
  ) -> PropertyListLimits {
    PropertyListLimits(
      depth: depth, nodeCount: max(100_000, bytes.count), textSize: textSize + 4 * bytes.count)
  }

  /// Returns a property list, or the value at a path in it, as text.
  ///
  /// - Parameters:
  ///   - bytes: the content of the property list.
  ///   - path: the path of the value, or `nil` for the whole list.
  ///   - depth: the maximum number of containers that contain each other.
  /// - Throws: `PropertyListError` if the list cannot be read, and `PropertyListPathError` if there
  ///   is no value at the path.
  package static func tree(
    of bytes: Data, at path: PropertyListPath?, depth: Int
  ) throws -> Tree {
    try tree(of: bytes, at: path, limits(for: bytes, depth: depth, textSize: 64 << 20))
  }

  private static func tree(
    of bytes: Data, at path: PropertyListPath?, _ limits: PropertyListLimits,
    isIndented: Bool = true
  ) throws -> Tree {
    let document = try PropertyListDocument(bytes)
    var writer = PropertyListText(isIndented: isIndented)
    if KeyedArchive.isKeyedArchive(document) {
      let archive = try KeyedArchive(document)
      let start = try path.map { try $0.reference(in: archive) }
      writer.write(PropertyListTree(archive, from: start, limits: limits))
    } else {
      let start = try path.map { try $0.reference(in: document) }
      writer.write(PropertyListTree(document, from: start, limits: limits))
    }
    return Tree(
      text: writer.text, omittedContainerCount: writer.omittedContainerCount, isCut: writer.isCut)
  }

  private mutating func write(_ tree: PropertyListTree) { for event in tree { write(event) } }

  private mutating func write(_ event: PropertyListEvent) {
    switch event.kind {
    case .begin(let container): begin(container)
    case .key(let key):
      beginElement()
      text += Self.text(key) + ": "
      followsKey = true
    case .scalar(let value, _):
      beginElement()
      text += Self.text(value)
    case .repeated(let number, let isCycle):
      beginElement()
      let object = number.map { "object \($0)" } ?? "an object"
      text += isCycle ? "(\(object), which contains this one)" : "(\(object), shown above)"
    case .unreadable(let error):
      beginElement()
      text += "(damaged: \(error))"
    case .truncated(let limit):
      beginElement()
      text += "…"
      if limit == .depth { omittedContainerCount += 1 } else { isCut = true }
    case .end: end()
    }
  }

  private mutating func begin(_ container: PropertyListEvent.Container) {
    beginElement()
    if let archived = container.archivedClass {
      text += archived.name + (container.objectNumber.map { " #\($0) " } ?? " ")
    }
    let isMap = container.kind == .dictionary || container.kind == .object
    text += isMap ? "{" : "["
    closings.append(isMap ? "}" : "]")
    hasElements.append(false)
  }

  private mutating func end() {
    guard let closing = closings.popLast(), let hadElements = hasElements.popLast() else { return }
    if hadElements { breakLine() }
    text += closing
  }

  private mutating func beginElement() {
    if followsKey {
      followsKey = false
      return
    }
    guard let last = hasElements.indices.last else { return }
    if hasElements[last] { text += "," }
    hasElements[last] = true
    breakLine()
  }

  private mutating func breakLine() {
    text += "\n"
    if isIndented { text += String(repeating: "  ", count: closings.count) }
  }

  // MARK: Values

  private static func text(_ value: PropertyListValue) -> String {
    switch value {
    case .string(let string): quoted(string)
    case .data(let bytes): text(bytes)
    default: value.description
    }
  }

  private static func text(_ bytes: Data) -> String {
    let start = ValueText.hexadecimal(bytes.prefix(16))
    return bytes.count > 16 ? "<\(start)… \(bytes.count) bytes>" : "<\(start)>"
  }

  private static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result += scalar == "\n" ? "\\n" : String(scalar)
    }
    return result + "\""
  }
}
